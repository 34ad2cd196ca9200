import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct NestedDraftTests {
    @Test func savesIntoTheParent() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            let inner = try draft.draft()
            #expect(inner.parent == draft && !inner.hasChanges)
            let innermost = try #require(inner.resolve(edited))
            #expect(innermost.name == "Eve")
            innermost.age = 50
            inner.create(Book.Note.self, value: ["text": "inner"])
            #expect(edited.age == 36 && inner.hasChanges)
            try inner.save()
            #expect(edited.age == 50 && person.age == 36 && !inner.hasChanges)
            #expect(
                draft.objects(Book.Note.self).count == 1 && realm.objects(Book.Note.self).isEmpty)
            innermost.nickname = "E"
            try inner.save()
            try draft.save()
            #expect(person.name == "Eve" && person.age == 50 && person.nickname == "E")
        }
    }

    @Test func mergesWithTheParentsEdits() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            let inner = try draft.draft()
            let innermost = try #require(inner.resolve(person))
            innermost.age = 50
            let mine = inner.create(Book.Note.self, value: ["text": "inner"])
            edited.name = "Eve"
            let theirs = draft.create(Book.Note.self, value: ["text": "outer"])
            #expect(inner.resolve(theirs) == nil && draft.resolve(mine) == nil)
            #expect(try inner.rebase())
            #expect(innermost.name == "Eve" && mine.text == "inner")
            #expect(inner.resolve(theirs)?.text == "outer")
            edited.age = 60
            #expect(throws: DraftConflict.self) { try inner.save() }
            try inner.save(resolving: .mine)
            #expect(edited.age == 50 && draft.objects(Book.Note.self).count == 2)
            #expect(try draft.undo() && edited.age == 60)
            inner.discard()
            #expect(edited.age == 60)
        }
    }

    @Test func aDiscardedParent() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let inner = try draft.draft()
            try #require(inner.resolve(person)).age = 1
            #expect(inner.hasChanges)
        }
    }
}
