import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

enum Relations {
    static let all: [ObjectBase.Type] = [Owner.self, Pet.self]

    final class Owner: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var wealth: Decimal128
        @Persisted var pet: Pet?
        @Persisted var friend: Owner?
        @Persisted(originProperty: "friend") var admirers: LinkingObjects<Owner>

        convenience init(id: Int, name: String = "", age: Int = 0, pet: Pet? = nil) {
            self.init()
            self.id = id
            self.name = name
            self.age = age
            self.pet = pet
            wealth = Decimal128(integerLiteral: Int64(age * 10))
        }
    }

    /// Its linking property stands between others, and its links under other names in the file.
    final class Pet: Object {
        @Persisted(primaryKey: true) var tag = ""
        @Persisted(originProperty: "pet") var owners: LinkingObjects<Owner>
        @Persisted var legs = 4

        convenience init(tag: String) {
            self.init()
            self.tag = tag
        }
    }

    /// Has state that accessors cannot be copied with.
    final class Kennel: Object {
        @Persisted var name = ""
        @Persisted(originProperty: "kennel") var guests: LinkingObjects<Guest>
        var visits = 0
    }

    final class Guest: Object {
        @Persisted var number = 0
        @Persisted var kennel: Kennel?
        override class func propertiesMapping() -> [String: String] { ["kennel": "house"] }
    }

    /// Links in each kind of collection.
    final class Playlist: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var songs: List<Song>
        @Persisted var favourites: MutableSet<Song>
        @Persisted var named: Map<String, Song?>
    }

    final class Song: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(originProperty: "songs") var playlists: LinkingObjects<Playlist>
        @Persisted(originProperty: "favourites") var fans: LinkingObjects<Playlist>
        @Persisted(originProperty: "named") var namers: LinkingObjects<Playlist>
    }
}

/// A realm with two pets and owners 0 to `count - 1`, of whom those with even ids have the
/// first pet.
func withOwners(
    _ count: Int,
    _ body: (_ realm: Realm, _ first: Relations.Pet, _ second: Relations.Pet) throws -> Void
) throws {
    try withTemporaryRealm(Relations.all) { realm in
        let pets = ["a", "b"].map { Relations.Pet(tag: $0) }
        try realm.write {
            realm.add(pets)
            for id in 0..<count {
                realm.add(
                    Relations.Owner(
                        id: id, name: "owner \(id)", age: id % 50, pet: id % 2 == 0 ? pets[0] : nil)
                )
            }
        }
        try body(realm, pets[0], pets[1])
    }
}
