import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Undoing the transactions of a live realm.
@Suite struct TransactionUndoTests {
    @Test func undoesAndRedoes() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            #expect(try !undo.isRecording && !undo.canUndo && !undo.undo() && !undo.redo())
            try realm.write { person.age = 37 }
            undo.isRecording = true
            #expect(realm.undoManager.isRecording && !undo.canUndo)
            undo.setActionName("Rename")
            try realm.write { person.name = "Eve" }
            realm.beginWrite()
            person.tags.insert("first", at: 0)
            person.nickname = "E"
            try realm.commitWrite()
            #expect(undo.undoNames == ["Rename", nil] && undo.redoNames.isEmpty)
            #expect(try undo.undo())
            #expect(Array(person.tags) == ["a", "b", "c"] && person.nickname == nil)
            #expect(undo.redoNames == [nil] && undo.canRedo)
            #expect(try undo.undo() && person.name == "Ada" && !undo.canUndo)
            #expect(person.age == 37)
            #expect(undo.redoNames == [nil, "Rename"])
            #expect(try !undo.undo())
            #expect(try undo.redo() && person.name == "Eve" && person.nickname == nil)
            #expect(try undo.redo() && person.nickname == "E" && person.tags.count == 4)
            #expect(try !undo.redo() && undo.undoNames == ["Rename", nil])
            try Book.elsewhere(realm) {
                let person = try Book.person(in: $0)
                #expect(person.nickname == "E" && person.name == "Eve")
            }
            #expect(try undo.undo())
            try realm.write { person.age = 40 }
            #expect(!undo.canRedo && undo.undoNames == ["Rename", nil])
            undo.isRecording = false
            try realm.write { person.age = 41 }
            #expect(undo.undoNames.count == 2)
            #expect(throws: DraftConflict.self) { try undo.undo() }
            undo.removeAllSteps()
            #expect(!undo.canUndo && undo.byteCount == 0)
        }
    }

    /// A cancelled transaction, and one without changes, are no steps.
    @Test func onlyCommittedChangesAreSteps() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            struct Stop: Error {}
            #expect(throws: Stop.self) {
                try realm.write {
                    person.age = 1
                    undo.setActionName("Cancelled")
                    throw Stop()
                }
            }
            try realm.write {}
            #expect(!undo.canUndo)
            try realm.write { person.age = 2 }
            #expect(undo.undoNames == [nil])
        }
    }

    @Test func mergesWithOthers() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write {
                person.name = "Eve"
                person.tags.append("mine")
                person.numbers["home"] = "1"
                person.scores.insert(1)
                person.home?.street = "Side Street"
            }
            try Book.elsewhere(realm) {
                let person = try Book.person(in: $0)
                person.age = 99
                person.tags.insert("theirs", at: 0)
                person.numbers["work"] = "2"
                person.scores.insert(2)
                person.home?.city = "Paris"
            }
            #expect(try undo.undo())
            #expect(person.name == "Ada" && person.age == 99)
            #expect(Array(person.tags) == ["theirs", "a", "b", "c"])
            #expect(person.numbers["home"] == nil && person.numbers["work"] == "2")
            #expect(Array(person.scores) == [2])
            #expect(person.home?.street == "Main Street" && person.home?.city == "Paris")
            #expect(try undo.redo())
            #expect(person.name == "Eve" && person.age == 99)
            #expect(Array(person.tags) == ["theirs", "a", "b", "c", "mine"])
            #expect(Set(person.scores) == [1, 2] && person.numbers.count == 2)
        }
    }

    @Test func conflictsChangeNothing() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write {
                person.name = "Eve"
                person.age = 50
            }
            try Book.elsewhere(realm) { try Book.person(in: $0).name = "Grace" }
            let conflict = try #require(throws: DraftConflict.self) { try undo.undo() }
            let one = try #require(conflict.conflicts.first)
            #expect(conflict.conflicts.count == 1 && one.kind == .value && one.property == "name")
            #expect(one.base == "Eve" && one.mine == "Ada" && one.theirs == "Grace")
            #expect(one.object?.primaryKey == 1 && one.object?.className == "Book_Person")
            #expect(person.name == "Grace" && person.age == 50 && undo.canUndo && !undo.canRedo)
            var asked = 0
            try undo.undo { conflict in
                asked += 1
                // Without the write lock.
                try Book.elsewhere(realm) { _ in }
                return conflict.property == "name" ? .theirs : nil
            }
            #expect(asked == 1 && person.name == "Grace" && person.age == 36)
            #expect(try undo.redo() && person.name == "Grace" && person.age == 50)
        }
    }

    @Test(arguments: [DraftConflict.Resolution.mine, .theirs, .value("Both")])
    func resolutions(_ resolution: DraftConflict.Resolution) throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { person.name = "Eve" }
            try Book.elsewhere(realm) { try Book.person(in: $0).name = "Grace" }
            try undo.undo(resolving: resolution)
            let expected =
                switch resolution {
                case .mine: "Ada"
                case .theirs: "Grace"
                case .value: "Both"
                }
            #expect(person.name == expected)
            #expect(undo.canRedo == (resolution != .theirs))
            if undo.canRedo {
                try undo.redo()
                #expect(person.name == "Grace")
            }
        }
    }

    // MARK: Objects

    /// Live objects of rows that come back are valid again, as after `cancelWrite()`.
    @Test func objects() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            let note = Book.Note()
            note.text = "new"
            note.lines.append("1")
            try realm.write {
                realm.add(note)
                person.notes.append(note)
            }
            let lines = note.lines
            let found = realm.objects(Book.Note.self).where { $0.text == "new" }
            #expect(found.count == 1)
            try undo.undo()
            #expect(note.isInvalidated && person.notes.isEmpty && found.isEmpty)
            try undo.redo()
            #expect(!note.isInvalidated && note.text == "new" && Array(lines) == ["1"])
            #expect(person.notes.first?.isSameObject(as: note) == true && found.count == 1)
            #expect(note.people.count == 1)
            let home = try #require(person.home)
            try realm.write { realm.delete(person) }
            #expect(person.isInvalidated && home.isInvalidated)
            try undo.undo()
            #expect(person.name == "Ada" && person.tags.count == 3 && home.street == "Main Street")
            #expect(person.home?.isSameObject(as: home) == true)
            #expect(person.notes.count == 1 && note.people.first?.isSameObject(as: person) == true)
            #expect(try Book.person(in: realm).isSameObject(as: person))
        }
    }

    @Test func embeddedObjectsThatWereReplaced() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            let home = try #require(person.home)
            try realm.write {
                person.home = Book.Address(value: ["street": "New", "city": "Rome"])
                person.addresses.append(Book.Address(value: ["street": "1"]))
            }
            try realm.write { person.addresses.append(Book.Address(value: ["street": "2"])) }
            try realm.write { person.addresses.swapAt(0, 1) }
            #expect(home.isInvalidated)
            try undo.undo()
            #expect(person.addresses.map(\.street) == ["1", "2"])
            try undo.undo()
            try undo.undo()
            #expect(home.street == "Main Street" && person.addresses.isEmpty)
            for _ in 1...3 { try undo.redo() }
            #expect(person.addresses.map(\.street) == ["2", "1"] && person.home?.city == "Rome")
            #expect(home.isInvalidated)
            try Book.elsewhere(realm) { try Book.person(in: $0).home?.city = "Oslo" }
            try undo.undo()
            try undo.undo()
            let conflict = try #require(throws: DraftConflict.self) { try undo.undo() }
            #expect(conflict.conflicts.count == 1)
            try undo.undo(resolving: .mine)
            #expect(person.home?.street == "Main Street" && person.home?.city == "London")
            #expect(person.addresses.isEmpty)
        }
    }

    @Test func objectsThatOthersDeleted() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { person.name = "Eve" }
            try Book.elsewhere(realm) { $0.delete(try Book.person(in: $0)) }
            let conflict = try #require(throws: DraftConflict.self) { try undo.undo() }
            #expect(conflict.conflicts.map(\.kind) == [.deletedByThem])
            #expect(conflict.conflicts[0].object?.primaryKey == 1)
            // Its values are gone: not restored in part.
            #expect(throws: DraftConflict.self) { try undo.undo(resolving: .mine) }
            #expect(realm.objects(Book.Person.self).isEmpty)
            #expect(try undo.undo(resolving: .theirs))
            #expect(realm.objects(Book.Person.self).isEmpty && !undo.canUndo)
        }
    }

    /// An added object that others use is not deleted.
    @Test func objectsThatOthersUse() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { realm.create(Book.Note.self, value: ["text": "new"]) }
            try Book.elsewhere(realm) {
                try Book.person(in: $0).notes.append(objectsIn: $0.objects(Book.Note.self))
            }
            let linked = try #require(throws: DraftConflict.self) { try undo.undo() }
            #expect(linked.conflicts.map(\.kind) == [.linkedByThem])
            try Book.elsewhere(realm) { realm in
                try Book.person(in: realm).notes.removeAll()
                realm.objects(Book.Note.self).first?.text = "theirs"
            }
            let changed = try #require(throws: DraftConflict.self) { try undo.undo() }
            #expect(changed.conflicts.map(\.kind) == [.deletedByMe])
            try undo.undo(resolving: .mine)
            #expect(realm.objects(Book.Note.self).isEmpty)
            try undo.redo()
            #expect(realm.objects(Book.Note.self).map(\.text) == ["theirs"])
        }
    }

    @Test func primaryKeysThatOthersTook() throws {
        try Book.withPerson { realm, _ in
            let undo = realm.undoManager
            try realm.write {
                realm.create(Book.Country.self, value: ["code": "GB", "name": "mine"])
                realm.create(Book.Order.self, value: ["text": "mine"])
            }
            undo.isRecording = true
            try realm.write {
                realm.delete(realm.objects(Book.Country.self))
                realm.delete(realm.objects(Book.Person.self))
                realm.delete(realm.objects(Book.Order.self))
            }
            try Book.elsewhere(realm) {
                $0.create(Book.Country.self, value: ["code": "GB", "name": "theirs"])
                $0.create(Book.Person.self, value: ["id": 1, "name": "theirs"])
                $0.create(Book.Order.self, value: ["text": "theirs"])
            }
            let conflict = try #require(throws: DraftConflict.self) { try undo.undo() }
            #expect(Set(conflict.conflicts.map(\.kind)) == [.createdTwice])
            #expect(
                Set(conflict.conflicts.compactMap { $0.object?.className })
                    == ["Book_Country", "Book_Person"])
            try undo.undo(resolving: .theirs)
            #expect(realm.objects(Book.Country.self).map(\.name) == ["theirs"])
            #expect(realm.objects(Book.Person.self).map(\.name) == ["theirs"])
            #expect(
                realm.objects(Book.Order.self).sorted(by: \.id).map(\.text) == ["mine", "theirs"])
        }
    }

    // MARK: Kinds of transactions

    @Test func groups() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            try undo.group("Both") {
                try realm.write { person.name = "Eve" }
                try undo.group("Inner") { try realm.write { person.age = 50 } }
                try realm.write { person.name = "Grace" }
            }
            undo.group("Nothing") {}
            #expect(undo.undoNames == ["Both"])
            struct Stop: Error {}
            #expect(throws: Stop.self) {
                try undo.group("Half") {
                    try realm.write { person.nickname = "G" }
                    throw Stop()
                }
            }
            #expect(undo.undoNames == ["Both", "Half"])
            try undo.undo()
            #expect(person.nickname == nil && person.name == "Grace")
            try undo.undo()
            #expect(person.name == "Ada" && person.age == 36)
            try undo.redo()
            #expect(person.name == "Grace" && person.age == 50 && person.nickname == nil)
            #expect(undo.undoNames == ["Both"] && undo.redoNames == ["Half"])
            try Book.elsewhere(realm) { try Book.person(in: $0).age = 51 }
            #expect(throws: DraftConflict.self) { try undo.undo() }
            #expect(person.name == "Grace" && person.age == 51)
        }
    }

    @Test func savedDrafts() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            try Book.elsewhere(realm) { try Book.person(in: $0).age = 99 }
            undo.setActionName("Save")
            try draft.save()
            edited.nickname = "E"
            try draft.save()
            #expect(undo.undoNames == ["Save", nil] && person.nickname == "E")
            try undo.undo()
            #expect(person.nickname == nil && person.name == "Eve")
            try undo.undo()
            #expect(person.name == "Ada" && person.age == 99)
            #expect(edited.name == "Eve")
            try draft.rebase()
            #expect(edited.name == "Ada" && edited.nickname == nil)
        }
    }

    // MARK: Limits

    @Test func limits() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            undo.stepLimit = 3
            for age in 1...5 {
                undo.setActionName("\(age)")
                try realm.write { person.age = age }
            }
            #expect(undo.undoNames == ["3", "4", "5"])
            let three = undo.byteCount
            for _ in 1...3 { #expect(try undo.undo()) }
            #expect(person.age == 2 && undo.redoNames.count == 3 && undo.byteCount == three)
            for _ in 1...3 { #expect(try undo.redo()) }
            #expect(person.age == 5 && undo.byteCount == three)
            undo.byteLimit = three - 1
            #expect(undo.undoNames == ["4", "5"] && undo.byteCount <= three - 1)
            try realm.write { person.nickname = String(repeating: "x", count: three) }
            #expect(undo.undoNames.isEmpty && undo.byteCount == 0)
            undo.stepLimit = 0
            try realm.write { person.age = 6 }
            #expect(!undo.canUndo)
        }
    }

    /// Steps keep no version of the file.
    @Test func stepsPinNothing() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            for age in 1...20 { try realm.write { person.age = age } }
            #expect(try realm.versionReport().activeVersionCount <= 2)
            #expect(undo.undoNames.count == 20)
        }
    }
}
