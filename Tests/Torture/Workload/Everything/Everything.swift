public import Foundation
public import Freehold
public import Observation

/// Classes that have what ``EveryType`` lacks: each kind of relation, collections of each type,
/// delete rules, mapped values. ``EverythingReader`` reads them through each kind of access.
public enum Everything {
    public static let objectTypes: [ObjectBase.Type] = [
        Ship.self, Sailor.self, Cabin.self, Shelf.self, Entry.self, Port.self,
    ]

    /// A text that is none of its raw values is a trap by contract in a sound file.
    public enum Rank: PersistableEnum, Codable {
        case mate, captain

        /// Whether any text stands for a rank, for programs that make files in which any text
        /// can be sound. Set before a realm is opened, and then only read.
        nonisolated(unsafe) public static var takesAnyText = false

        public init?(rawValue: String) {
            switch rawValue {
            case "mate": self = .mate
            case "captain": self = .captain
            default:
                if !Self.takesAnyText { return nil }
                self = .mate
            }
        }

        public var rawValue: String {
            // Not by `==`, which asks for the raw values.
            switch self {
            case .mate: "mate"
            case .captain: "captain"
            }
        }
    }

    public struct Knots: CustomPersistable, Hashable, Codable, Sendable {
        public typealias PersistedType = Double
        public var value: Double
        public init(persistedValue: Double) { value = persistedValue }
        public var persistableValue: Double { value }
    }

    public final class Ship: Object, Observable {
        @Persisted(primaryKey: true) public var name = ""
        @Persisted(indexed: true) public var tonnage = 0
        @Persisted public var rank = Rank.mate
        @Persisted public var speed: Knots
        @Persisted public var captain: Sailor?
        @Persisted(deleteRule: .cascade) public var tender: Ship?
        @Persisted public var cabin: Cabin?
        @Persisted public var home: Port?
        @Persisted public var crew: List<Sailor>
        @Persisted(deleteRule: .cascade) public var boats: List<Ship>
        @Persisted public var guests: MutableSet<Sailor>
        @Persisted public var berths: Map<String, Sailor?>
        @Persisted public var cabins: List<Cabin>
        @Persisted public var decks: Map<String, Cabin?>
        @Persisted public var cargo: AnyRealmValue
        @Persisted public var hold: List<AnyRealmValue>
        @Persisted public var log: Map<String, AnyRealmValue>
        @Persisted public var claims: MutableSet<AnyRealmValue>
        @Persisted(originProperty: "tender") public var mothers: LinkingObjects<Ship>
        @Persisted(originProperty: "boats") public var carriers: LinkingObjects<Ship>
        @Persisted(originProperty: "ship") public var sailors: LinkingObjects<Sailor>

        override public class func className() -> String { "Ship" }
    }

    /// Whose row keys the library chooses.
    public final class Sailor: Object, Observable {
        @Persisted(indexed: .fullText) public var name = ""
        @Persisted(indexed: true) public var age: Int?
        @Persisted public var born = Date(timeIntervalSinceReferenceDate: 0)
        @Persisted public var ranks: List<Rank>
        @Persisted(deleteRule: .deny) public var ship: Ship?
        @Persisted public var friend: Sailor?
        @Persisted public var chest: Cabin?
        @Persisted(originProperty: "captain") public var commands: LinkingObjects<Ship>
        @Persisted(originProperty: "crew") public var crews: LinkingObjects<Ship>
        @Persisted(originProperty: "guests") public var visits: LinkingObjects<Ship>
        @Persisted(originProperty: "berths") public var berths: LinkingObjects<Ship>

        override public class func className() -> String { "Sailor" }
    }

    public final class Cabin: EmbeddedObject {
        @Persisted public var number = 0
        @Persisted public var title: String?
        @Persisted public var guest: Sailor?
        @Persisted public var inner: Cabin?
        @Persisted public var shelves: List<Shelf>

        override public class func className() -> String { "Cabin" }
    }

    /// A location, as conditions of places know it.
    public final class Port: EmbeddedObject {
        @Persisted public var type = "Point"
        @Persisted public var coordinates: List<Double>

        override public class func className() -> String { "Port" }
    }

    /// With keys that the library counts.
    public final class Entry: Object {
        @Persisted(primaryKey: true, autoIncrement: true) public var id: Int
        @Persisted public var ship: Ship?
        @Persisted public var any: AnyRealmValue

        override public class func className() -> String { "Entry" }
    }

    public final class Shelf: EmbeddedObject, Codable {
        @Persisted public var label = ""
        @Persisted public var bools: List<Bool?>
        @Persisted public var bytes: List<Int8>
        @Persisted public var floats: List<Float?>
        @Persisted public var dates: List<Date>
        @Persisted public var datas: List<Data?>
        @Persisted public var decimals: List<Decimal128>
        @Persisted public var uuids: MutableSet<UUID>
        @Persisted public var ids: MutableSet<ObjectId>
        @Persisted public var numbers: Map<String, Double?>
        @Persisted public var names: Map<String, String>

