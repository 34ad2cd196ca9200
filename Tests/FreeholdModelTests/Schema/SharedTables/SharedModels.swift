import Foundation
import Freehold
import Observation

/// Classes that share tables: each pair has one name in the file, and other names of properties.
enum SharedModels {
    static let all: [ObjectBase.Type] = [
        Pet.self, Beast.self, Spot.self, Place.self, Holder.self, Card.self, Ticket.self,
    ]

    class Model: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class EmbeddedModel: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Pet: Model, Observable {
        @Persisted var name = "pet"
        @Persisted(indexed: true) var age = 1
        @Persisted var friend: Pet?
        @Persisted var spot: Spot?
        @Persisted(originProperty: "pet") var holders: LinkingObjects<Holder>
        @Persisted(originProperty: "beast") var beastHolders: LinkingObjects<Holder>
        override class func _realmObjectName() -> String? { "Animal" }
        override class func propertiesMapping() -> [String: String] {
            ["name": "the name", "age": "years", "spot": "where"]
        }
    }

    final class Beast: Model, Observable {
        @Persisted var place: Place?
        @Persisted(indexed: true) var years = 2
        @Persisted var friend: Beast?
        @Persisted var label = "beast"
        @Persisted(originProperty: "beasts") var setHolders: LinkingObjects<Holder>
        @Persisted(originProperty: "pet") var petHolders: LinkingObjects<Holder>
        override class func _realmObjectName() -> String? { "Animal" }
        override class func propertiesMapping() -> [String: String] {
            ["label": "the name", "place": "where"]
        }
    }

    final class Spot: EmbeddedModel {
        @Persisted var city = ""
        override class func _realmObjectName() -> String? { "Location" }
    }

    final class Place: EmbeddedModel {
        @Persisted var town = ""
        override class func _realmObjectName() -> String? { "Location" }
        override class func propertiesMapping() -> [String: String] { ["town": "city"] }
    }

    final class Holder: Model {
        @Persisted var pet: Pet?
        @Persisted var beast: Beast?
        @Persisted var pets: List<Pet>
        @Persisted var beasts: MutableSet<Beast>
        @Persisted var named: Map<String, Beast?>
        @Persisted var anything: AnyRealmValue
    }

    /// With primary keys that are counted.
    final class Card: Model {
        @Persisted(primaryKey: true, autoIncrement: true) var id: Int
        @Persisted var text = ""
        @Persisted(deleteRule: .cascade) var next: Card?
        override class func _realmObjectName() -> String? { "Numbered" }
    }

    final class Ticket: Model {
        @Persisted(primaryKey: true, autoIncrement: true) var number: Int
        @Persisted var text = ""
        @Persisted(deleteRule: .cascade) var following: Ticket?
        override class func _realmObjectName() -> String? { "Numbered" }
        override class func propertiesMapping() -> [String: String] {
            ["number": "id", "following": "next"]
        }
    }
}
