import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdTestSupport
import PostgresServer
import SharingProgram
import Testing

/// What the observers of one machine are told of what others commit.
@Suite(.needsPostgres, .timeLimit(.minutes(10)))
@MainActor
struct SharedRealmObserverTests {
    /// A copy of a collection that follows it by the indices it is told alone.
    private final class Replica<Element: Equatable & Sendable> {
        private(set) var elements: [Element] = []
        private(set) var changes = 0

        func take<C: RandomAccessCollection>(
            _ change: RealmCollectionChange<C>, _ value: (C.Element) -> Element
        ) where C.Index == Int {
            switch change {
            case .initial(let collection): elements = collection.map(value)
            case .update(let collection, let deletions, let insertions, let modifications):
                var next = elements.map(Optional.some)
                // Positions before the change.
                for index in modifications { next[index] = nil }
                for index in deletions.reversed() { next.remove(at: index) }
                for index in insertions { next.insert(nil, at: index) }
                elements = next.enumerated().map { $1 ?? value(collection[$0]) }
                changes += 1
            case .error(let error): Issue.record("\(error)")
            }
        }
    }

    private func text(_ thing: Thing) -> String { "\(thing.key) \(thing.count) \(thing.text)" }

    @Test func indicesOfRemoteCommits() async throws {
        let room = try await BadInputRoom()
        let (near, far) = (try await room.open(room.configuration), try await room.openFar())
        let other = try far.realm()
        try other.write { _ = other.create(Thing.self, value: ["key": "list"]) }
        try await far.synchronize()
        try await near.synchronize()
        let realm = try await Realm.open(configuration: near.configuration)
        let results = realm.objects(Thing.self).sorted(byKeyPath: "key")
        let list = try #require(realm.object(ofType: Thing.self, forPrimaryKey: "list"))
        let (things, ints, links) = (Replica<String>(), Replica<Int>(), Replica<String>())
        let tokens = [
            results.observe { things.take($0) { text($0) } },
            list.ints.observe { ints.take($0) { $0 } },
            list.links.observe { links.take($0) { text($0) } },
        ]
        let frozen = results.freeze()
        let frozenText = Array(frozen.map(text))
        var random = Seed.random()
        for round in 0..<30 {
            // Whole things, and the list's edits at any place.
            try other.write {
                let all = other.objects(Thing.self)
                let list = try #require(other.object(ofType: Thing.self, forPrimaryKey: "list"))
                for _ in 0...random.int(0...3) {
                    let thing = all[random.int(0...all.count - 1)]
                    switch random.int(0...6) {
                    case 0:
                        let key = "thing \(random.int(0...99))"
                        other.create(Thing.self, value: ["key": key], update: .modified)
                    case 1: if thing.key.hasPrefix("thing") { other.delete(thing) }
                    case 2: thing.count += 1
                    case 3: list.ints.insert(round, at: random.int(0...list.ints.count))
                    case 4:
                        if !list.ints.isEmpty {
                            list.ints.remove(at: random.int(0...list.ints.count - 1))
                        }
                    case 5: list.links.insert(thing, at: random.int(0...list.links.count))
                    default:
                        if !list.links.isEmpty {
                            list.links.remove(at: random.int(0...list.links.count - 1))
                        }
                    }
                }
            }
            // Some are pending here meanwhile.
            if random.once(in: 3) {
                try realm.write {
                    results.first?.text = "\(round)"
                    if random.once(in: 2) { list.ints.append(-round) }
                }
            }
            try await far.synchronize()
            try await near.synchronize()
            realm.refresh()
            for _ in 0..<1000 where things.elements != Array(results.map(text)) {
                await Task.yield()
            }
            #expect(things.elements == Array(results.map(text)), "round \(round)")
            #expect(ints.elements == Array(list.ints), "round \(round)")
            #expect(links.elements == Array(list.links.map(text)), "round \(round)")
        }
        #expect(things.changes > 10 && ints.changes > 5 && links.changes > 5)
        #expect(Array(frozen.map(text)) == frozenText)
        for token in tokens { token.invalidate() }
        await near.close()
        await far.close()
        try await room.expectThatItGoesOn()
    }

