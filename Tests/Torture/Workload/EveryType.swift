public import Foundation
public import Freehold

/// Classes with every type of property, and objects that have something in each: for who
/// damages files and who imports into them.
public enum EveryType {
    public static let objectTypes: [ObjectBase.Type] = [
        Thing.self, Note.self, Place.self, Tag.self,
    ]

    public final class Thing: Object {
        @Persisted(primaryKey: true) public var id = 0
        @Persisted(indexed: true) public var int = 0
        @Persisted public var small: Int8
        @Persisted(indexed: true) public var bool = false
        @Persisted public var float: Float
        @Persisted public var double: Double
        @Persisted(indexed: true) public var text = ""
        @Persisted public var data: Data
        @Persisted(indexed: true) public var date = Date(timeIntervalSinceReferenceDate: 0)
        @Persisted(indexed: true) public var objectId = ObjectId("000000000000000000000000")
        @Persisted(indexed: true) public var uuid = EveryType.uuid(0)
        @Persisted public var decimal: Decimal128
        @Persisted public var optionalInt: Int?
        @Persisted(indexed: true) public var optionalText: String?
        @Persisted public var optionalDouble: Double?
        @Persisted public var optionalData: Data?
        @Persisted public var optionalDate: Date?
        @Persisted public var optionalBool: Bool?
        @Persisted public var any: AnyRealmValue
        @Persisted public var next: Thing?
        @Persisted public var note: Note?
        @Persisted public var place: Place?
        @Persisted public var ints: List<Int>
        @Persisted public var texts: List<String?>
        @Persisted public var things: List<Thing>
        @Persisted public var places: List<Place>
        @Persisted public var anys: List<AnyRealmValue>
        @Persisted public var numbers: MutableSet<Double>
        @Persisted public var words: MutableSet<String>
        @Persisted public var tags: MutableSet<Tag>
        @Persisted public var scores: Map<String, Int>
        @Persisted public var notes: Map<String, Note?>
        @Persisted(originProperty: "next") public var before: LinkingObjects<Thing>
        @Persisted(originProperty: "things") public var containers: LinkingObjects<Thing>

        override public class func className() -> String { "Thing" }
    }

    /// Without a primary key, with a full-text index.
    public final class Note: Object {
        @Persisted(indexed: .fullText) public var text = ""
        @Persisted public var number = 0
        @Persisted public var thing: Thing?
        @Persisted(originProperty: "note") public var things: LinkingObjects<Thing>

        override public class func className() -> String { "Note" }
    }

    public final class Place: EmbeddedObject {
        @Persisted public var name = ""
        @Persisted public var floor: Int?
        @Persisted public var inner: Place?

        override public class func className() -> String { "Place" }
    }

    /// With a primary key that is a text and can be nil.
    public final class Tag: Object {
        @Persisted(primaryKey: true) public var name: String?
        @Persisted public var weight = 0

        override public class func className() -> String { "Tag" }
    }

    public static func uuid(_ number: Int) -> UUID {
        let byte = UInt8(truncatingIfNeeded: number)
        return UUID(
            uuid: (
                byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                UInt8(truncatingIfNeeded: number >> 8)
            ))
    }

    /// In a write: makes the things of these numbers, or sets all that they have.
    ///
    /// - Parameter salt: What the values follow from, besides the numbers.
    public static func fill(_ realm: Realm, _ numbers: Range<Int>, salt: Int = 0) {
        for number in numbers {
            let thing = realm.create(Thing.self, value: ["id": number], update: .modified)
            let seed = number &* 31 &+ salt
            thing.int = seed % 7 == 0 ? seed &* 1_000_003 : seed % 5
            thing.small = Int8(truncatingIfNeeded: seed)
            thing.bool = seed % 3 == 0
            thing.float = Float(seed) / 3
            thing.double = seed % 11 == 0 ? -.infinity : Double(seed) / 7
            thing.text = text(seed, seed % 13 == 0 ? 700 : seed % 30)
            thing.data = Data(text(seed, seed % 17 == 0 ? 6000 : seed % 20).utf8)
            thing.date = Date(timeIntervalSinceReferenceDate: Double(seed % 9) * 1000.5)
            thing.uuid = uuid(seed % 50)
            thing.decimal = Decimal128(value: seed)
            thing.optionalInt = seed % 4 == 0 ? nil : seed
            thing.optionalText = seed % 3 == 0 ? nil : text(seed % 6, 8)
            thing.optionalDouble = seed % 5 == 0 ? nil : Double(seed)
            thing.optionalData =
                seed % 6 == 0 ? nil : Data([1, 2, UInt8(truncatingIfNeeded: seed)])
            thing.optionalDate = seed % 7 == 0 ? nil : Date(timeIntervalSinceReferenceDate: 5)
            thing.optionalBool = seed % 2 == 0 ? nil : seed % 3 == 0
            let other =
                number > numbers.lowerBound
                ? realm.object(ofType: Thing.self, forPrimaryKey: number - 1) : nil
            thing.next = other
            let tag = realm.create(
                Tag.self,
                value: ["name": seed % 5 == 0 ? nil : "tag\(seed % 5)", "weight": seed]
                    as [String: Any?], update: .modified)
            let note = Note()
            note.text = "the note of \(number) " + text(seed, 40)
            note.number = number
            realm.add(note)
            note.thing = thing
            thing.note = note
            let inner = Place()
            inner.name = "inner"
            let place = Place()
            place.name = text(seed, 5)
            place.floor = seed % 2 == 0 ? nil : seed
            place.inner = inner
            thing.place = place
            thing.ints.removeAll()
            thing.ints.append(objectsIn: (0..<(seed % 13 == 0 ? 60 : seed % 4)).map { $0 &* seed })
            thing.texts.removeAll()
            thing.texts.append(objectsIn: (0..<seed % 5).map { $0 % 3 == 1 ? nil : text($0, 6) })
            thing.things.removeAll()
            if let other { thing.things.append(objectsIn: [other, thing, other]) }
            thing.places.removeAll()
            if seed % 3 == 0 {
                let listed = Place()
                listed.name = "listed"
                thing.places.append(listed)
            }
            thing.anys.removeAll()
            thing.anys.append(
                objectsIn: [.int(seed), .string(text(seed, 4)), .none, .object(tag), .double(1.5)]
                    .prefix(seed % 6))
            thing.numbers.removeAll()
            thing.numbers.insert(objectsIn: (0..<seed % 6).map { Double($0) / 2 })
            thing.words.removeAll()
            thing.words.insert(objectsIn: (0..<seed % 4).map { text($0, 9) })
            thing.tags.insert(tag)
            thing.scores["a"] = seed
            thing.scores["key \(seed % 3)"] = number
            thing.notes["note"] = note
            switch seed % 6 {
            case 0: thing.any = .none
            case 1: thing.any = .string(text(seed, 12))
            case 2: thing.any = .object(tag)
            case 3: thing.any = AnyRealmValue.fromArray([.int(1), .string("two"), .none])
            case 4:
                thing.any = AnyRealmValue.fromDictionary([
                    "k": .double(2.5), "l": AnyRealmValue.fromArray([.bool(true)]),
                ])
            default: thing.any = .decimal128(Decimal128(value: seed))
            }
        }
    }

    static func text(_ seed: Int, _ length: Int) -> String {
        String(
            String(repeating: "\(seed) straße naïve 雪 ", count: length / 12 + 1).prefix(
                max(length, 0)))
    }
}
