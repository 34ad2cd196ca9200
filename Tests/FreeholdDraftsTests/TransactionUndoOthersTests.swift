import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// What others do to the file between a transaction and its undo.
@Suite struct TransactionUndoOthersTests {
    // MARK: Keys that others took

    /// A row that is added again gets another key if the realm assigns them.
    @Test func addedAgainBesideOthers() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write {
                #expect(realm.create(Book.Order.self, value: ["text": "mine"]).id == 1)
                person.notes.append(realm.create(Book.Note.self, value: ["text": "mine"]))
            }
            try realm.write {
                realm.objects(Book.Order.self)[0].text = "mine, edited"
                realm.objects(Book.Note.self)[0].text = "mine, edited"
            }
            try undo.undo()
            try undo.undo()
            try Book.elsewhere(realm) {
                $0.create(Book.Order.self, value: ["id": 1, "text": "theirs"])
                $0.create(Book.Note.self, value: ["text": "theirs"])
            }
            let orders = realm.objects(Book.Order.self).sorted(by: \.text)
            try undo.redo()
            #expect(orders.map(\.text) == ["mine", "theirs"] && orders.last?.id == 1)
            #expect(orders.first?.id ?? 0 > 1 && person.notes.map(\.text) == ["mine"])
            // The steps behind follow.
            try undo.redo()
            #expect(orders.map(\.text) == ["mine, edited", "theirs"])
            #expect(person.notes.map(\.text) == ["mine, edited"])
            try undo.undo()
            try undo.undo()
            #expect(orders.map(\.text) == ["theirs"] && person.notes.isEmpty)
            #expect(realm.objects(Book.Note.self).map(\.text) == ["theirs"])
            for _ in 1...2 { try undo.redo() }
            #expect(orders.map(\.text) == ["mine, edited", "theirs"])
        }
    }

    /// A deleted object is no other one: it returns with its key, or conflicts.
    @Test func deletedObjectsKeepTheirKeys() throws {
        try Book.withPerson { realm, _ in
            let undo = realm.undoManager
            try realm.write { realm.create(Book.Order.self, value: ["text": "mine"]) }
            undo.isRecording = true
            try realm.write { realm.delete(realm.objects(Book.Order.self)) }
            try Book.elsewhere(realm) {
                $0.create(Book.Order.self, value: ["id": 1, "text": "theirs"])
            }
            let conflict = try #require(throws: DraftConflict.self) { try undo.undo() }
            #expect(conflict.conflicts.map(\.kind) == [.createdTwice])
            #expect(realm.objects(Book.Order.self).map(\.text) == ["theirs"] && undo.canUndo)
            try undo.undo(resolving: .mine)
            #expect(realm.objects(Book.Order.self).map(\.text) == ["mine"])
        }
    }

    /// The same in a draft, whose steps lead over saved versions.
    @Test func draftsAddAgainBesideOthers() throws {
        try Book.withPerson { realm, _ in
            let draft = try realm.draft()
            draft.create(Book.Order.self, value: ["text": "mine"])
            draft.checkpoint()
            try draft.save()
            try draft.undo()
            try draft.save()
            #expect(realm.objects(Book.Order.self).isEmpty)
            try Book.elsewhere(realm) {
                $0.create(Book.Order.self, value: ["id": 1, "text": "theirs"])
            }
            try draft.rebase()
            try draft.redo()
            try draft.save()
            let orders = realm.objects(Book.Order.self).sorted(by: \.text)
            #expect(orders.map(\.text) == ["mine", "theirs"] && orders.last?.id == 1)
        }
    }

    // MARK: The file

    @Test func aFileThatWasCompacted() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write {
                person.name = "Eve"
                person.tags.removeAll()
                realm.create(Book.Note.self, value: ["text": "new"])
            }
            try realm.write { realm.delete(person) }
            try realm.compact()
            #expect(try undo.undo() && person.name == "Eve")
            try realm.compact()
            #expect(try undo.undo() && person.name == "Ada" && person.tags.count == 3)
            #expect(realm.objects(Book.Note.self).isEmpty)
            try realm.compact()
            #expect(try undo.redo() && undo.redo() && person.isInvalidated)
        }
    }

    /// A draft that is saved between two transactions is a step between them.
    @Test func aDraftSavedInBetween() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            try realm.write { person.age = 1 }
            edited.nickname = "D"
            edited.tags.append("draft")
            try undo.group("Draft") { try draft.save() }
            try realm.write { person.tags.append("live") }
            #expect(undo.undoNames == [nil, "Draft", nil])
            try undo.undo()
            #expect(Array(person.tags) == ["a", "b", "c", "draft"])
            try undo.undo()
            #expect(person.nickname == nil && person.tags.count == 3 && person.age == 1)
            try undo.undo()
            #expect(person.age == 36)
            for _ in 1...3 { try undo.redo() }
            #expect(Array(person.tags) == ["a", "b", "c", "draft", "live"] && person.age == 1)
            // The draft knows nothing of it, and merges.
            edited.name = "Eve"
            try draft.save()
            #expect(person.name == "Eve" && person.tags.count == 5)
        }
    }

    // MARK: Other processes

    @Test func commitsOfAnotherProcess() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file().path
        let (isReady, isWritten) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let done: Void = awaitThread {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: Book.all))
            let person = try realm.write {
                realm.create(Book.Person.self, value: ["id": 1, "name": "Ada"])
            }
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { person.name = "Eve" }
            try realm.write {
                person.nickname = "E"
                person.tags.append("mine")
            }
            isReady.signal()
            isWritten.wait()
            try undo.undo()
            #expect(person.nickname == nil && Array(person.tags) == ["theirs"])
            let conflict = try #require(throws: DraftConflict.self) { try undo.undo() }
            #expect(conflict.conflicts.map(\.property) == ["name"])
            #expect(person.name == "Grace" && person.age == 7)
            try undo.undo(resolving: .mine)
            #expect(person.name == "Ada" && person.age == 7)
            #expect(try realm.check().isEmpty)
        }
        await wait(for: isReady)
        let child = await ChildThatWaits.turn()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: Book.all))
            try realm.write {
                let person = try Book.person(in: realm)
                (person.name, person.age) = ("Grace", 7)
                person.tags.insert("theirs", at: 0)
            }
        }
        child.end()
        isWritten.signal()
        try await done
        directory.delete()
    }

    /// Another process has removed a property that the realm has.
    @Test func aFileThatWasMigrated() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file().path
        let (isReady, isMigrated) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let done: Void = awaitThread {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: [MigratedBook.Before.self]))
            let note = try realm.write {
                realm.create(MigratedBook.Before.self, value: ["text": "first"])
            }
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { note.text = "second" }
            try realm.write { note.text = "third" }
            try undo.undo()
            isReady.signal()
            isMigrated.wait()
            for step in [{ try undo.undo() }, { try undo.redo() }] {
                let error = try #require(throws: Realm.Error.self) { try step() }
                #expect(error.code == .schemaMismatch)
            }
            #expect(note.text == "second" && undo.canUndo && undo.canRedo)
        }
        await wait(for: isReady)
        let child = await ChildThatWaits.turn()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), schemaVersion: 1,
                    objectTypes: [MigratedBook.After.self]))
            try #require(realm.objects(MigratedBook.After.self).map(\.text) == ["second"])
        }
        child.end()
        isMigrated.signal()
        try await done
        directory.delete()
    }

    /// Another process has added a property: steps are those of the others.
    @Test func aFileWithMoreProperties() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file().path
        let (isReady, isMigrated) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let done: Void = awaitThread {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: [MigratedBook.After.self]))
            let note = try realm.write {
                realm.create(MigratedBook.After.self, value: ["text": "first"])
            }
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { note.text = "second" }
            try realm.write { realm.delete(note) }
            isReady.signal()
            isMigrated.wait()
            try undo.undo()
            #expect(note.text == "second")
            try undo.undo()
            #expect(note.text == "first")
            #expect(try realm.check().isEmpty)
        }
        await wait(for: isReady)
        let child = await ChildThatWaits.turn()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), schemaVersion: 1,
                    objectTypes: [MigratedBook.Before.self]))
            try realm.write { realm.create(MigratedBook.Before.self, value: ["more": 7]) }
        }
        child.end()
        isMigrated.signal()
        try await done
        directory.delete()
    }
}
