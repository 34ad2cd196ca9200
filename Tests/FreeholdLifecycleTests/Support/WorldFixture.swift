import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Objects of all fixture classes, with links in circles, collections, embedded objects, long
/// values and values of any type.
enum World {
    static func configuration(_ url: URL) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, objectTypes: Fixture.all)
    }

    /// In a write transaction.
    static func fill(_ realm: Realm, people: Int = 300) {
        var before: Fixture.Person?
        for id in 0..<people {
            let person = Fixture.Person(id: id, name: "name \(id % 17)", age: id)
            if id % 3 == 0 { person.dog = Fixture.Dog(name: "dog \(id)") }
            person.friend = before
            realm.add(person)
            before = person
        }
        realm.object(ofType: Fixture.Person.self, forPrimaryKey: 0)?.friend = before
        for number in 0..<20 {
            realm.add(
                Fixture.Tagged(
                    tag: number == 7
                        ? nil : "tag \(number)" + String(repeating: "x", count: number * 100),
                    value: number))
            realm.create(
                Fixture.House.self, value: ["id": number, "room": ["name": "room \(number)"]])
            let holder = Fixture.Holder()
            holder.numbers.append(objectsIn: 0..<(number * 150))
            holder.dogs.append(objectsIn: realm.objects(Fixture.Dog.self).prefix(number))
            holder.tags.insert(objectsIn: (0..<number).map { "tag \($0)" })
            for index in 0..<number { holder.scores["key \(index)"] = index }
            holder.any =
                number % 2 == 0
                ? .string(String(repeating: "long", count: number * 200))
                : before.map { .object($0) } ?? .none
            realm.add(holder)
        }
    }

    /// What the realm holds, as text; the same for two realms with the same content, whatever
    /// keys their rows have.
    static func content(_ realm: Realm) -> [String] {
        var lines: [String] = []
        for person in realm.objects(Fixture.Person.self) {
            lines.append(
                """
                person \(person.id) \(person.name) \(person.age) \
                \(person.dog?.name ?? "-") \(person.friend?.id ?? -1) \
                \(Array(person.admirers).map(\.id).sorted())
                """
            )
        }
        for dog in realm.objects(Fixture.Dog.self) { lines.append("dog \(dog.name) \(dog.age)") }
        for tagged in realm.objects(Fixture.Tagged.self) {
            lines.append(
                "tagged \(tagged.tag ?? "nil") \(tagged.value) \(tagged.other?.tag ?? "-")")
        }
        for house in realm.objects(Fixture.House.self) {
            lines.append("house \(house.id) \(house.room?.name ?? "-")")
        }
        for holder in realm.objects(Fixture.Holder.self) {
            let scores = Array(holder.scores).map { "\($0.key)=\($0.value)" }.sorted()
            let any =
                switch holder.any {
                case .object(let object): "person \((object as? Fixture.Person)?.id ?? -1)"
                case .string(let text): "text \(text.count)"
                default: "none"
                }
            lines.append(
                """
                holder \(Array(holder.numbers).hashValue) \
                \(Array(holder.dogs).map(\.name)) \(Array(holder.tags).sorted()) \(scores) \
                \(any)
                """
            )
        }
        for node in realm.objects(Fixture.Node.self) {
            lines.append("node \(node.number) \(node.next?.number ?? -1)")
        }
        return lines.sorted()
    }
}

/// Expects two contents to be the same, and names the first line in which they differ.
func expectSame(
    _ found: [String], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
) {
    if found == expected { return }
    let different = zip(found, expected).first { $0 != $1 }
    Issue.record(
        """
        \(found.count) and \(expected.count) lines; first: \(different?.0 ?? "") / \
        \(different?.1 ?? "")
        """,
        sourceLocation: sourceLocation)
}

/// The names of the files in a directory.
func files(in directory: TemporaryDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
}

func byteCount(_ url: URL) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
}

/// The code of the error that `body` throws; nil if it throws none.
func realmCode(_ body: () throws -> Void) -> Realm.Error.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? Realm.Error)?.code
    }
}

/// The message of the error that `body` throws.
func realmMessage(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return (error as? Realm.Error)?.message
    }
}
