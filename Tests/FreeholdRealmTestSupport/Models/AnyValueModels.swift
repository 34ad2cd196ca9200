import Foundation
package import Freehold

package enum AnyValueModels {
    package final class Thing: Object {
        @Persisted package var name = ""
        @Persisted package var next: AnyRealmValue

        package convenience init(_ name: String) {
            self.init()
            self.name = name
        }

        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    package final class Holder: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted package var value: AnyRealmValue
        @Persisted package var other: AnyRealmValue
        @Persisted package var list: List<AnyRealmValue>
        @Persisted package var set: MutableSet<AnyRealmValue>
        @Persisted package var map: Map<String, AnyRealmValue>

        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// In no realm of these tests.
    package final class Stranger: Object {
        @Persisted package var name = ""

        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    package static let all: [ObjectBase.Type] = [Thing.self, Holder.self]

    /// One of each case that is no object and no collection, texts that leave the row among them.
    package static var scalars: [AnyRealmValue] {
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

    /// In ascending order; those of one row are equal.
    package static func ascending() -> [[AnyRealmValue]] {
        let (low, high) = (
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
            UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        )
        return [
            [.none], [.bool(false)], [.bool(true)],
            [.double(.nan), .float(.nan), .decimal128(.nan), .double(-.nan)],
            [.double(-.infinity), .float(-.infinity), .decimal128(Decimal128(-Double.infinity))],
            [.decimal128("-1E400")], [.double(-1e300)], [.int(.min), .double(-0x1p63)],
            [.int(.min + 1)], [.int(-1), .float(-1), .double(-1), .decimal128("-1.0")],
            [.int(0), .double(0), .double(-0.0), .decimal128(0), .decimal128("0.00")],
            [.double(.leastNonzeroMagnitude)],
            [.double(0.1), .decimal128(0.1)], [.decimal128("0.100000000000000000001")],
            [.float(0.1)],
            [.int(1), .double(1), .float(1), .decimal128("1.000")],
            [.int(9_007_199_254_740_992), .double(9_007_199_254_740_992)],
            [.int(9_007_199_254_740_993), .decimal128("9007199254740993")],
            [.int(.max)], [.double(0x1p63)], [.double(1e300)], [.decimal128("1E400")],
            [.double(.infinity), .float(.infinity)],
            [.string("")], [.string("Z")], [.string("a")], [.string("e\u{301}")],
            [.string("\u{e9}")],
            [.data(Data())], [.data(Data([1]))], [.data(Data([1, 0]))], [.data(Data([2]))],
            [.date(Date(timeIntervalSinceReferenceDate: -1))],
            [.date(Date(timeIntervalSinceReferenceDate: 1))],
            [.objectId(ObjectId("000000000000000000000001"))],
            [.objectId(ObjectId("0a0000000000000000000000"))],
            [.uuid(low)], [.uuid(high)],
            [.fromArray([])], [.fromArray([.int(1)]), .fromArray([.double(1)])],
            [.fromArray([.int(1), .none])], [.fromArray([.int(2)])],
            [.fromDictionary([:])],
            [.fromDictionary(["a": .int(1)]), .fromDictionary(["a": .double(1)])],
            [.fromDictionary(["a": .int(1), "b": .none])],
            [.fromDictionary(["a": .int(2)])], [.fromDictionary(["b": .none])],
        ]
    }

    /// The case and what it holds, for comparisons that tell 1 from 1.0.
    package static func exactly(_ value: AnyRealmValue) -> String {
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
    package func makeHolder(_ id: Int = 0, _ value: AnyRealmValue = .none) throws
        -> AnyValueModels.Holder
    {
        let holder = AnyValueModels.Holder()
        holder.id = id
        holder.value = value
        try write { add(holder) }
        return holder
    }
}
