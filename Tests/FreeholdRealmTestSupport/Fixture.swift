import Foundation
package import Freehold

/// The models of the realm's own tests.
package enum Fixture {
    package static let all: [ObjectBase.Type] = [
        Person.self, Dog.self, Tagged.self, Node.self, Holder.self, House.self, Room.self,
    ]

    package final class Person: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted(indexed: true) package var name = ""
        @Persisted package var age = 0
        @Persisted package var dog: Dog?
        @Persisted package var friend: Person?
        @Persisted(originProperty: "friend") package var admirers: LinkingObjects<Person>

        package convenience init(id: Int, name: String = "", age: Int = 0) {
            self.init()
            self.id = id
            self.name = name
            self.age = age
        }
    }

    /// Without a primary key.
    package final class Dog: Object {
        @Persisted package var name = ""
        @Persisted package var age = 3

        package convenience init(name: String) {
            self.init()
            self.name = name
        }
    }

    /// With a primary key that is not the row key, and that can be nil.
    package final class Tagged: Object {
        @Persisted(primaryKey: true) package var tag: String?
        @Persisted package var value = 0
        @Persisted package var other: Tagged?

        package convenience init(tag: String?, value: Int = 0) {
            self.init()
            self.tag = tag
            self.value = value
        }
    }

    /// The owner of an embedded object.
    package final class House: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted package var room: Room?
    }

    package final class Room: EmbeddedObject {
        @Persisted package var name = ""
    }

    /// With collections.
    package final class Holder: Object {
        @Persisted package var numbers: List<Int>
        @Persisted package var dogs: List<Dog>
        @Persisted package var tags: MutableSet<String>
        @Persisted package var scores: Map<String, Int>
        @Persisted package var any: AnyRealmValue
    }

    /// A link of a chain.
    package final class Node: Object {
        @Persisted package var number = 0
        @Persisted package var next: Node?
    }
}
