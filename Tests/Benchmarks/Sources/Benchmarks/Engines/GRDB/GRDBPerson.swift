import Foundation
import GRDB

/// A row as GRDB's record, the way its documentation writes one: columns by name, dates in the
/// default text form.
///
/// Decoding by position with dates as numbers takes about a third of the time; `Codable`
/// records take twice as long.
struct GRDBPerson: FetchableRecord {
    /// The columns in the order of `arguments`.
    static let columns = "id, name, age, score, active, bio, joined"

    let id: Int
    let name: String
    let age: Int
    let score: Double
    let active: Bool
    let bio: String
    let joined: Date

    init(row: Row) {
        id = row["id"]
        name = row["name"]
        age = row["age"]
        score = row["score"]
        active = row["active"]
        bio = row["bio"]
        joined = row["joined"]
    }

    /// The arguments of an `INSERT` with `columns`.
    static func arguments(_ row: PersonRow) -> StatementArguments {
        [row.id, row.name, row.age, row.score, row.active, row.bio, row.joined]
    }
}
