import Freehold

/// ``Everything`` as a later version has it: properties that are gone or of another type, and
/// without embedded objects.
enum EverythingMigrated {
    static let objectTypes: [ObjectBase.Type] = [Ship.self, Sailor.self]

    final class Ship: Object {
        @Persisted(primaryKey: true) var name = ""
        @Persisted var tonnage = ""
        @Persisted var captain: Sailor?
        @Persisted var crew: List<Sailor>
        @Persisted var berths: Map<String, Sailor?>
        @Persisted var cargo: AnyRealmValue

        override class func className() -> String { "Ship" }
    }

    final class Sailor: Object {
        @Persisted var name: String?
        @Persisted var age: Double?
        @Persisted(originProperty: "captain") var commands: LinkingObjects<Ship>

        override class func className() -> String { "Sailor" }
    }
}
