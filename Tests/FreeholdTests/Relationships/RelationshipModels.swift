import Freehold
import FreeholdRealmTestSupport

/// Models of the tests of embedded objects, delete rules and auto-incremented keys.
enum Relationships {
    static let embedded: [ObjectBase.Type] = [Person.self, Address.self, Country.self, Room.self]
    static let collections: [ObjectBase.Type] = [
        Building.self, Room.self, Note.self, Shipment.self,
    ]
    static let rules: [ObjectBase.Type] = [
        Order.self, Invoice.self, Shipment.self, Note.self, Parcel.self, Step.self,
    ]

    class Person: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var home: Address?
        @Persisted var office: Address?

        convenience init(id: Int, home: Address? = nil) {
            self.init()
            self.id = id
            self.home = home
        }
    }

    class Address: EmbeddedObject {
        @Persisted var city = ""
        @Persisted(indexed: true) var code: Int?
        @Persisted var room: Room?
        @Persisted var country: Country?

        convenience init(city: String, room: Room? = nil) {
            self.init()
            self.city = city
            self.room = room
        }
    }

    /// Embedded in itself, to any depth.
    class Room: EmbeddedObject {
        @Persisted var number = 0
        @Persisted var inner: Room?

        convenience init(number: Int, inner: Room? = nil) {
            self.init()
            self.number = number
            self.inner = inner
        }
    }

    /// With collections of embedded objects, and rules for collections of others.
    class Building: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var rooms: List<Room>
        @Persisted var named: Map<String, Room?>
        @Persisted(deleteRule: .cascade) var notes: List<Note>
        @Persisted(deleteRule: .cascade) var labels: Map<String, Note?>
        @Persisted(deleteRule: .deny) var shipments: MutableSet<Shipment>

        convenience init(id: Int, rooms: Room...) {
            self.init()
            self.id = id
            self.rooms.append(objectsIn: rooms)
        }
    }

    class Country: Object {
        @Persisted(primaryKey: true) var code = ""
        @Persisted var name = ""
    }

    class Order: Object {
        @Persisted(primaryKey: true, autoIncrement: true) var id: Int
        @Persisted(deleteRule: .cascade) var invoice: Invoice?
        @Persisted(deleteRule: .deny) var shipment: Shipment?
        @Persisted(deleteRule: .nullify) var note: Note?
        @Persisted var parcel: Parcel?
    }

    class Invoice: Object {
        @Persisted var number = 0
        @Persisted(deleteRule: .cascade) var order: Order?
        @Persisted(deleteRule: .cascade) var note: Note?
    }

    class Shipment: Object {
        @Persisted var name = ""
    }

    class Note: Object {
        @Persisted var text = ""
    }

    class Parcel: EmbeddedObject {
        @Persisted var weight = 0
        @Persisted(deleteRule: .cascade) var note: Note?
        @Persisted(deleteRule: .deny) var shipment: Shipment?
    }

    class Step: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(deleteRule: .cascade) var next: Step?
    }
}
