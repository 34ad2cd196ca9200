import Freehold

/// The commands: those of the list of people, and of the open form.
@MainActor final class AddressBook {
    private let realm: Realm
    private var form: PersonForm?

    init(_ configuration: Realm.Configuration) throws {
        realm = try Realm(configuration: configuration)
        realm.undoManager.isRecording = true
    }

    /// Carries out commands until `quit` or the end of the input.
    func run() {
        while let line = Console.ask(form == nil ? "book>" : "form>"), line != "quit" {
            // Nothing else moves the realm: the main actor waits for input.
            realm.refresh()
            do {
                try perform(Command(line))
            } catch {
                Console.say("error: \(error)")
            }
        }
    }

    private func perform(_ command: Command) throws {
        switch command.name {
        case "": break
        case "help": Console.say(Self.help)
        case "list":
            for person in realm.objects(Person.self).sorted(by: \.name) {
                Console.say("\(person.number) \(person.name)")
            }
        case "show": show(try person(command))
        default:
            if let form { try perform(command, in: form) } else { try open(command) }
        }
    }

    private func open(_ command: Command) throws {
        switch command.name {
        case "new": form = try PersonForm(new: try command.rest("name"), in: realm)
        case "edit": form = try PersonForm(try person(command), of: realm)
        case "delete":
            let person = try person(command)
            try realm.undoManager.group("delete") { try realm.write { realm.delete(person) } }
            return Console.say("deleted")
        case "undo": return try undo()
        default: throw Refusal("'\(command.name)' is no command here; 'help' lists them")
        }
        form?.redraw()
    }

    private func perform(_ command: Command, in form: PersonForm) throws {
        switch command.name {
        case "form": form.drawAll()
        case "changes": return form.review()
        case "conflicts": return print(conflicts: try form.draft.conflicts)
        case "undo": try form.undo()
        case "redo": try form.redo()
        case "rebase": if try form.rebase() { Console.say("rebased") }
        case "save":
            if try realm.undoManager.group("save", { try form.save() }) { Console.say("saved") }
        case "discard", "close":
            if command.name == "close", form.draft.hasChanges {
                throw Refusal("there are edits: save or discard them")
            }
            form.draft.discard()
            self.form = nil
            return Console.say("closed")
        default:
            guard try form.edit(command) else {
                throw Refusal("'\(command.name)' is no command here; 'help' lists them")
            }
        }
        form.redraw()
    }

    /// Undoes the last transaction of this program: a deletion, or what a form saved.
    private func undo() throws {
        let manager = realm.undoManager
        let name = manager.undoNames.last.flatMap(\.self)
        let done = try Conflicts.settle {
            try manager.undo()
        } deciding: {
            try manager.undo(resolving: $0)
        }
        if done == false { throw Refusal("there is nothing to undo") }
        if done == true { Console.say("undone: \(name ?? "edits")") }
    }

    private func person(_ command: Command) throws -> Person {
        let number = try command.number("number of the person")
        guard let person = realm.object(ofType: Person.self, forPrimaryKey: number) else {
            throw Refusal("there is no person \(number)")
        }
        return person
    }

    private func show(_ person: Person) {
        for field in Field.allCases { Console.say("\(field.rawValue): \(field.text(of: person))") }
    }

    private func print(conflicts: [DraftConflict.Conflict]) {
        if conflicts.isEmpty { Console.say("no conflicts") }
        for conflict in conflicts {
            Console.say("\(conflict.kind.rawValue) \(conflict.property ?? "")")
        }
    }

    private static let help = """
        list, show NUMBER           what is in the file
        new NAME, edit NUMBER       open a form; it holds no lock
        delete NUMBER
        undo                        the last deletion, or what a form saved
        In a form:
        set name NAME, set born YEAR
        phone KIND [NUMBER]         sets or removes a number
        tag TAG, untag TAG
        add-address STREET, CITY
        move N STREET, remove-address N
        undo, redo                  one command of the form
        changes                     what save would save
        conflicts                   what save would ask about
        rebase                      takes in what others saved
        save                        asks "mine" or "theirs" for each conflict
        close, discard              ends the form; discard drops its edits
        quit
        """
}