        override public class func className() -> String { "Shelf" }
    }

    public final class ShipView: Projection<Ship> {
        @Projected(\Ship.name) public var title
        @Projected(\Ship.captain?.name) public var master
        @Projected(\Ship.captain?.ship?.cabin?.title) public var far
        @Projected(\Ship.cabin) public var room
        @Projected(\Ship.crew.projectTo.name) public var names: ProjectedCollection<String>
        @Projected(\Ship.boats.projectTo.tonnage) public var tonnages: ProjectedCollection<Int>
    }

    // MARK: Data

    /// In a write: makes ships of these numbers, each with three sailors.
    public static func fill(_ realm: Realm, _ numbers: Range<Int>, salt: Int = 0) {
        for number in numbers {
            let ship = realm.create(Ship.self, value: ["name": "ship \(number)"], update: .modified)
            let before =
                number > numbers.lowerBound
                ? realm.object(ofType: Ship.self, forPrimaryKey: "ship \(number - 1)") : nil
            let sailors = (0..<3).map { index in
                let sailor = Sailor()
                sailor.name =
                    "sailor \(index) of ship \(number)"
                    + (index == 2 ? String(repeating: " brave", count: 40) : "")
                sailor.age = index == 1 ? nil : 20 + index + salt
                sailor.ranks.append(objectsIn: [.mate, .captain])
                sailor.chest = cabin(number * 10 + index)
                realm.add(sailor)
                sailor.chest?.guest = sailor
                sailor.ship = index == 0 ? nil : ship
                return sailor
            }
            sailors[0].friend = sailors[1]
            sailors[1].friend = sailors[2]
            ship.tonnage = number % 4 * 100 + salt
            ship.speed = Knots(persistedValue: Double(number) / 2)
            ship.rank = number % 2 == 0 ? .mate : .captain
            ship.captain = sailors[0]
            ship.tender = before
            ship.cabin = cabin(number)
            ship.home = Port()
            ship.home?.coordinates.append(objectsIn: [Double(number % 90), 10])
            ship.crew.removeAll()
            ship.crew.append(objectsIn: (0..<(number % 5 == 0 ? 40 : 4)).map { sailors[$0 % 3] })
            if let before { ship.boats.append(objectsIn: [before, ship]) }
            ship.guests.insert(objectsIn: sailors)
            for (index, sailor) in sailors.enumerated() {
                ship.berths["berth \(index)"] = sailor
                ship.decks["deck \(index)"] = cabin(index)
                ship.cabins.append(cabin(100 + index))
            }
            ship.berths["empty"] = .some(nil)
            let nested: [String: AnyRealmValue] = [
                "ship": .object(ship),
                "list": .fromArray([.object(sailors[2]), .data(Data([1, 2]))]),
            ]
            ship.cargo =
                number % 3 == 0
                ? .object(sailors[1])
                : .fromArray([.object(sailors[0]), .fromDictionary(nested), .string("text")])
            ship.hold.removeAll()
            ship.hold.append(objectsIn: [
                .int(number), .object(sailors[0]), .fromArray([.object(ship)]),
                .uuid(EveryType.uuid(number)), .date(Date(timeIntervalSinceReferenceDate: 3)),
                .none,
            ])
            ship.log["object"] = .object(sailors[2])
            ship.log["nested"] = .fromDictionary(nested)
            ship.log["number"] = .decimal128(Decimal128(value: number))
            realm.create(Entry.self, value: ["ship": ship, "any": ship] as [String: Any])
            ship.claims.insert(objectsIn: [
                .object(sailors[0]), .int(1), .float(2.5), .bool(true),
                .objectId(ObjectId("0123456789abcdef01234567")),
            ])
        }
    }

    static func cabin(_ number: Int) -> Cabin {
        let (cabin, inner, shelf) = (Cabin(), Cabin(), Shelf())
        cabin.number = number
        cabin.title = number % 3 == 0 ? nil : "cabin \(number)"
        inner.number = -number
        cabin.inner = inner
        shelf.label = "shelf \(number)"
        shelf.bools.append(objectsIn: [true, nil, false])
        shelf.bytes.append(objectsIn: [1, -1, 127])
        shelf.floats.append(objectsIn: [1.5, nil])
        shelf.dates.append(Date(timeIntervalSinceReferenceDate: Double(number)))
        shelf.datas.append(objectsIn: [Data([1, 2, 3]), nil])
        shelf.decimals.append(objectsIn: [Decimal128(value: number), Decimal128(value: 1)])
        shelf.uuids.insert(objectsIn: [EveryType.uuid(number), EveryType.uuid(1)])
        shelf.ids.insert(ObjectId("0123456789abcdef01234567"))
        shelf.numbers["half"] = 0.5
        shelf.numbers["none"] = .some(nil)
        shelf.names["name"] = "shelf \(number)"
        cabin.shelves.append(shelf)
        return cabin
    }
}
