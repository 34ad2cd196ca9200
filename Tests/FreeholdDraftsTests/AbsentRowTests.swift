import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// What refers to a row that a draft has added and that is gone: it never finds another row that
/// gets its key, in the draft or by others.
@Suite struct AbsentRowTests {
    private func withDraft(_ body: (Realm, Draft) throws -> Void) throws {
        try Book.withPerson { realm, _ in
            let draft = try realm.draft()
            try body(realm, draft)
        }
    }

    private func addElsewhere(_ realm: Realm, _ count: Int = 1) throws {
        try Book.elsewhere(realm) { realm in
            for index in 0..<count {
                let note = realm.create(
                    Book.Note.self, value: ["text": "theirs\(index)", "lines": ["x", "y"]])
                note.other = note
            }
        }
    }

    @Test(arguments: [false, true]) func deletedThenMerged(isSaved: Bool) throws {
        try withDraft { realm, draft in
            let notes = draft.objects(Book.Note.self)
            let kept = draft.create(Book.Note.self, value: ["text": "kept"])
            let gone = draft.create(Book.Note.self, value: ["text": "gone", "lines": ["1"]])
            let lines = gone.lines
            let sorted = gone.lines.sorted()
            let linking = notes.where { $0.other == gone }
            let last = draft.create(Book.Note.self, value: ["text": "last"])
            draft.delete(gone)
            #expect(gone.isInvalidated && lines.isInvalidated)
            try addElsewhere(realm, 5)
            if isSaved { try draft.save() } else { try draft.rebase() }
            #expect(gone.isInvalidated && lines.isInvalidated && sorted.isInvalidated)
            #expect(linking.isEmpty)
            #expect(kept.text == "kept" && last.text == "last" && notes.count == 7)
            try addElsewhere(realm, 5)
            try draft.rebase()
            draft.create(Book.Note.self, value: ["text": "new"])
            #expect(gone.isInvalidated && lines.isInvalidated && linking.isEmpty)
        }
    }

    @Test(arguments: [false, true]) func nestedAfterUndo(beginsBefore: Bool) throws {
        try withDraft { _, draft in
            let early = beginsBefore ? try draft.draft() : nil
            let gone = draft.create(Book.Note.self, value: ["text": "gone"])
            #expect(try draft.undo() && gone.isInvalidated)
            let nested = try early ?? draft.draft()
            let new = nested.create(Book.Note.self, value: ["text": "new"])
            if beginsBefore { try nested.rebase() }
            #expect(new.text == "new")
            try nested.save()
            #expect(gone.isInvalidated && new.text == "new")
            #expect(draft.objects(Book.Note.self).map(\.text) == ["new"])
        }
    }

    /// The only edits were undone, or are no change.
    @Test(arguments: [false, true]) func nothingLeft(isUndone: Bool) throws {
        try withDraft { realm, draft in
            let gone = draft.create(Book.Note.self, value: ["text": "gone"])
            if isUndone { try draft.undo() } else { draft.delete(gone) }
            #expect(gone.isInvalidated)
            try draft.save()
            try draft.rebase()
            let new = draft.create(Book.Note.self, value: ["text": "new"])
            #expect(gone.isInvalidated && new.text == "new")
            try addElsewhere(realm, 3)
            try draft.save()
            #expect(gone.isInvalidated && new.text == "new")
        }
    }

    /// A key is not given again after an undo, though the state from before has not used it.
    @Test func undoneThenAdded() throws {
        try withDraft { realm, draft in
            let first = draft.create(Book.Note.self, value: ["text": "first", "lines": ["1"]])
            let lines = first.lines
            try draft.undo()
            #expect(first.isInvalidated)
            let second = draft.create(Book.Note.self, value: ["text": "second"])
            #expect(first.isInvalidated && lines.isInvalidated && second.text == "second")
            try draft.save()
            #expect(first.isInvalidated && second.text == "second")
            #expect(realm.objects(Book.Note.self).map(\.text) == ["second"])
        }
    }

