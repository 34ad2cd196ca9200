import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Objects of drafts on their way to other threads, and reports about drafts.
@Suite struct DraftCrossingTests {
    @Test func references() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            let reference = ThreadSafeReference(to: edited)
            let configuration = realm.configuration
            // A reference is to the row of the file, which the edits are not in.
            let name = try onNewThread {
                try Realm(configuration: configuration).resolve(reference)?.name
            }
            #expect(name == "Ada")
            let added = draft.create(Book.Note.self, value: ["text": "new"])
            try draft.save()
            let saved = ThreadSafeReference(to: added)
            let text = try onNewThread {
                try Realm(configuration: configuration).resolve(saved)?.text
            }
            #expect(text == "new")
        }
    }

    @Test func referenceToWhatIsNotSaved() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try Book.withPerson { realm, _ in
                let draft = try realm.draft()
                _ = ThreadSafeReference(
                    to: draft.create(Book.Note.self, value: ["text": "new"]))
            }
        }
        expectMessage(result, "an object that its draft has not saved", "Save the draft first")
    }

    @Test func theVersionReportNamesDrafts() throws {
        try Book.withPerson { realm, person in
            func drafts() throws -> [Realm.PinnedVersion] {
                try realm.versionReport().pins.filter { $0.holder == .draft }
            }
            let draft = try realm.draft()
            let line = #line - 1
            try realm.write { person.age = 1 }
            let pin = try #require(drafts().first)
            #expect(try drafts().count == 1 && pin.place?.line == UInt(line))
            #expect(pin.description.contains("is read by a draft"))
            let inner = try draft.draft()
            try draft.rebase()
            #expect(try drafts().map(\.version).sorted() == drafts().map(\.version))
            #expect(try drafts().count == 2 && Set(drafts().map(\.version)).count == 2)
            try inner.rebase()
            #expect(try Set(drafts().map(\.version)).count == 1)
            inner.discard()
            draft.discard()
            #expect(try drafts().isEmpty)
        }
    }

    @Test func copies() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            try #require(draft.resolve(person)).name = "Eve"
            try withTemporaryDirectory { directory in
                let copy = directory.file("copy.freehold")
                try draft.realm.writeCopy(toFile: copy)
                let copied = try Realm(
                    configuration: Realm.Configuration(fileURL: copy, objectTypes: Book.all))
                #expect(try Book.person(in: copied).name == "Eve")
                #expect(try copied.check().isEmpty)
            }
            #expect(draft.resolve(person)?.name == "Eve" && person.name == "Ada")
            try draft.save()
            #expect(person.name == "Eve")
        }
    }

    @Test func refusals() async {
        let compact = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try Book.withPerson { realm, _ in _ = try realm.draft().realm.compact() }
        }
        expectMessage(compact, "Cannot compact a draft.")
        let write = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try Book.withPerson { realm, _ in try realm.draft().realm.writeAsync {} }
        }
        expectMessage(write, "A draft has no asynchronous writes: Realm.writeAsync")
        let ended = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try Book.withPerson { realm, _ in
                let draft = try realm.draft()
                draft.discard()
                _ = draft.objects(Book.Person.self).count
            }
        }
        expectMessage(ended, "This draft has ended", "Draft.isDiscarded")
        let open = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try Book.withPerson { realm, _ in
                let draft = try realm.draft()
                try draft.group { try draft.save() }
            }
        }
        expectMessage(open, "Draft.save() is not possible inside of a write block")
    }

    @Test func draftsInTransactions() throws {
        try Book.withPerson { realm, person in
            try realm.write {
                let draft = try realm.draft()
                try #require(draft.resolve(person)).age = 5
                #expect(throws: Realm.Error.self) { try draft.save() }
                #expect(draft.hasChanges)
                person.age = 6
                #expect(throws: Realm.Error.self) { try realm.draft() }
            }
        }
    }
}
