import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Undo in a realm whose scheduler is stepped by hand.
@Suite struct TransactionUndoSchedulingTests {
    private func withScheduledPerson(
        _ body: (Realm, Book.Person, ManualScheduler) throws -> Void
    ) throws {
        let directory = try TemporaryDirectory()
        let scheduler = ManualScheduler()
        let realm = try Realm(
            configuration: Realm.Configuration(fileURL: directory.file(), objectTypes: Book.all),
            scheduler: scheduler)
        let person = Book.Person()
        (person.id, person.name, person.age) = (1, "Ada", 36)
        try realm.write { realm.add(person) }
        try body(realm, person, scheduler)
        finish(realm, scheduler)
        #expect(try realm.check().isEmpty, "The file is kept at \(directory.url.path).")
        directory.delete()
    }

    private func finish(_ realm: Realm, _ scheduler: ManualScheduler) {
        while realm.isPerformingAsynchronousWriteOperations {
            scheduler.waitForWork()
            scheduler.runAll()
        }
    }

    @Test func observersAreTold() throws {
        try withScheduledPerson { realm, person, _ in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { person.name = "Eve" }
            var names: [String] = []
            let token = realm.observe { _, realm in
                names.append(realm.objects(Book.Person.self)[0].name)
            }
            defer { token.invalidate() }
            try undo.undo()
            try undo.redo()
            #expect(names == ["Ada", "Eve"])
        }
    }

    /// An observer of an undo may write: that is a step of its own.
    @Test func observersMayWrite() throws {
        try withScheduledPerson { realm, person, _ in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { person.name = "Eve" }
            var isDone = false
            let token = realm.observe { _, realm in
                if isDone { return }
                isDone = true
                try! realm.write { person.age = 1 }
            }
            defer { token.invalidate() }
            try undo.undo()
            #expect(person.name == "Ada" && person.age == 1)
            #expect(undo.undoNames.count == 1 && !undo.canRedo)
            try undo.undo()
            #expect(person.name == "Ada" && person.age == 36)
        }
    }

    @Test func asynchronousWrites() throws {
        try withScheduledPerson { realm, person, scheduler in
            let undo = realm.undoManager
            undo.isRecording = true
            realm.writeAsync { person.name = "Eve" }
            finish(realm, scheduler)
            for age in 1...3 {
                realm.beginAsyncWrite {
                    undo.setActionName("\(age)")
                    person.age = age
                    realm.commitAsyncWrite(allowGrouping: true)
                }
            }
            finish(realm, scheduler)
            #expect(undo.undoNames == [nil, "1", "2", "3"])
            for age in [2, 1, 36] {
                try undo.undo()
                #expect(person.age == age)
            }
            #expect(try undo.undo() && person.name == "Ada")
            for _ in 1...4 { #expect(try undo.redo()) }
            #expect(person.age == 3 && person.name == "Eve")
        }
    }

    /// A step of an asynchronous write can be undone before it is on the disk.
    @Test func undoWaitsForTheDisk() throws {
        try withScheduledPerson { realm, person, scheduler in
            let undo = realm.undoManager
            undo.isRecording = true
            var order: [String] = []
            realm.writeAsync {
                person.name = "Eve"
            } onComplete: { _ in
                order.append("written")
            }
            scheduler.waitForWork()
            scheduler.runAll()
            #expect(person.name == "Eve" && undo.undoNames.count == 1)
            try undo.undo()
            #expect(person.name == "Ada")
            finish(realm, scheduler)
            #expect(order == ["written"] && undo.redoNames.count == 1)
        }
    }

    /// A task's write is a step, too.
    @Test @MainActor func writesOfTasks() async throws {
        let directory = try TemporaryDirectory()
        do {
            let realm = try await Realm.open(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Book.all))
            let undo = realm.undoManager
            undo.isRecording = true
            try await realm.asyncWrite {
                _ = realm.create(Book.Note.self, value: ["text": "new"])
            }
            #expect(undo.undoNames.count == 1)
            let draft = try realm.draft()
            draft.objects(Book.Note.self)[0].text = "edited"
            try await draft.save()
            #expect(undo.undoNames.count == 2)
            #expect(try undo.undo())
            #expect(realm.objects(Book.Note.self).map(\.text) == ["new"])
            #expect(try undo.undo() && realm.objects(Book.Note.self).isEmpty)
            #expect(try realm.check().isEmpty)
        }
        directory.delete()
    }
}