    @Test func cancelledBlock() throws {
        struct Stop: Error {}
        try withDraft { realm, draft in
            var gone: Book.Note?
            #expect(throws: Stop.self) {
                try draft.realm.write {
                    gone = draft.create(Book.Note.self, value: ["text": "gone"])
                    throw Stop()
                }
            }
            let added = draft.create(Book.Note.self, value: ["text": "added"])
            #expect(gone?.isInvalidated == true && added.text == "added")
        }
    }

    /// An object that was added, undone and redone while others used its key is itself again.
    @Test(arguments: [false, true]) func redoneAfterMerge(isSaved: Bool) throws {
        try withDraft { realm, draft in
            let note = draft.create(Book.Note.self, value: ["text": "mine", "lines": ["1"]])
            note.other = note
            let lines = note.lines
            let linking = draft.objects(Book.Note.self).where { $0.other == note }
            let other = draft.create(Book.Note.self, value: ["text": "other"])
            draft.checkpoint()
            other.text = "changed"
            draft.checkpoint()
            try draft.undo()
            try draft.undo()
            #expect(note.isInvalidated && other.isInvalidated)
            try addElsewhere(realm, 3)
            if isSaved { try draft.save() } else { try draft.rebase() }
            try draft.rebase()
            #expect(note.isInvalidated && lines.isInvalidated && linking.isEmpty)
            let between = draft.objects(Book.Note.self).count
            #expect(try draft.redo())
            #expect(note.text == "mine" && other.text == "other" && Array(lines) == ["1"])
            #expect(linking.map(\.text) == ["mine"] && between == 3)
            try addElsewhere(realm, 2)
            try draft.rebase()
            #expect(try draft.redo())
            #expect(note.text == "mine" && other.text == "changed" && Array(lines) == ["1"])
            try draft.undo()
            try draft.undo()
            #expect(note.isInvalidated && other.isInvalidated)
            try draft.redo()
            #expect(note.text == "mine" && linking.map(\.text) == ["mine"])
            try draft.save()
            #expect(note.text == "mine" && realm.objects(Book.Note.self).count == 7)
        }
    }

    /// Objects that return get keys that the draft has never used, in what was undone neither.
    @Test func returnedAfterAnotherUndo() throws {
        try withDraft { realm, draft in
            let note = draft.create(Book.Note.self, value: ["text": "mine"])
            draft.checkpoint()
            draft.delete(note)
            draft.checkpoint()
            try addElsewhere(realm)
            try draft.rebase()
            let undone = draft.create(Book.Note.self, value: ["text": "undone"])
            draft.checkpoint()
            try draft.undo()
            try draft.undo()
            #expect(note.text == "mine" && undone.isInvalidated)
        }
    }

    /// A deletion of an added object that is undone after a merge.
    @Test func deletionUndoneAfterMerge() throws {
        try withDraft { realm, draft in
            let note = draft.create(Book.Note.self, value: ["text": "mine", "lines": ["1"]])
            draft.checkpoint()
            draft.delete(note)
            draft.checkpoint()
            try addElsewhere(realm, 3)
            try draft.rebase()
            #expect(note.isInvalidated)
            try draft.undo()
            #expect(note.text == "mine" && Array(note.lines) == ["1"])
            try draft.undo()
            #expect(note.isInvalidated)
            try draft.redo()
            #expect(note.text == "mine")
            try draft.save()
            #expect(realm.objects(Book.Note.self).count == 4)
        }
    }

    @Test func nestedDrafts() throws {
        try withDraft { realm, draft in
            let early = draft.create(Book.Note.self, value: ["text": "early"])
            draft.delete(early)
            let child = try draft.draft()
            let gone = child.create(Book.Note.self, value: ["text": "gone"])
            child.delete(gone)
            let mine = child.create(Book.Note.self, value: ["text": "mine"])
            let undone = draft.create(Book.Note.self, value: ["text": "undone"])
            try draft.undo()
            #expect(undone.isInvalidated)
            let theirs = draft.create(Book.Note.self, value: ["text": "theirs"])
            try child.save()
            #expect(gone.isInvalidated && early.isInvalidated && undone.isInvalidated)
            #expect(mine.text == "mine" && theirs.text == "theirs")
            child.create(Book.Note.self, value: ["text": "late"])
            #expect(gone.isInvalidated && mine.text == "mine")
            try addElsewhere(realm, 6)
            try child.save()
            try draft.save()
            #expect(theirs.text == "theirs")
            #expect(gone.isInvalidated && early.isInvalidated && undone.isInvalidated)
            #expect(realm.objects(Book.Note.self).count == 9)
        }
    }

    /// Embedded objects: deleted with their owner, or replaced.
    @Test func embeddedObjects() throws {
        try withDraft { realm, draft in
            let person = draft.create(Book.Person.self, value: ["id": 2])
            let first = Book.Address(value: ["street": "first"])
            person.addresses.append(first)
            let second = Book.Address(value: ["street": "second"])
            person.addresses.append(second)
            person.addresses.remove(at: 0)
            #expect(first.isInvalidated)
            try Book.elsewhere(realm) { realm in
                let person = realm.create(Book.Person.self, value: ["id": 3])
                for _ in 0..<3 {
                    person.addresses.append(Book.Address(value: ["street": "theirs"]))
                }
            }
            try draft.save()
            #expect(first.isInvalidated && second.street == "second")
            person.addresses.append(Book.Address(value: ["street": "third"]))
            #expect(first.isInvalidated && second.street == "second")
        }
    }

    /// Observers of rows that are gone are told so once, at the place that they know.
    @Test func observers() throws {
        try Book.withPerson { realm, _ in
            let scheduler = ManualScheduler()
            let draft = try Realm(configuration: realm.configuration, scheduler: scheduler).draft()
            var log: [String] = []
            let notes = (0..<3).map { draft.create(Book.Note.self, value: ["text": "\($0)"]) }
            let tokens = [
                notes[0].observe {
                    if case .deleted = $0 { log.append("deleted") } else { log.append("?") }
                },
                draft.objects(Book.Note.self).observe { change in
                    if case .update(_, let deletions, let insertions, let modifications) = change {
                        log.append("\(deletions) \(insertions) \(modifications)")
                    }
                },
            ]
            scheduler.runAll()
            draft.delete(notes[0])
            notes[2].text = "changed"
            try addElsewhere(realm, 4)
            try draft.save()
            scheduler.runAll()
            #expect(Set(log) == ["deleted", "[0] [0, 1, 2, 3] [2]"] && log.count == 2)
            tokens.forEach { $0.invalidate() }
        }
    }
}
