import Foundation
import Freehold
import FreeholdRealmTestSupport

enum AnyValueModels {
    final class Thing: Object {
        @Persisted var name = ""
        @Persisted var next: AnyRealmValue

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Holder: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var value: AnyRealmValue
        @Persisted var other: AnyRealmValue
        @Persisted var list: List<AnyRealmValue>
        @Persisted var set: MutableSet<AnyRealmValue>
        @Persisted var map: Map<String, AnyRealmValue>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// In no realm of these tests.
    final class Stranger: Object {
        @Persisted var name = ""

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    static let all: [ObjectBase.Type] = [Thing.self, Holder.self]

    /// One of each case that is no object and no collection, texts that leave the row among them.
    static var scalars: [AnyRealmValue] {
        [
            .none, .bool(true), .bool(false), .int(.max), .int(-7), .float(1.25), .float(.nan),
            .double(-0.1), .double(.infinity), .string(""), .string("naïve 🐶"),
            .string(String(repeating: "long ", count: 2000)), .data(Data()),
            .data(Data([0, 1, 255])), .data(Data(repeating: 7, count: 9000)),
            .date(Date(timeIntervalSinceReferenceDate: 12.5)),
            .objectId(ObjectId("0102030405060708090a0b0c")),
            .decimal128("-1.50"), .decimal128("9E6000"),
            .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        ]
    }

    /// The case and what it holds, for comparisons that tell 1 from 1.0.
    static func exactly(_ value: AnyRealmValue) -> String {
        switch value {
        case .none: "none"
        case .object(let object): "object \((object as? Thing)?.name ?? "\(object)")"
        case .list(let list): "list [" + list.map(exactly).joined(separator: ", ") + "]"
        case .dictionary(let map):
            "dictionary [" + map.map { "\($0.key): \(exactly($0.value))" }.joined(separator: ", ")
                + "]"
        case .data(let data): "data \(Array(data))"
        case .date(let date): "date \(date.timeIntervalSinceReferenceDate)"
        default: "\(value)"
        }
    }
}

extension Realm {
    /// A holder whose property has a value.
    func makeHolder(_ id: Int = 0, _ value: AnyRealmValue = .none) throws -> AnyValueModels.Holder {
        let holder = AnyValueModels.Holder()
        holder.id = id
        holder.value = value
        try write { add(holder) }
        return holder
    }
}
