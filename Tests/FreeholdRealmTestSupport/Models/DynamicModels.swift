package import Foundation
package import Freehold
import Testing

package enum Dynamic {
    package static let all: [ObjectBase.Type] = [Ship.self, Sailor.self, Harbour.self]

    package enum Rank: String, PersistableEnum { case hand, captain }

    /// Every kind of property, one renamed in the file, and state that accessors cannot be
    /// copied with.
    package final class Sailor: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted(indexed: true) package var name = ""
        @Persisted package var nick: String?
        @Persisted package var age = 0
        @Persisted package var height = 1.5
        @Persisted package var born: Date
        @Persisted package var isAshore = false
        @Persisted package var photo: Data
        @Persisted package var rank = Rank.hand
        @Persisted package var mark: UUID
        @Persisted package var wealth: Decimal128
        @Persisted package var ship: Ship?
        @Persisted package var friends: List<Sailor>
        @Persisted package var rivals: MutableSet<Sailor>
        @Persisted package var crew: Map<String, Sailor?>
        @Persisted package var numbers: List<Int>
        @Persisted package var tags: MutableSet<String>
        @Persisted package var scores: Map<String, Int>
        @Persisted(originProperty: "friends") package var fans: LinkingObjects<Sailor>
        package var visits = 0
        package override class func propertiesMapping() -> [String: String] {
            ["name": "full_name"]
        }
    }

    package final class Ship: Object {
        @Persisted package var name = ""
        @Persisted package var harbour: Harbour?
        @Persisted(originProperty: "ship") package var sailors: LinkingObjects<Sailor>
    }

    package final class Harbour: Object {
        @Persisted(primaryKey: true) package var code: String?
        @Persisted package var depth = 0
    }
}

/// A realm with sailors 1 to 3, of whom the first has everything.
package func withSailors(_ body: (_ realm: Realm, _ first: Dynamic.Sailor) throws -> Void) throws {
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
