import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct DraftUndoTests {
    @Test func undoesAndRedoes() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            #expect(try !draft.canUndo && !draft.undo() && !draft.redo())
            edited.name = "Eve"
            draft.checkpoint("Rename")
            edited.age = 50
            let note = draft.create(Book.Note.self, value: ["text": "new"])
            draft.checkpoint("Grow")
            edited.tags.removeAll()
            #expect(draft.undoNames == ["Rename", "Grow", nil])
            #expect(try draft.undo() && edited.tags.count == 3 && edited.age == 50)
            #expect(try draft.undo() && edited.age == 36 && note.isInvalidated)
            #expect(try draft.undo() && edited.name == "Ada" && !draft.canUndo && !draft.hasChanges)
            #expect(draft.redoNames == [nil, "Grow", "Rename"])
            #expect(try draft.redo() && edited.name == "Eve")
            #expect(try draft.redo() && edited.age == 50 && note.text == "new")
            #expect(try draft.redo() && edited.tags.isEmpty && !draft.redo())
            #expect(try draft.undo() && edited.tags.count == 3)
            edited.tags.append("other")
            #expect(try !draft.canRedo && !draft.redo())
            #expect(try draft.undo() && edited.tags.count == 3)
            try draft.save()
            #expect(person.age == 50 && person.name == "Eve" && person.tags.count == 3)
        }
    }

    @Test func limits() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            draft.undoLimit = 2
            for age in 1...5 {
                edited.age = age
                draft.checkpoint("\(age)")
            }
            #expect(draft.undoNames == ["4", "5"])
            #expect(try draft.undo() && draft.undo() && !draft.undo() && edited.age == 3)
        }
    }

    /// Keys of undone objects are not used again.
    @Test func undoneObjectsStayGone() throws {
        try Book.withPerson { realm, _ in
            let draft = try realm.draft()
            let first = draft.create(Book.Note.self, value: ["text": "first"])
            try draft.undo()
            let second = draft.create(Book.Note.self, value: ["text": "second"])
            #expect(first.isInvalidated && second.text == "second")
        }
    }
}
