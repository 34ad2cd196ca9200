import Freehold
import Observation

/// A form in which one person is edited: a draft, and lines that follow it.
///
/// Each command of the form is a group of edits, so `undo` undoes one command.
@MainActor final class PersonForm {
    let draft: Draft
    private let person: Person
    /// The lines to draw again. A line is here after one of the properties that it shows has
    /// changed, whoever changed it: a command, undo, redo, or others before a rebase or a save.
    private var outdated = Set(Field.allCases)

    /// Edits a person of a realm.
    init?(_ person: Person, of realm: Realm) throws {
        draft = try realm.draft()
        guard let edited = draft.resolve(person) else { return nil }
        self.person = edited
    }

    /// Edits a new person, who is in the file once the draft is saved.
    init(new name: String, in realm: Realm) throws {
        draft = try realm.draft()
        person = draft.group("new") { [draft] in draft.create(Person.self, value: ["name": name]) }
    }

    /// Prints the lines that have changed since they were drawn.
    func redraw() {
        guard !person.isInvalidated else { return Console.say("  (there is no such person)") }
        for field in Field.allCases where outdated.remove(field) != nil {
            let text = withObservationTracking {
                field.text(of: person)
            } onChange: { [weak self] in
                // Called where the draft is used: on the main actor.
                MainActor.assumeIsolated { _ = self?.outdated.insert(field) }
            }
            Console.say("  \(field.rawValue): \(text)")
        }
    }

    /// Makes `redraw` draw all lines.
    func drawAll() { outdated = Set(Field.allCases) }

    // MARK: Commands

    /// Carries out a command that edits. Returns false for another command.
    func edit(_ command: Command) throws -> Bool {
        let names = ["set", "phone", "tag", "untag", "add-address", "move", "remove-address"]
        guard names.contains(command.name) else { return false }
        guard !person.isInvalidated else { throw Refusal("there is no such person: undo, or redo") }
        // If the block throws, nothing of it stays.
        try draft.group(command.name) {
            switch command.name {
            case "set": try set(command)
            case "phone":
                let kind = try command.word(0, "kind")
                let number = try? command.rest(from: 1, "number")
                person.phones[kind] = number
            case "tag": person.tags.insert(try command.rest("tag"))
            case "untag": person.tags.remove(try command.rest("tag"))
            case "add-address":
                let words = try command.rest("street, city").split(separator: ", ")
                guard words.count == 2 else { throw Refusal("add-address: STREET, CITY") }
                person.addresses.append(
                    Address(value: ["street": String(words[0]), "city": String(words[1])]))
            case "move":
                let address = try address(command)
                address.street = try command.rest(from: 1, "street")
            default:
                person.addresses.remove(at: try addressIndex(command))
            }
        }
        return true
    }

    private func set(_ command: Command) throws {
        switch try command.word(0, "field") {
        case "name": person.name = try command.rest(from: 1, "name")
        case "born":
            let year = try command.rest(from: 1, "year")
            guard let number = Int(year) else { throw Refusal("set born: '\(year)' is no year") }
            person.born = number
        case let field: throw Refusal("set: there is no field '\(field)', but name and born")
        }
    }

    private func addressIndex(_ command: Command) throws -> Int {
        let number = try command.number("number of the address")
        guard (1...person.addresses.count).contains(number) else {
            throw Refusal("\(command.name): there is no address \(number)")
        }
        return number - 1
    }

    private func address(_ command: Command) throws -> Address {
        person.addresses[try addressIndex(command)]
    }

    // MARK: Undo

    /// Undoes the last command, also after it was saved: then its opposite is a new edit.
    func undo() throws {
        let name = draft.undoNames.last.flatMap(\.self)
        let done = try Conflicts.settle {
            try draft.undo()
        } deciding: {
            try draft.undo(resolving: $0)
        }
        if done == false { throw Refusal("there is nothing to undo") }
        if done == true { Console.say("undone: \(name ?? "edits")") }
    }

    func redo() throws {
        let name = draft.redoNames.last.flatMap(\.self)
        let done = try Conflicts.settle {
            try draft.redo()
        } deciding: {
            try draft.redo(resolving: $0)
        }
        if done == false { throw Refusal("there is nothing to redo") }
        if done == true { Console.say("done again: \(name ?? "edits")") }
    }

    // MARK: Review and save

    func review() {
        let changes = draft.changes
        if changes.isEmpty { Console.say("no changes") }
        for change in changes { Console.say("\(change)") }
    }

    /// Saves, and asks about conflicts. Returns whether the edits are in the file.
    func save() throws -> Bool {
        try Conflicts.settle {
            try draft.save()
        } deciding: {
            try draft.save(resolving: $0)
        } != nil
    }

    /// Takes in what others saved, and asks about conflicts. Returns whether there was anything.
    func rebase() throws -> Bool {
        try Conflicts.settle {
            try draft.rebase()
        } deciding: {
            try draft.rebase(resolving: $0)
        } ?? false
    }
}