    /// A machine's own value shadows those of others until it is in the log, and then stands
    /// or, if its object was deleted, is undone.
    @Test func pendingValuesShadow() async throws {
        let room = try await BadInputRoom()
        let upstream = room.schema.upstream
        let role = try await room.schema.makeRole()
        try await upstream.grant("shop", to: role, canWrite: true)
        let near = try await room.open(
            room.configuration, at: room.schema.upstream(user: role))
        try await near.synchronize()
        let far = try await room.openFar()
        let other = try far.realm()
        let realm = try await Realm.open(configuration: near.configuration)
        let (thing, doomed) = try (
            #require(realm.object(ofType: Thing.self, forPrimaryKey: "before")),
            #require(realm.object(ofType: Thing.self, forPrimaryKey: "pending"))
        )
        var told: [String] = []
        let token = thing.observe { (change: ObjectChange<Thing>) in
            if case .change(_, let properties) = change {
                told += properties.map { "\($0.name) \($0.newValue ?? "nil")" }
            }
        }
        var isDoomedTold = false
        let second = doomed.observe { (change: ObjectChange<Thing>) in
            if case .deleted = change { isDoomedTold = true }
        }
        // What this machine pushes is refused, and what others push arrives.
        try await upstream.grant("shop", to: role, canWrite: false)
        try realm.write { (thing.text, doomed.text) = ("near", "near") }
        await #expect(throws: SharingError.self) { try await near.synchronize() }
        try other.write {
            let thing = try #require(other.object(ofType: Thing.self, forPrimaryKey: "before"))
            (thing.text, thing.double) = ("far", 7)
        }
        try await far.synchronize()
        let applied = far.status.applied
        for await status in near.statusChanges where status.applied >= applied { break }
        realm.refresh()
        #expect(thing.text == "near" && thing.double == 7)
        #expect(near.status.pending == 1)
        try other.write {
            let thing = try #require(other.object(ofType: Thing.self, forPrimaryKey: "pending"))
            other.delete(thing)
        }
        try await far.synchronize()
        for await status in near.statusChanges where status.applied > applied { break }
        realm.refresh()
        #expect(doomed.isInvalidated)
        // Settled: the log's order decides.
        try await upstream.grant("shop", to: role, canWrite: true)
        try await room.schema.server.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'")
        for await status in near.statusChanges where status.isCaughtUp { break }
        try await far.synchronize()
        realm.refresh()
        for _ in 0..<1000 where !isDoomedTold { await Task.yield() }
        #expect(thing.text == "near" && thing.double == 7 && isDoomedTold)
        #expect(!told.contains("text far") && told.contains("double 7.0"), "\(told)")
        other.refresh()
        #expect(other.object(ofType: Thing.self, forPrimaryKey: "before")?.text == "near")
        // And undone, with a report.
        var rejections = near.rejections.makeAsyncIterator()
        let rejection = try #require(try await rejections.next())
        #expect(rejection.reason == .objectDeleted)
        #expect(rejection.changes.map(\.className) == ["Thing"])
        token.invalidate()
        second.invalidate()
        await near.close()
        await far.close()
        try expectSound(near.configuration)
        room.directory.delete()
    }

    /// What another process writes into the file is pushed, and this one's observers are told.
    @Test func commitsOfAnotherProcess() async throws {
        let room = try await EntriesRoom()
        let near = try await room.share("client.realm")
        try await near.synchronize()
        let realm = try await Realm.open(configuration: near.configuration)
        let entries = Replica<Int>()
        let results = realm.objects(Entry.self).sorted(byKeyPath: "key")
        let token = results.observe { entries.take($0) { $0.key } }
        let program = try await room.openUnshared("client.realm")
        for key in 1...20 {
            if key % 5 == 0 {
                try await near.writeShared { Entries.writeShared(key, in: $0) }
            } else {
                try await program.ask("write \(key)", "wrote \(key)")
            }
        }
        // Without a call: the log gets them.
        while try await room.entriesOfLog().count < 20 {}
        for _ in 0..<100_000 where entries.elements.count < 20 { await Task.yield() }
        #expect(entries.elements == Array(1...20))
        try await program.end()
        token.invalidate()
        await near.close()
        #expect(try await room.judge().count == 20)
        room.close()
    }
}
