import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Editing in a draft: it sees its edits, and nobody else does.
@Suite struct DraftEditTests {
    @Test func editsAreSeenInTheDraftOnly() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            #expect(!draft.hasChanges)
            edited.name = "Eve"
            edited.tags.append("d")
            edited.home?.city = "Paris"
            edited.partner = Book.Person(value: ["id": 2, "name": "Bob"])
            draft.create(Book.Note.self, value: ["text": "new"])
            #expect(draft.hasChanges && edited.name == "Eve" && edited.home?.city == "Paris")
            #expect(draft.objects(Book.Person.self).where { $0.name == "Eve" }.count == 1)
            #expect(draft.objects(Book.Person.self).count == 2)
            #expect(draft.objects(Book.Note.self).first?.text == "new")
            #expect(person.name == "Ada" && person.tags.count == 3 && person.partner == nil)
            #expect(person.home?.city == "London" && realm.objects(Book.Note.self).isEmpty)
            #expect(Draft(edited.realm!) == draft && Draft(realm) == nil)
        }
    }

    @Test func saves() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            let note = draft.create(Book.Note.self, value: ["text": "new"])
            edited.notes.append(note)
            try draft.save()
            #expect(person.name == "Eve" && person.notes.first?.text == "new")
            #expect(!draft.hasChanges && edited.name == "Eve" && note.text == "new")
            edited.age = 37
            note.text = "newer"
            try draft.save()
            #expect(person.age == 37 && person.notes.first?.text == "newer")
        }
    }

    @Test func discards() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            draft.discard()
            #expect(draft.isDiscarded && edited.isInvalidated)
            #expect(!draft.hasChanges && draft.changes.isEmpty && !draft.canUndo)
            draft.discard()
            #expect(person.name == "Ada")
            do {
                let another = try realm.draft()
                another.resolve(person)?.name = "Lost"
            }
            realm.refresh()
            #expect(person.name == "Ada")
        }
    }

    @Test func holdsNoLock() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            draft.resolve(person)?.name = "Eve"
            try Book.elsewhere(realm) { try Book.person(in: $0).age = 1 }
            try realm.write { person.age = 2 }
            #expect(draft.resolve(person)?.age == 36)
        }
    }

    @Test func writeBlocksAreGroups() throws {
        try Book.withPerson { realm, person in
            struct Stop: Error {}
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.age = 1
            #expect(throws: Stop.self) {
                try draft.realm.write {
                    edited.name = "Eve"
                    throw Stop()
                }
            }
            #expect(edited.name == "Ada" && edited.age == 1)
            try draft.realm.write {
                edited.name = "Eve"
                #expect(draft.realm.isInWriteTransaction)
            }
            draft.realm.beginWrite()
            edited.name = "Mallory"
            draft.realm.cancelWrite()
            #expect(edited.name == "Eve" && !draft.realm.isInWriteTransaction)
            draft.group("Age") { edited.age = 7 }
            #expect(draft.undoNames == [nil, nil, "Age"])
        }
    }

    @Test func resolvesBothWays() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            #expect(realm.resolve(edited) == person && draft.resolve(edited) == edited)
            #expect(draft.resolve(person.freeze()) == edited)
            let tags = try #require(draft.resolve(person.tags))
            tags.append("x")
            #expect(edited.tags.last == "x" && realm.resolve(tags)?.count == 3)
            let people = realm.objects(Book.Person.self).where { $0.name == "Eve" }
            edited.name = "Eve"
            #expect(draft.resolve(people)?.count == 1 && people.isEmpty)
            let added = draft.create(Book.Note.self, value: ["text": "new"])
            #expect(realm.resolve(added) == nil)
            // Others' row with the same key is another object.
            let live = try realm.write { realm.create(Book.Note.self, value: ["text": "live"]) }
            #expect(draft.resolve(live) == nil && realm.resolve(added) == nil)
            let other = try realm.draft()
            #expect(other.resolve(added) == nil)
            let reference = ThreadSafeReference(to: person)
            #expect(draft.resolve(reference) == edited)
        }
    }

    @Test func draftsOfFrozenRealmsAndOlderVersions() throws {
        try Book.withPerson { realm, person in
            let frozen = realm.freeze()
            try realm.write { person.age = 40 }
            let draft = try frozen.draft()
            let edited = try #require(draft.resolve(person))
            #expect(edited.age == 36)
            edited.name = "Eve"
            try draft.save()
            #expect(person.name == "Eve" && person.age == 40 && edited.age == 40)
            edited.age += 1
            try draft.save()
            #expect(person.age == 41)
        }
    }

    @Test func changesTellOldAndNewValues() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            edited.age = 1
            edited.age = 36
            edited.tags.append("d")
            draft.create(Book.Country.self, value: ["code": "GB", "name": "Britain"])
            let changes = draft.changes
            #expect(changes.map(\.kind) == [.added, .changed])
            #expect(changes[0].object.primaryKey == "GB")
            #expect(
                changes[1].properties.map(\.name) == ["name", "tags"]
                    && changes[1].properties[0].old == "Ada"
                    && changes[1].properties[0].new == "Eve"
                    && changes[1].properties[1].new == .list(["a", "b", "c", "d"]))
            #expect(changes[1].description.contains("name: \"Ada\" -> \"Eve\""))
            edited.name = "Ada"
            edited.tags.removeLast()
            draft.delete(draft.objects(Book.Country.self))
            #expect(draft.changes.isEmpty && !draft.hasChanges)
            draft.delete(edited)
            #expect(draft.changes.map(\.kind).contains(.deleted))
        }
    }
}
