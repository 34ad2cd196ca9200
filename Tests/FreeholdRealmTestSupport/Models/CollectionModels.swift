import Foundation
package import Freehold

/// Models with collections. No realm opens with them yet, so none belongs to default schemas.
package enum CollectionModels {
    package class Dog: Object, Codable {
        @Persisted package var name = ""
        @Persisted package var age: Int?

        package convenience init(_ name: String, age: Int? = nil) {
            self.init()
            self.name = name
            self.age = age
        }

        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    package final class Puppy: Dog {
        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    package final class Person: Object {
        @Persisted package var name = ""
        @Persisted package var numbers: List<Int>
        @Persisted package var names: List<String?>
        @Persisted package var moods: List<Mood>
        @Persisted package var heats: List<Temperature>
        @Persisted package var dogs: List<Dog>
        @Persisted package var tags: MutableSet<String>
        @Persisted package var friends: MutableSet<Person>
        @Persisted package var scores: Map<String, Double>
        @Persisted package var notes: Map<String, String?>
        @Persisted package var pets: Map<String, Dog?>
        @Persisted package var any: AnyRealmValue
        @Persisted package var anys: List<AnyRealmValue>

        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// For JSON.
    package final class Record: Object, Codable {
        @Persisted package var numbers: List<Int>
        @Persisted package var texts: List<String?>
        @Persisted package var moods: List<Mood>
        @Persisted package var dogs: List<Dog>
        @Persisted package var tags: MutableSet<String>
        @Persisted package var scores: Map<String, Double>
        @Persisted package var pets: Map<String, Dog?>

        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

/// A list of the library's, as it is.
package func makeList<Element: RealmCollectionValue>(_ elements: [Element]) -> List<Element> {
    let list = List<Element>()
    list.append(objectsIn: elements)
    return list
}

package func makeSet<Element: RealmCollectionValue>(_ elements: [Element]) -> MutableSet<Element> {
    let set = MutableSet<Element>()
    set.insert(objectsIn: elements)
    return set
}

package func makeMap<Value: RealmCollectionValue>(_ entries: [String: Value]) -> Map<String, Value>
{
    let map = Map<String, Value>()
    for (key, value) in entries { map[key] = value }
    return map
}
