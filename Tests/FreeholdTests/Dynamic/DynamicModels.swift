import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

enum Dynamic {
    static let all: [ObjectBase.Type] = [Ship.self, Sailor.self, Harbour.self]

    enum Rank: String, PersistableEnum { case hand, captain }

    /// Every kind of property, one renamed in the file, and state that accessors cannot be
    /// copied with.
    final class Sailor: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var name = ""
        @Persisted var nick: String?
        @Persisted var age = 0
        @Persisted var height = 1.5
        @Persisted var born: Date
        @Persisted var isAshore = false
        @Persisted var photo: Data
        @Persisted var rank = Rank.hand
        @Persisted var mark: UUID
        @Persisted var wealth: Decimal128
        @Persisted var ship: Ship?
        @Persisted var friends: List<Sailor>
        @Persisted var rivals: MutableSet<Sailor>
        @Persisted var crew: Map<String, Sailor?>
        @Persisted var numbers: List<Int>
        @Persisted var tags: MutableSet<String>
        @Persisted var scores: Map<String, Int>
        @Persisted(originProperty: "friends") var fans: LinkingObjects<Sailor>
        var visits = 0
        override class func propertiesMapping() -> [String: String] { ["name": "full_name"] }
    }

    final class Ship: Object {
        @Persisted var name = ""
        @Persisted var harbour: Harbour?
        @Persisted(originProperty: "ship") var sailors: LinkingObjects<Sailor>
    }

    final class Harbour: Object {
        @Persisted(primaryKey: true) var code: String?
        @Persisted var depth = 0
    }
}

/// A realm with sailors 1 to 3, of whom the first has everything.
func withSailors(_ body: (_ realm: Realm, _ first: Dynamic.Sailor) throws -> Void) throws {
    try withTemporaryRealm(Dynamic.all) { realm in
        let first = try realm.write {
            let others = (2...3).map {
                realm.create(
                    Dynamic.Sailor.self, value: ["id": $0, "name": "sailor \($0)", "age": $0 * 10])
            }
            return realm.create(
                Dynamic.Sailor.self,
                value: [
                    "id": 1, "name": "Ada", "age": 10, "rank": "captain", "photo": Data([1, 2]),
                    "wealth": 7, "friends": others, "rivals": [others[1]],
                    "ship": ["name": "Argo", "harbour": ["code": "XA", "depth": 9]],
                    "crew": ["cook": others[0]], "numbers": [3, 1], "tags": ["a"],
                    "scores": ["go": 5],
                ] as [String: Any])
        }
        try body(realm, first)
    }
}
