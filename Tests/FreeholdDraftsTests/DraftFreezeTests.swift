import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Frozen values of a draft: they have its edits, and any number of threads read them.
@Suite struct DraftFreezeTests {
    @Test func haveTheEdits() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            edited.tags.append("d")
            edited.home?.city = "Paris"
            let note = draft.create(
                Book.Note.self, value: ["text": "new", "lines": ["1", "2"]])
            edited.notes.append(note)
            draft.create(Book.Country.self, value: ["code": "GB", "name": "Britain"])
            let frozen = edited.freeze()
            #expect(frozen.isFrozen && frozen.name == "Eve" && frozen.tags.last == "d")
            #expect(frozen.home?.city == "Paris" && frozen.notes.first?.lines.count == 2)
            #expect(frozen.notes.first?.people.first?.name == "Eve")
            let whole = draft.realm.freeze()
            #expect(whole.objects(Book.Note.self).where { $0.text == "new" }.count == 1)
            #expect(whole.object(ofType: Book.Country.self, forPrimaryKey: "GB")?.name == "Britain")
            edited.name = "Grace"
            note.lines.removeAll()
            draft.delete(draft.objects(Book.Country.self))
            #expect(frozen.name == "Eve" && frozen.notes.first?.lines.count == 2)
            #expect(whole.objects(Book.Country.self).count == 1)
            #expect(edited.freeze().name == "Grace")
            // What the draft has added is nowhere else.
            #expect(frozen.thaw()?.name == "Ada" && note.freeze().thaw() == nil)
            #expect(draft.resolve(frozen) == edited && realm.resolve(note.freeze()) == nil)
        }
    }

    @Test func onManyThreads() throws {
        try Book.withPerson { realm, person in
            try realm.write {
                for id in 2...2000 {
                    realm.create(Book.Person.self, value: ["id": id, "name": "\(id)"])
                }
            }
            let draft = try realm.draft()
            for id in stride(from: 2, through: 2000, by: 7) {
                let person = try Book.person(id, in: draft.realm)
                person.name = "edited \(id)"
                person.tags.append(objectsIn: (0..<id % 40).map { "\($0)" })
            }
            draft.delete(draft.objects(Book.Person.self).where { $0.id > 1900 })
            let people = Frozen(draft.objects(Book.Person.self))
            let expected = Array(
                draft.objects(Book.Person.self).map { "\($0.name) \($0.tags.count)" })
            try runThreads(4) { _ in
                for _ in 0..<3 {
                    let found = people.unsafeValue.map { "\($0.name) \($0.tags.count)" }
                    #expect(Array(found) == expected)
                    let edited = people.unsafeValue.where { $0.name.starts(with: "edited") }
                    #expect(
                        edited.count == 272 && edited.allSatisfy { $0.tags.count == $0.id % 40 })
                }
            }
        }
    }

    @Test func keepTheirVersion() throws {
        try Book.withPerson { realm, person in
            func frozen() throws -> [Realm.PinnedVersion] {
                try realm.versionReport().pins.filter { $0.holder == .frozen }
            }
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            do {
                let value = edited.freeze()
                try draft.save()
                #expect(try frozen().count == 1 && value.name == "Eve")
                try realm.write { person.name = "Grace" }
                #expect(value.name == "Eve")
            }
            edited.name = "X"
            _ = edited.freeze()
            edited.name = "Y"
            #expect(try frozen().count <= 1)
        }
    }
}
