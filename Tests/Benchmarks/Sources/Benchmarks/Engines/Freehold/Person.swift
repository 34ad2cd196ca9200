import Foundation
import Freehold

/// The row as Freehold's live object.
final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int
    @Persisted var score: Double
    @Persisted var active: Bool
    @Persisted var bio: String
    @Persisted var joined: Date

    convenience init(_ row: PersonRow) {
        self.init()
        id = row.id
        name = row.name
        age = row.age
        score = row.score
        active = row.active
        bio = row.bio
        joined = row.joined
    }
}
