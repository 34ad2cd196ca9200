import Freehold
import Observation

/// A person of the address book. `Observable`: the form follows each property.
final class Person: Object, Observable {
    @Persisted(primaryKey: true, autoIncrement: true) var number: Int
    @Persisted var name = ""
    @Persisted var born: Int?
    @Persisted var phones: Map<String, String>
    @Persisted var tags: MutableSet<String>
    @Persisted var addresses: List<Address>
}

/// An address of one person, deleted with the person.
final class Address: EmbeddedObject, Observable {
    @Persisted var street = ""
    @Persisted var city = ""
}

/// A line of the form.
enum Field: String, CaseIterable {
    case name, born, phones, tags, addresses

    /// What the line shows. Reads the properties that the line depends on, and no others.
    func text(of person: Person) -> String {
        switch self {
        case .name: person.name
        case .born: person.born.map(String.init) ?? ""
        case .phones:
            person.phones.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                .joined(separator: ", ")
        case .tags: person.tags.sorted().joined(separator: ", ")
        case .addresses:
            person.addresses.enumerated()
                .map { "\($0.offset + 1). \($0.element.street), \($0.element.city)" }
                .joined(separator: "; ")
        }
    }
}
