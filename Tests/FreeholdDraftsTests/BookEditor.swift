import Foundation
import Freehold
import FreeholdTestSupport

/// Makes random edits of an address book, of which one side owns its own objects: persons with
/// ids, notes and countries with names that no other side uses.
struct BookEditor {
    let realm: Realm
    let ids: ClosedRange<Int>
    /// Begins the names of this side's notes, countries and orders.
    let prefix: String
    /// Whether there are objects whose primary keys the realm gives.
    var usesOrders = true
    private var added = 0

    init(_ realm: Realm, ids: ClosedRange<Int>, prefix: String) {
        self.realm = realm
        self.ids = ids
        self.prefix = prefix
    }

    var persons: [Book.Person] {
        realm.objects(Book.Person.self).filter { ids.contains($0.id) }.sorted { $0.id < $1.id }
    }

    var notes: [Book.Note] {
        realm.objects(Book.Note.self).filter { $0.text.hasPrefix(prefix) }.sorted {
            $0.text < $1.text
        }
    }

    var countries: [Book.Country] {
        realm.objects(Book.Country.self).filter { $0.code.hasPrefix(prefix) }.sorted {
            $0.code < $1.code
        }
    }

    var orders: [Book.Order] {
        realm.objects(Book.Order.self).filter { $0.text.hasPrefix(prefix) }.sorted {
            $0.text < $1.text
        }
    }

    // MARK: Editing

    /// Makes an edit. In a write transaction.
    mutating func edit(_ random: inout SeededGenerator) {
        added += 1
        switch random.int(0...9) {
        case 0:
            let id = random.int(ids)
            if realm.object(ofType: Book.Person.self, forPrimaryKey: id) == nil {
                realm.create(
                    Book.Person.self, value: ["id": id, "name": "new", "tags": ["a", "b", "a"]])
            }
        case 1 where random.once(in: 2):
            if let person = persons.randomElement(using: &random) { realm.delete(person) }
        case 2:
            let note = realm.create(Book.Note.self, value: ["text": "\(prefix)\(added)"])
            if let person = persons.randomElement(using: &random) { person.notes.append(note) }
        case 3 where random.once(in: 2):
            if let note = notes.randomElement(using: &random) { realm.delete(note) }
        case 4: if let note = notes.randomElement(using: &random) { edit(note, &random) }
        case 5: editCountry(&random)
        case 6 where usesOrders && random.once(in: 2):
            if let order = orders.randomElement(using: &random), random.once(in: 2) {
                realm.delete(order)
            } else {
                realm.create(Book.Order.self, value: ["text": "\(prefix)\(added)"])
            }
        default: if let person = persons.randomElement(using: &random) { edit(person, &random) }
        }
    }

    private func edit(_ note: Book.Note, _ random: inout SeededGenerator) {
        switch random.int(0...2) {
        case 0: note.text = "\(prefix)\(added)"
        case 1: note.lines.insert("\(added % 3)", at: random.int(0...note.lines.count))
        default: note.other = random.once(in: 3) ? nil : notes.randomElement(using: &random)
        }
    }

    private func editCountry(_ random: inout SeededGenerator) {
        let code = "\(prefix)\(random.int(1...4))"
        guard let country = realm.object(ofType: Book.Country.self, forPrimaryKey: code) else {
            realm.create(Book.Country.self, value: ["code": code, "name": "\(added)"])
            return
        }
        if random.once(in: 3) { realm.delete(country) } else { country.name = "\(added)" }
    }

    private func edit(_ person: Book.Person, _ random: inout SeededGenerator) {
        switch random.int(0...12) {
        case 0: person.name = "\(added)"
        case 1: person.nickname = random.once(in: 3) ? nil : "\(added)"
        case 2: person.tags.insert("\(added % 4)", at: random.int(0...person.tags.count))
        case 3 where !person.tags.isEmpty:
            let index = random.int(0...person.tags.count - 1)
            if random.once(in: 2) {
                person.tags.remove(at: index)
            } else {
                person.tags.move(from: index, to: random.int(0...person.tags.count - 1))
            }
        case 4:
            let score = random.int(0...5)
            if person.scores.contains(score) {
                person.scores.remove(score)
            } else {
                person.scores.insert(score)
            }
        case 5: person.numbers["\(random.int(0...2))"] = random.once(in: 3) ? nil : "\(added)"
        case 6: person.home = random.once(in: 4) ? nil : address()
        case 7: person.home?.street = "\(added)"
        case 8: person.addresses.insert(address(), at: random.int(0...person.addresses.count))
        case 9 where !person.addresses.isEmpty:
            let index = random.int(0...person.addresses.count - 1)
            switch random.int(0...2) {
            case 0: person.addresses.remove(at: index)
            case 1: person.addresses[index].city = "\(added)"
            default: person.addresses.move(from: index, to: person.addresses.count - 1)
            }
        case 10: person.partner = random.once(in: 3) ? nil : persons.randomElement(using: &random)
        case 11:
            let note = notes.randomElement(using: &random)
            person.any = note.map { random.once(in: 3) ? .int(added) : .object($0) } ?? .none
        default:
            if let note = notes.randomElement(using: &random) {
                if let index = person.notes.index(of: note) {
                    person.notes.remove(at: index)
                } else {
                    person.notes.append(note)
                }
            }
        }
    }

    private func address() -> Book.Address {
        Book.Address(value: ["street": "\(added)", "city": "city"])
    }

    // MARK: State

    /// All objects of this side, by their names.
    var state: [String] {
        func text(_ address: Book.Address?) -> String {
            address.map { "\($0.street) \($0.city)" } ?? "-"
        }
        let persons = persons.map { person in
            let numbers = person.numbers.map { "\($0.key)=\($0.value)" }.sorted()
            let any =
                person.any.object(Book.Note.self).map { "note \($0.text)" } ?? "\(person.any)"
            return """
                person \(person.id) \(person.name) \(person.age) \(person.nickname ?? "-") \
                \(Array(person.tags)) \(Array(person.scores.sorted())) \(numbers) \(any) \
                \(text(person.home)) \(Array(person.addresses.map { text($0) })) \
                \(person.partner?.id ?? 0) \(Array(person.notes.map(\.text)))
                """
        }
        let notes = notes.map { note in
            """
            note \(note.text) \(Array(note.lines)) \(note.other?.text ?? "-") \
            \(Array(note.people.map(\.id)).sorted())
            """
        }
        return persons + notes + countries.map { "country \($0.code) \($0.name)" }
            + orders.map { "order \($0.text)" }
    }
}
