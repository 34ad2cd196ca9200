import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Saving a draft whose edits were changed back: there is nothing to write.
@Suite struct UnchangedSaveTests {
    private func version(_ realm: Realm) throws -> UInt64 {
        try realm.versionReport().newestVersion
    }

    /// Edits everything, and changes it back.
    private func editForNothing(_ draft: Draft) throws {
        let person = try Book.person(in: draft.realm)
        (person.name, person.age, person.nickname) = ("Eve", 50, "E")
        (person.name, person.age, person.nickname) = ("Ada", 36, nil)
        person.tags.append("d")
        person.tags.removeLast()
        person.scores.insert(1)
        person.scores.remove(1)
        person.numbers["x"] = "1"
        person.numbers["x"] = nil
        person.any = .int(1)
        person.any = .none
        person.home?.city = "Paris"
        person.home?.city = "London"
        draft.delete(draft.create(Book.Note.self, value: ["text": "new"]))
        person.increment(\.age, by: 2)
        person.increment(\.age, by: -2)
    }

    @Test func writesNothing() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let before = try version(realm)
            try editForNothing(draft)
            #expect(!draft.hasChanges && draft.changes.isEmpty)
            try draft.save()
            #expect(try version(realm) == before && !draft.hasChanges)
            let undo = realm.undoManager
            undo.isRecording = true
            try draft.save(resolving: .mine)
            #expect(try version(realm) == before && !undo.canUndo)
            // What comes after is saved.
            try Book.person(in: draft.realm).tags.append("d")
            try draft.save()
            #expect(try version(realm) == before + 1 && person.tags.count == 4 && undo.canUndo)
        }
    }

    @Test @MainActor func writesNothingWithoutBlocking() async throws {
        let directory = try TemporaryDirectory()
        do {
            let realm = try await Realm.open(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Book.all))
            try await realm.asyncWrite {
                let person = realm.create(
                    Book.Person.self, value: ["id": 1, "name": "Ada", "age": 36, "tags": ["a"]])
                person.home = Book.Address(value: ["street": "Main Street", "city": "London"])
            }
            let before = try version(realm)
            let draft = try realm.draft()
            try editForNothing(draft)
            try await draft.save()
            #expect(try version(realm) == before)
            try Book.person(in: draft.realm).name = "Eve"
            try await draft.save()
            #expect(try version(realm) == before + 1)
            #expect(try realm.check().isEmpty)
        }
        directory.delete()
    }

    /// What others did to the rows that were edited for nothing stays.
    @Test func othersLoseNothing() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            try editForNothing(draft)
            try Book.elsewhere(realm) {
                let person = try Book.person(in: $0)
                (person.name, person.age) = ("Grace", 60)
                person.tags.removeAll()
                person.home?.city = "Oslo"
            }
            let before = try version(realm)
            #expect(try draft.conflicts.isEmpty)
            try draft.save()
            #expect(try version(realm) == before)
            realm.refresh()
            #expect(person.name == "Grace" && person.tags.isEmpty && person.home?.city == "Oslo")
            // The draft's view is that of its base, as without the save.
            let edited = try Book.person(in: draft.realm)
            #expect(edited.name == "Ada" && edited.tags.count == 3)
            try draft.rebase()
            #expect(edited.name == "Grace" && edited.tags.isEmpty && !draft.hasChanges)
            edited.nickname = "G"
            try draft.save()
            #expect(person.nickname == "G" && person.name == "Grace" && person.age == 60)
        }
    }

    /// Steps of undo lead over a save that wrote nothing.
    @Test func undoStepsStay() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            draft.checkpoint("Rename")
            edited.name = "Ada"
            draft.checkpoint("Back")
            let before = try version(realm)
            try draft.save()
            #expect(try version(realm) == before && draft.undoNames == ["Rename", "Back"])
            try draft.undo()
            #expect(edited.name == "Eve" && draft.hasChanges)
            try draft.save()
            #expect(person.name == "Eve")
            try draft.undo()
            try draft.redo()
            try draft.save()
            #expect(try version(realm) == before + 1 && edited.name == "Eve")
        }
    }

    /// A nested draft adds no step to its parent.
    @Test func nestedDrafts() throws {
        try Book.withPerson { realm, _ in
            let draft = try realm.draft()
            let inner = try draft.draft()
            try editForNothing(inner)
            try inner.save()
            #expect(!draft.hasChanges && !draft.canUndo && !inner.hasChanges)
            // Beside edits of the parent, which the nested draft then sees.
            try editForNothing(inner)
            try Book.person(in: draft.realm).name = "Eve"
            try inner.save()
            #expect(draft.undoNames == [nil])
            #expect(try Book.person(in: inner.realm).name == "Eve")
            try Book.person(in: inner.realm).age = 50
            try inner.save()
            #expect(draft.undoNames == [nil, nil])
            try draft.undo()
            #expect(try Book.person(in: draft.realm).age == 36)
        }
    }

    /// Increments that were taken back do not count towards later ones.
    @Test func increments() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.increment(\.age, by: 5)
            edited.age = 36
            try draft.save()
            edited.increment(\.age, by: 1)
            try Book.elsewhere(realm) { try Book.person(in: $0).age += 10 }
            try draft.save()
            #expect(person.age == 47)
        }
    }
}
