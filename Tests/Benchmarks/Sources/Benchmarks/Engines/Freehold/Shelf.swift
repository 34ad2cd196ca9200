import Foundation
import Freehold

/// An object with one long list.
final class Shelf: Object {
    @Persisted var numbers: List<Int>
}

/// An object that links to another one of its class.
final class Linked: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var number: Int
    @Persisted var next: Linked?
}

/// An object that many link to.
final class Label: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(originProperty: "label") var labelled: LinkingObjects<Labelled>
}

/// One of those that link to it.
final class Labelled: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var label: Label?
}

/// The JSON of `json-import`, as objects.
final class Parcel: Object, Decodable {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var sender: String
    @Persisted var receiver: String
    @Persisted var weight: Double
    @Persisted var pieces: Int
    @Persisted var insured: Bool
    @Persisted var note: String?
    @Persisted var status: String
    @Persisted var marks: List<Int>
}

/// The same JSON as a plain structure.
struct PlainParcel: Codable {
    var id: Int
    var sender: String
    var receiver: String
    var weight: Double
    var pieces: Int
    var insured: Bool
    var note: String?
    var status: String
    var marks: [Int]
}

extension PlainParcel {
    /// The JSON of an array of records.
    static func json(_ rows: some Sequence<PersonRow>) throws -> Data {
        try JSONEncoder().encode(
            rows.map { row in
                PlainParcel(
                    id: row.id, sender: row.name, receiver: row.bio, weight: row.score,
                    pieces: row.age, insured: row.active, note: row.active ? nil : "fragile",
                    status: "in transit", marks: [row.id % 10, row.age, 3, 4, row.id % 1000])
            })
    }
}
