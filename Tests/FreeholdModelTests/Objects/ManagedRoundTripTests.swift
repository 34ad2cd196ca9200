import Foundation
import Testing

import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// Every property type through the file: written by `add`, by assignment and by name; read live
/// and frozen, from the open transaction and after it, and by a realm of another thread.
@Suite struct ManagedRoundTripTests {
    typealias AllTypes = ObjectModels.AllTypes
    typealias Dog = ObjectModels.Dog

    private static let types: [ObjectBase.Type] = [
        AllTypes.self, Dog.self, ObjectModels.Person.self,
    ]

    /// Extreme and ordinary values of one object, applied to a managed or unmanaged one.
    struct Sample: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let apply: @Sendable (AllTypes) -> Void

        init(_ name: String, _ apply: @escaping @Sendable (AllTypes) -> Void) {
            testDescription = name
            self.apply = apply
        }
    }

    static let samples = [
        Sample("least") { object in
            object.bool = true
            (object.int, object.int8, object.int16, object.int32, object.int64) = (
                .min, .min, .min, .min, .min
            )
            (object.float, object.double) = (-.greatestFiniteMagnitude, -.greatestFiniteMagnitude)
            object.date = .distantPast
            object.uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))
            object.objectId = ObjectId("000102030405060708090aff")
            object.decimal = Decimal128.min
            object.mood = .curious
            object.level = .high
        },
        Sample("greatest") { object in
            (object.int, object.int8, object.int16, object.int32, object.int64) = (
                .max, .max, .max, .max, .max
            )
            (object.float, object.double) = (.infinity, -.infinity)
            object.date = .distantFuture
            object.string = String(repeating: "long é𝄞 ", count: 5000)
            object.data = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            object.decimal = Decimal128.max
        },
        Sample("zeros and NaN") { object in
            (object.float, object.double) = (-0.0, -0.0)
            (object.optionalFloat, object.optionalDouble) = (.nan, .nan)
            object.optionalInt = 0
            object.optionalBool = false
            object.optionalString = ""
            object.optionalData = Data()
            object.decimal = -0.0
            object.optionalDecimal = 0
        },
        Sample("tiny") { object in
            (object.float, object.double) = (.leastNonzeroMagnitude, .leastNonzeroMagnitude)
            object.date = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
            object.string = "\u{0}"
            object.data = Data([0])
        },
        Sample("optionals") { object in
            object.optionalBool = true
            (object.optionalInt, object.optionalInt8, object.optionalInt16) = (.min, .max, -1)
            (object.optionalInt32, object.optionalInt64) = (1, .max)
            (object.optionalFloat, object.optionalDouble) = (1.5, -2.5)
            object.optionalString = "e\u{301} ist nicht \u{e9}"
            object.optionalData = Data(repeating: 9, count: 16_385)
            object.optionalDate = Date(timeIntervalSinceReferenceDate: -1)
            object.optionalObjectId = ObjectId("5f4e1c9f2b3a4d5e6f708192")
            object.optionalUuid = UUID(
                uuid: (255, 254, 253, 252, 251, 250, 249, 248, 247, 246, 245, 244, 243, 242, 241, 0)
            )
            object.optionalDecimal = 123.456
            object.optionalMood = .cross
            object.optionalLevel = .low
            object.link = Dog(value: ["Bo", 3])
        },
    ]

    /// Everything about the values that can be seen: bits of floating-point numbers, digits of
    /// decimals.
    private func snapshot(_ object: AllTypes) -> [String] {
        var lines: [String] = []
        for property in object.objectSchema.properties where property.name != "id" {
            let value = object[property.name]
            let text =
                switch value {
                case nil: "nil"
                case let value as Float: "\(value.bitPattern)"
                case let value as Double: "\(value.bitPattern)"
                case let value as Date: "\(value.timeIntervalSinceReferenceDate.bitPattern)"
                case let value as String:
                    "\(Array(value.utf8).count) \(value.unicodeScalars.map(\.value).hashValue)"
                case let value as Data: "\(value.count) \(value.hashValue)"
                case let value as Dog: "\(value.name) \(value.age ?? -1)"
                case let value?: "\(value)"
                }
            lines.append("\(property.name): \(text)")
        }
        return lines
    }

    @Test(arguments: samples)
    func addedObjects(_ sample: Sample) throws {
        try withTemporaryRealm(Self.types) { realm in
            let object = AllTypes()
            sample.apply(object)
            let expected = snapshot(object)
            try realm.write {
                realm.add(object)
                #expect(snapshot(object) == expected, "the same instance in the transaction")
            }
            #expect(snapshot(object) == expected, "the same instance after it")
            let found = try #require(realm.object(ofType: AllTypes.self, forPrimaryKey: 0))
            #expect(found !== object && found == object)
            #expect(snapshot(found) == expected, "another instance")
            #expect(snapshot(found.freeze()) == expected, "frozen")
        }
    }

    @Test(arguments: samples)
    func assignedProperties(_ sample: Sample) throws {
        try withTemporaryRealm(Self.types) { realm in
            let object = AllTypes(value: ["id": 7])
            let other = AllTypes(value: object)
            try realm.write { realm.add(object) }
            sample.apply(other)
            let expected = snapshot(other)
            try realm.write {
                sample.apply(object)
                // Equal links are equal by content here.
                #expect(snapshot(object) == expected)
            }
            #expect(snapshot(object) == expected)
            #expect(object.id == 7)
        }
    }

    @Test(arguments: samples)
    func propertiesByName(_ sample: Sample) throws {
        try withTemporaryRealm(Self.types) { realm in
            let source = AllTypes()
            sample.apply(source)
            let object = AllTypes()
            try realm.write {
                realm.add(object)
                for property in source.objectSchema.properties where property.name != "id" {
                    object[property.name] = source[property.name]
                }
            }
            #expect(snapshot(object) == snapshot(source))
        }
    }

    @Test func valuesGoBackToNull() throws {
        try withTemporaryRealm(Self.types) { realm in
            let object = AllTypes()
            Self.samples[4].apply(object)
            let empty = AllTypes(value: object)
            let names = object.objectSchema.properties.filter(\.isOptional).map(\.name)
            try realm.write { realm.add(object) }
            try realm.write { for name in names { object[name] = nil } }
            for name in names { #expect(object[name] == nil, "\(name)") }
            #expect(empty.optionalInt != nil)
        }
    }

    @Test func differingValuesAreStoredOnUpdate() throws {
        try withTemporaryRealm(Self.types) { realm in
            for policy in [Realm.UpdatePolicy.modified, .all] {
                for (first, second) in zip(
                    Self.samples, Self.samples.dropFirst() + [Self.samples[0]])
                {
                    let (one, two) = (AllTypes(), AllTypes())
                    first.apply(one)
                    second.apply(two)
                    let expected = snapshot(two)
                    try realm.write { realm.add(one, update: policy) }
                    try realm.write { realm.add(two, update: policy) }
                    #expect(snapshot(two) == expected, "\(first) then \(second), \(policy)")
                    #expect(snapshot(one) == expected, "both are the same row")
                }
            }
        }
    }

    @Test func anotherThreadReadsTheSame() throws {
        try withTemporaryRealm(Self.types) { realm in
            let objects = Self.samples.enumerated().map { index, sample in
                let object = AllTypes(value: ["id": index])
                sample.apply(object)
                return object
            }
            let expected = objects.map(\.description)
            try realm.write { realm.add(objects) }
            let configuration = realm.configuration
            let seen = try onNewThread {
                let realm = try Realm(configuration: configuration)
                return (0..<Self.samples.count).map {
                    realm.object(ofType: AllTypes.self, forPrimaryKey: $0)?.description ?? "none"
                }
            }
            #expect(seen == expected)
        }
    }
}
