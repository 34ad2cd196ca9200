package import Freehold

/// Models of the tests of embedded objects, delete rules and auto-incremented keys.
package enum Relationships {
    package static let embedded: [ObjectBase.Type] = [
        Person.self, Address.self, Country.self, Room.self,
    ]
    package static let collections: [ObjectBase.Type] = [
        Building.self, Room.self, Note.self, Shipment.self,
    ]
    package static let rules: [ObjectBase.Type] = [
        Order.self, Invoice.self, Shipment.self, Note.self, Parcel.self, Step.self,
    ]

    package class Person: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted package var name = ""
        @Persisted package var home: Address?
        @Persisted package var office: Address?

        package convenience init(id: Int, home: Address? = nil) {
            self.init()
            self.id = id
            self.home = home
        }
    }

    open class Address: EmbeddedObject {
        @Persisted package var city = ""
        @Persisted(indexed: true) package var code: Int?
        @Persisted package var room: Room?
        @Persisted package var country: Country?

        package convenience init(city: String, room: Room? = nil) {
            self.init()
            self.city = city
            self.room = room
        }
    }

    /// Embedded in itself, to any depth.
    package class Room: EmbeddedObject {
        @Persisted package var number = 0
        @Persisted package var inner: Room?

        package convenience init(number: Int, inner: Room? = nil) {
            self.init()
            self.number = number
            self.inner = inner
        }
    }

    /// With collections of embedded objects, and rules for collections of others.
    package class Building: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted package var rooms: List<Room>
        @Persisted package var named: Map<String, Room?>
        @Persisted(deleteRule: .cascade) package var notes: List<Note>
        @Persisted(deleteRule: .cascade) package var labels: Map<String, Note?>
        @Persisted(deleteRule: .deny) package var shipments: MutableSet<Shipment>

        package convenience init(id: Int, rooms: Room...) {
            self.init()
            self.id = id
            self.rooms.append(objectsIn: rooms)
        }
    }

    package class Country: Object {
        @Persisted(primaryKey: true) package var code = ""
        @Persisted package var name = ""
    }

    package class Order: Object {
        @Persisted(primaryKey: true, autoIncrement: true) package var id: Int
        @Persisted(deleteRule: .cascade) package var invoice: Invoice?
        @Persisted(deleteRule: .deny) package var shipment: Shipment?
        @Persisted(deleteRule: .nullify) package var note: Note?
        @Persisted package var parcel: Parcel?
    }

    package class Invoice: Object {
        @Persisted package var number = 0
        @Persisted(deleteRule: .cascade) package var order: Order?
        @Persisted(deleteRule: .cascade) package var note: Note?
    }

    package class Shipment: Object {
        @Persisted package var name = ""
    }

    package class Note: Object {
        @Persisted package var text = ""
    }

    package class Parcel: EmbeddedObject {
        @Persisted package var weight = 0
        @Persisted(deleteRule: .cascade) package var note: Note?
        @Persisted(deleteRule: .deny) package var shipment: Shipment?
    }

    package class Step: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted(deleteRule: .cascade) package var next: Step?
    }
}
