import Foundation
import Freehold

/// The models of the realm's own tests.
enum Fixture {
    static let all: [ObjectBase.Type] = [Person.self, Dog.self, Tagged.self, Node.self, Holder.self, House.self, Room.self]

    final class Person: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var name = ""
        @Persisted var age = 0
        @Persisted var dog: Dog?
        @Persisted var friend: Person?
        @Persisted(originProperty: "friend") var admirers: LinkingObjects<Person>

        convenience init(id: Int, name: String = "", age: Int = 0) {
            self.init()
            self.id = id
            self.name = name
            self.age = age
        }
    }

    /// Without a primary key.
    final class Dog: Object {
        @Persisted var name = ""
        @Persisted var age = 3

        convenience init(name: String) {
            self.init()
            self.name = name
        }
    }

    /// With a primary key that is not the row key, and that can be nil.
    final class Tagged: Object {
        @Persisted(primaryKey: true) var tag: String?
        @Persisted var value = 0
        @Persisted var other: Tagged?

        convenience init(tag: String?, value: Int = 0) {
            self.init()
            self.tag = tag
            self.value = value
        }
    }

    /// The owner of an embedded object.
    final class House: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var room: Room?
    }

    final class Room: EmbeddedObject {
        @Persisted var name = ""
    }

    /// With collections.
    final class Holder: Object {
        @Persisted var numbers: List<Int>
        @Persisted var dogs: List<Dog>
        @Persisted var tags: MutableSet<String>
        @Persisted var scores: Map<String, Int>
        @Persisted var any: AnyRealmValue
    }

    /// A link of a chain.
    final class Node: Object {
        @Persisted var number = 0
        @Persisted var next: Node?
    }
}
