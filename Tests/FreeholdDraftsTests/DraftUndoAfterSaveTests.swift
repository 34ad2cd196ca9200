import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// The undo steps of a draft after it was saved or rebased.
@Suite struct DraftUndoAfterSaveTests {
    @Test func stepsSurviveASave() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            edited.home = Book.Address(value: ["street": "New", "city": "Rome"])
            draft.checkpoint("Rename")
            let note = draft.create(Book.Note.self, value: ["text": "new"])
            edited.notes.append(note)
            edited.tags.remove(at: 1)
            draft.checkpoint("Note")
            edited.age = 50
            try draft.save()
            #expect(draft.undoNames == ["Rename", "Note", nil] && !draft.hasChanges)
            edited.nickname = "E"
            #expect(try draft.undo() && edited.nickname == nil && !draft.hasChanges)
            #expect(try draft.undo() && edited.age == 36 && draft.hasChanges)
            #expect(try draft.undo() && note.isInvalidated)
            #expect(Array(edited.tags) == ["a", "b", "c"] && person.tags.count == 2)
            #expect(try draft.undo() && edited.name == "Ada" && !draft.canUndo)
            #expect(edited.home?.street == "Main Street")
            #expect(draft.redoNames == [nil, nil, "Note", "Rename"])
            try draft.save()
            #expect(person.name == "Ada" && person.age == 36 && person.notes.isEmpty)
            #expect(draft.redoNames == [nil, nil, "Note", "Rename"] && !draft.hasChanges)
            for _ in 1...4 { #expect(try draft.redo()) }
            #expect(edited.nickname == "E" && edited.age == 50 && edited.home?.city == "Rome")
            #expect(note.text == "new" && edited.notes.first?.isSameObject(as: note) == true)
            try draft.save()
            #expect(person.notes.map(\.text) == ["new"] && Array(person.tags) == ["a", "c"])
            #expect(draft.undoNames == ["Rename", "Note", nil, nil])
        }
    }

    /// A draft without steps keeps none.
    @Test func withoutSteps() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            try draft.save()
            #expect(try !draft.canUndo && !draft.undo() && edited.name == "Eve")
            draft.realm.beginWrite()
            edited.age = 50
            try draft.realm.commitWrite()
            try draft.save()
            #expect(try draft.undoNames == [nil] && draft.undo() && edited.age == 36)
            draft.undoLimit = 0
            #expect(!draft.canUndo)
        }
    }

    @Test func mergesWithOthers() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.tags.append("mine")
            draft.checkpoint("Tag")
            edited.name = "Eve"
            draft.checkpoint("Rename")
            try Book.elsewhere(realm) {
                let person = try Book.person(in: $0)
                person.age = 99
                person.tags.insert("theirs", at: 0)
            }
            try draft.save()
            #expect(Array(person.tags) == ["theirs", "a", "b", "c", "mine"])
            #expect(try draft.undo() && edited.name == "Ada" && edited.age == 99)
            #expect(try draft.undo() && Array(edited.tags) == ["theirs", "a", "b", "c"])
            try draft.redo()
            try draft.redo()
            #expect(edited.name == "Eve" && edited.tags.count == 5)
            try Book.elsewhere(realm) { try Book.person(in: $0).name = "Grace" }
            #expect(try draft.rebase())
            let conflict = try #require(throws: DraftConflict.self) { try draft.undo() }
            #expect(conflict.conflicts.map(\.property) == ["name"])
            #expect(conflict.conflicts[0].base == "Eve" && conflict.conflicts[0].mine == "Ada")
            #expect(edited.name == "Grace" && draft.undoNames == ["Tag", "Rename"])
            try draft.undo { _ in .mine }
            #expect(edited.name == "Ada")
            try draft.redo()
            #expect(edited.name == "Grace")
            // Back to what undo had made, which was no conflict.
            #expect(try draft.undo() && edited.name == "Ada")
            try draft.redo()
            try draft.save()
            #expect(try draft.undo() && edited.name == "Ada")
            try draft.redo()
            try Book.elsewhere(realm) { try Book.person(in: $0).name = "Joan" }
            try draft.rebase()
            #expect(try draft.undo(resolving: .theirs) && edited.name == "Joan")
            try draft.undo()
            try draft.save()
            #expect(person.name == "Joan" && Array(person.tags) == ["theirs", "a", "b", "c"])
        }
    }

    /// Rows of the draft get other keys in the merge, and its steps follow.
    @Test(arguments: [false, true]) func rowsThatMoved(isSaved: Bool) throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            let first = draft.create(Book.Note.self, value: ["text": "first"])
            draft.checkpoint("First")
            let second = draft.create(Book.Note.self, value: ["text": "second", "other": first])
            edited.notes.append(objectsIn: [first, second])
            edited.any = .object(second)
            draft.checkpoint("Second")
            first.text = "changed"
            first.other = second
            draft.checkpoint("Change")
            let gone = draft.create(Book.Note.self, value: ["text": "gone"])
            draft.checkpoint("Third")
            draft.delete(gone)
            draft.checkpoint("Delete")
            try Book.elsewhere(realm) {
                for number in 1...4 {
                    $0.create(Book.Note.self, value: ["text": "theirs \(number)"])
                }
            }
            if isSaved { try draft.save() } else { try draft.rebase() }
            func texts() -> Set<String> {
                Set(draft.objects(Book.Note.self).map(\.text).filter { !$0.hasPrefix("theirs") })
            }
            #expect(first.text == "changed" && texts() == ["changed", "second"])
            #expect(try draft.undo() && texts() == ["changed", "second", "gone"])
            #expect(try draft.undo() && texts() == ["changed", "second"])
            #expect(try draft.undo() && first.text == "first" && first.other == nil)
            #expect(second.other?.isSameObject(as: first) == true)
            #expect(try draft.undo() && texts() == ["first"] && second.isInvalidated)
            #expect(edited.notes.isEmpty && edited.any == .none)
            #expect(try draft.undo() && texts().isEmpty && first.isInvalidated)
            for _ in 1...5 { #expect(try draft.redo()) }
            #expect(first.text == "changed" && first.other?.isSameObject(as: second) == true)
            #expect(edited.notes.index(of: second) == 1)
            #expect(draft.objects(Book.Note.self).count == 6)
            try draft.save()
            #expect(realm.objects(Book.Note.self).count == 6)
            for _ in 1...5 { #expect(try draft.undo()) }
            try draft.save()
            #expect(realm.objects(Book.Note.self).count == 4 && person.notes.isEmpty)
        }
    }

    /// Both sides replaced the same embedded object: one row is left.
    @Test func embeddedObjectsOfBothSides() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.home = Book.Address(value: ["street": "Mine", "city": "London"])
            draft.checkpoint("Move")
            edited.home?.street = "Mine 2"
            draft.checkpoint("Correct")
            try Book.elsewhere(realm) {
                try Book.person(in: $0).home = Book.Address(
                    value: ["street": "Main Street", "city": "Paris"])
            }
            try draft.save()
            #expect(person.home?.street == "Mine 2" && person.home?.city == "Paris")
            #expect(try draft.undo() && edited.home?.street == "Mine")
            #expect(try draft.undo() && edited.home?.street == "Main Street")
            #expect(edited.home?.city == "Paris")
            try draft.save()
            #expect(person.home?.street == "Main Street" && person.home?.city == "Paris")
        }
    }

    /// What is edited while a draft is being saved is part of the step that ends with it.
    @Test @MainActor func editsDuringASave() async throws {
        let directory = try TemporaryDirectory()
        do {
            let realm = try await Realm.open(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Book.all))
            let draft = try realm.draft()
            let note = draft.create(Book.Note.self, value: ["text": "1"])
            draft.checkpoint("Create")
            note.text = "2"
            draft.checkpoint("Edit")
            let saving = Task { @MainActor in try await draft.save() }
            await Task.yield()
            note.text = "3"
            try await saving.value
            #expect(note.text == "3" && draft.hasChanges)
            #expect(try draft.undo() && note.text == "2")
            #expect(try draft.undo() && note.text == "1")
            #expect(try draft.undo() && note.isInvalidated && !draft.canUndo)
            #expect(realm.objects(Book.Note.self).map(\.text) == ["2"])
            try await draft.save()
            #expect(realm.objects(Book.Note.self).isEmpty && draft.redoNames.count == 3)
            #expect(try realm.check().isEmpty)
        }
        directory.delete()
    }

    @Test func nestedDrafts() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let inner = try draft.draft()
            let outer = try #require(draft.resolve(person))
            let edited = try #require(inner.resolve(outer))
            edited.name = "Eve"
            inner.checkpoint("Rename")
            edited.age = 50
            inner.checkpoint("Grow")
            outer.nickname = "E"
            try inner.save()
            #expect(draft.undoNames == [nil, nil])
            #expect(try inner.undo() && edited.age == 36 && edited.nickname == "E")
            try inner.save()
            #expect(outer.age == 36 && outer.name == "Eve")
            #expect(try inner.undo() && edited.name == "Ada")
            #expect(try inner.redo() && inner.redo() && edited.age == 50)
            try draft.save()
            #expect(person.name == "Eve" && person.age == 36 && person.nickname == "E")
            #expect(try draft.undo() && outer.age == 50)
            #expect(try draft.undo() && outer.name == "Ada")
        }
    }

    /// Steps keep no version of the file once the draft was saved.
    @Test func stepsPinNothing() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            for age in 1...20 {
                edited.age = age
                draft.checkpoint()
                try draft.save()
            }
            #expect(try realm.versionReport().activeVersionCount <= 2)
            for age in (1...19).reversed() { #expect(try draft.undo() && edited.age == age) }
        }
    }

    @Test func failedSavesKeepTheSteps() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            draft.checkpoint("Rename")
            edited.age = 50
            draft.checkpoint("Grow")
            try Book.elsewhere(realm) { try Book.person(in: $0).name = "Grace" }
            #expect(throws: DraftConflict.self) { try draft.save() }
            #expect(draft.undoNames == ["Rename", "Grow"])
            #expect(try draft.undo() && draft.undo() && edited.name == "Ada" && draft.redo())
            try draft.save(resolving: .mine)
            #expect(person.name == "Eve" && person.age == 36)
            #expect(draft.undoNames == ["Rename"] && draft.redoNames == ["Grow"])
            // The step set "Ada" to "Eve", and finds "Eve".
            #expect(try draft.undo() && edited.name == "Ada")
        }
    }
}
