import Foundation
import GRDB

/// A row as GRDB's record, decoded by position, which is GRDB's fastest way.
struct GRDBPerson: FetchableRecord {
    /// The columns in the order of `init(row:)`.
    static let columns = "id, name, age, score, active, bio, joined"

    let id: Int
    let name: String
    let age: Int
    let score: Double
    let active: Bool
    let bio: String
    let joined: Date

    init(row: Row) {
        id = row[0]
        name = row[1]
        age = row[2]
        score = row[3]
        active = row[4]
        bio = row[5]
        // A number, since GRDB's default text form is slower to write and to read.
        joined = Date(timeIntervalSinceReferenceDate: row[6])
    }

    /// The arguments of an `INSERT` with `columns`.
    static func arguments(_ row: PersonRow) -> StatementArguments {
        [row.id, row.name, row.age, row.score, row.active, row.bio, row.joined.timeIntervalSinceReferenceDate]
    }
}
