import Foundation
import Freehold
import FreeholdRealmTestSupport

/// Models with collections. No realm opens with them yet, so none belongs to default schemas.
enum CollectionModels {
    class Dog: Object, Codable {
        @Persisted var name = ""
        @Persisted var age: Int?

        convenience init(_ name: String, age: Int? = nil) {
            self.init()
            self.name = name
            self.age = age
        }

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Puppy: Dog {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Person: Object {
        @Persisted var name = ""
        @Persisted var numbers: List<Int>
        @Persisted var names: List<String?>
        @Persisted var moods: List<Mood>
        @Persisted var heats: List<Temperature>
        @Persisted var dogs: List<Dog>
        @Persisted var tags: MutableSet<String>
        @Persisted var friends: MutableSet<Person>
        @Persisted var scores: Map<String, Double>
        @Persisted var notes: Map<String, String?>
        @Persisted var pets: Map<String, Dog?>
        @Persisted var any: AnyRealmValue
        @Persisted var anys: List<AnyRealmValue>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// For JSON.
    final class Record: Object, Codable {
        @Persisted var numbers: List<Int>
        @Persisted var texts: List<String?>
        @Persisted var moods: List<Mood>
        @Persisted var dogs: List<Dog>
        @Persisted var tags: MutableSet<String>
        @Persisted var scores: Map<String, Double>
        @Persisted var pets: Map<String, Dog?>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

/// A list of the library's, as it is.
func makeList<Element: RealmCollectionValue>(_ elements: [Element]) -> List<Element> {
    let list = List<Element>()
    list.append(objectsIn: elements)
    return list
}

func makeSet<Element: RealmCollectionValue>(_ elements: [Element]) -> MutableSet<Element> {
    let set = MutableSet<Element>()
    set.insert(objectsIn: elements)
    return set
}

func makeMap<Value: RealmCollectionValue>(_ entries: [String: Value]) -> Map<String, Value> {
    let map = Map<String, Value>()
    for (key, value) in entries { map[key] = value }
    return map
}
