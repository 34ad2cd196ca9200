import Foundation
import FreeholdTestSupport
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

/// Links back from lists, sets and maps: an object comes as often as it links.
@Suite struct CollectionBacklinkTests {
    private typealias Playlist = Relations.Playlist
    private typealias Song = Relations.Song

    /// What each playlist has, by ids.
    private struct Model {
        var lists: [Int: [Int]] = [:]
        var sets: [Int: Set<Int>] = [:]
        var maps: [Int: [String: Int?]] = [:]

        private func ids(_ count: (Int) -> Int) -> [Int] {
            lists.keys.sorted().flatMap { Array(repeating: $0, count: count($0)) }
        }

        func playlists(of song: Int) -> [Int] { ids { lists[$0]!.filter { $0 == song }.count } }
        func fans(of song: Int) -> [Int] { ids { sets[$0]!.contains(song) ? 1 : 0 } }
        func namers(of song: Int) -> [Int] { ids { maps[$0]!.values.filter { $0 == song }.count } }

        mutating func delete(song: Int) {
            for id in lists.keys {
                lists[id]!.removeAll { $0 == song }
                sets[id]!.remove(song)
                for (key, value) in maps[id]! where value == song { maps[id]![key] = .some(nil) }
            }
        }
    }

    @Test func randomChanges() throws {
        try withTemporaryRealm([Playlist.self, Song.self]) { realm in
            var random = Seed.random()
            var model = Model()
            var songs: [Int: Song] = [:]
            try realm.write {
                for id in 0..<12 { songs[id] = realm.create(Song.self, value: ["id": id]) }
                for id in 0..<20 {
                    realm.create(Playlist.self, value: ["id": id])
                    model.lists[id] = []
                    model.sets[id] = []
                    model.maps[id] = [:]
                }
            }
            var held = songs.mapValues { [$0.playlists, $0.fans, $0.namers] }
            func check(_ comment: String) {
                for (id, song) in songs {
                    let expected = [
                        model.playlists(of: id), model.fans(of: id), model.namers(of: id),
                    ]
                    for (collections, kind) in [
                        ([song.playlists, song.fans, song.namers], "read"), (held[id]!, "held"),
                    ] {
                        for (found, ids) in zip(collections, expected) {
                            random.expect(
                                found.count == ids.count && found.map(\.id) == ids,
                                "\(comment), song \(id), \(kind)")
                            random.expect(
                                found.sum(of: \.id) == ids.reduce(0, +),
                                "\(comment), song \(id), \(kind), sum")
                            random.expect(
                                found.where { $0.id >= 10 }.map(\.id) == ids.filter { $0 >= 10 },
                                "\(comment), song \(id), \(kind), where")
                        }
                    }
                }
            }
            for number in 0..<15 {
                let saved = (model, songs)
                realm.beginWrite()
                for step in 0..<random.int(1...5) {
                    let id = random.int(0...19)
                    let playlist = try #require(
                        realm.object(ofType: Playlist.self, forPrimaryKey: id))
                    let song = random.pick(songs.keys.sorted())
                    switch random.int(0...9) {
                    case 0...3:
                        for _ in 0..<random.int(1...3) {
                            playlist.songs.append(songs[song]!)
                            model.lists[id]!.append(song)
                        }
                    case 4 where !playlist.songs.isEmpty:
                        let index = random.int(0...playlist.songs.count - 1)
                        playlist.songs.remove(at: index)
                        model.lists[id]!.remove(at: index)
                    case 5, 6:
                        playlist.favourites.insert(songs[song]!)
                        model.sets[id]!.insert(song)
                    case 7, 8:
                        let key = random.pick(["a", "b", "c"])
                        playlist.named[key] = songs[song]!
                        model.maps[id]![key] = song
                    default:
                        if songs.count > 4 {
                            realm.delete(songs[song]!)
                            songs.removeValue(forKey: song)
                            held.removeValue(forKey: song)
                            model.delete(song: song)
                        }
                    }
                    check("transaction \(number), step \(step)")
                }
                if songs.count == saved.1.count, random.once(in: 3) {
                    realm.cancelWrite()
                    model = saved.0
                } else {
                    try realm.commitWrite()
                }
                check("after transaction \(number)")
            }
        }
    }

    @Test func repeatedLinks() throws {
        try withTemporaryRealm([Playlist.self, Song.self]) { realm in
            let song = try realm.write {
                let song = realm.create(Song.self, value: ["id": 7])
                for (id, count) in [(1, 2), (2, 0), (3, 600)] {
                    let playlist = realm.create(Playlist.self, value: ["id": id])
                    for _ in 0..<count { playlist.songs.append(song) }
                }
                return song
            }
            #expect(
                song.playlists.count == 602 && song.playlists.first?.id == 1
                    && song.playlists.last?.id == 3)
            #expect(song.playlists[1].id == 1 && song.playlists[2].id == 3)
            #expect(
                song.playlists.index(of: song.playlists[600]) == 2
                    && song.playlists.index(matching: { $0.id > 1 }) == 2)
            #expect(song.playlists.sorted(by: \.id, ascending: false)[600].id == 1)
            let frozen = song.playlists.freeze()
            let wide = Frozen(song.playlists.where { $0.id < 3 })
            let reference = ThreadSafeReference(to: song.playlists.where { $0.id == 3 })
            let configuration = realm.configuration
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                #expect(realm.resolve(reference)?.count == 600 && wide.map(\.id) == [1, 1])
            }
            try realm.write { song.playlists[0].songs.removeAll() }
            #expect(song.playlists.count == 600 && frozen.count == 602 && wide.count == 2)
            try realm.write { realm.delete(song.playlists) }
            #expect(song.playlists.isEmpty && realm.objects(Playlist.self).map(\.id) == [1, 2])
        }
    }

    /// The rows of a collection, as what queries on it will be made of.
    @Test func elementsAsASource() throws {
        try withTemporaryRealm([Playlist.self, Song.self]) { realm in
            let playlist = try realm.write {
                let songs = (0..<10).map { realm.create(Song.self, value: ["id": $0]) }
                let playlist = realm.create(Playlist.self, value: ["id": 1])
                for id in [5, 3, 5, 9, 0] { playlist.songs.append(songs[id]) }
                playlist.named["x"] = songs[4]
                playlist.named["y"] = .some(nil)
                return playlist
            }
            let binding = realm.core.binding(for: Playlist.self)
            func results(_ property: String) throws -> Results<Song> {
                let column = binding.columns[try #require(binding.schema.ordinal(named: property))]
                let rows = ElementRows(owner: Playlist.self, column: column, key: playlist.key)
                return Results(
                    core: realm.core,
                    state: ResultsState(
                        core: realm.core, binding: realm.core.binding(for: Song.self), from: rows))
            }
            let (songs, named) = (try results("songs"), try results("named"))
            let many = songs.where { $0.id >= 4 }
            #expect(
                songs.map(\.id) == [5, 3, 5, 9, 0] && songs.count == 5
                    && many.map(\.id) == [5, 5, 9] && named.map(\.id) == [4])
            try realm.write {
                playlist.songs.removeFirst()
                #expect(songs.map(\.id) == [3, 5, 9, 0] && many.count == 2)
                realm.delete(realm.objects(Song.self).where { $0.id == 9 })
                #expect(songs.map(\.id) == [3, 5, 0] && many.map(\.id) == [5])
            }
            #expect(songs.sorted(by: \.id).map(\.id) == [0, 3, 5])
            try realm.write { realm.delete(playlist) }
            #expect(songs.isEmpty && many.isEmpty && named.isEmpty)
        }
    }
}
