import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// `try await draft.save()`.
@Suite struct AsyncSaveTests {
    /// A form on an actor.
    private actor Editor {
        private var draft: Draft?
        private let configuration: Realm.Configuration

        init(_ configuration: Realm.Configuration) { self.configuration = configuration }

        func begin() async throws {
            draft = try await Realm.open(configuration: configuration).draft()
        }

        private var person: Book.Person {
            get throws {
                try #require(draft?.object(ofType: Book.Person.self, forPrimaryKey: 1))
            }
        }

        func edit(name: String? = nil, age: Int? = nil) throws {
            let person = try person
            if let name { person.name = name }
            if let age { person.age = age }
        }

        func save() async throws { try await draft?.save() }
        func save(resolving resolution: DraftConflict.Resolution) async throws {
            try await draft?.save(resolving: resolution)
        }
        var hasChanges: Bool { draft?.hasChanges ?? false }
        var values: [String] {
            get throws { [try person.name, "\(try person.age)"] }
        }

        /// Edits while a save is under way.
        func saveAndEdit() async throws {
            async let saved: Void = save()
            await Task.yield()
            try edit(age: 77)
            try await saved
        }

        func group() async throws {
            try await draft?.realm.asyncWrite { try self.person.name = "Group" }
        }

        func discardWhileSaving() async throws {
            async let saved: Void = save()
            await Task.yield()
            draft?.discard()
            try await saved
        }
    }

    private func withEditor(
        _ body: (
            Editor, @Sendable (@escaping @Sendable (Realm) throws -> Void) async throws -> Void
        )
            async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: Book.all)
        let here: @Sendable (@escaping @Sendable (Realm) throws -> Void) async throws -> Void = {
            body in
            try await awaitThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { try body(realm) }
            }
        }
        try await here { $0.create(Book.Person.self, value: ["id": 1, "name": "Ada", "age": 36]) }
        let editor = Editor(configuration)
        try await editor.begin()
        try await body(editor, here)
        try await awaitThread { try expectSound(configuration) }
        directory.delete()
    }

    private func expect(
        _ values: [String],
        _ elsewhere: (@escaping @Sendable (Realm) throws -> Void) async throws
            -> Void
    ) async throws {
        try await elsewhere {
            let person = try Book.person(in: $0)
            #expect([person.name, "\(person.age)"] == values)
        }
    }

    @Test func saves() async throws {
        try await withEditor { editor, elsewhere in
            try await editor.edit(name: "Eve")
            try await editor.save()
            #expect(await !editor.hasChanges)
            try await expect(["Eve", "36"], elsewhere)
            try await editor.save()
            try await editor.edit(age: 50)
            try await elsewhere { try Book.person(in: $0).name = "Grace" }
            try await editor.save()
            try await expect(["Grace", "50"], elsewhere)
            #expect(try await editor.values == ["Grace", "50"])
            try await editor.group()
            try await editor.save()
            try await expect(["Group", "50"], elsewhere)
        }
    }

    @Test func conflicts() async throws {
        try await withEditor { editor, elsewhere in
            try await editor.edit(name: "Eve")
            try await elsewhere { try Book.person(in: $0).name = "Grace" }
            await #expect(throws: DraftConflict.self) { try await editor.save() }
            #expect(await editor.hasChanges)
            try await editor.save(resolving: .mine)
            try await expect(["Eve", "36"], elsewhere)
        }
    }

    @Test func editsDuringASaveStay() async throws {
        try await withEditor { editor, elsewhere in
            try await editor.edit(name: "Eve")
            try await editor.saveAndEdit()
            #expect(try await editor.values == ["Eve", "77"])
            try await editor.save()
            try await expect(["Eve", "77"], elsewhere)
        }
    }

    @Test func discardedDuringASave() async throws {
        try await withEditor { editor, elsewhere in
            try await editor.edit(name: "Eve")
            try await editor.discardWhileSaving()
            try await elsewhere {
                let name = try Book.person(in: $0).name
                #expect(["Ada", "Eve"].contains(name))
            }
        }
    }

    @Test func cancelledWhileOthersWrite() async throws {
        try await withEditor { editor, elsewhere in
            try await editor.edit(name: "Eve")
            let (begun, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let writing: Void = elsewhere { _ in
                begun.signal()
                released.wait()
            }
            await wait(for: begun)
            let saving = Task { try await editor.save() }
            saving.cancel()
            await #expect(throws: CancellationError.self) { try await saving.value }
            released.signal()
            try await writing
            #expect(await editor.hasChanges)
            try await editor.save()
            try await expect(["Eve", "36"], elsewhere)
        }
    }

    @Test @MainActor func onTheMainActor() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: Book.all)
        let realm = try await Realm.open(configuration: configuration)
        let draft = try realm.draft()
        let person = draft.create(Book.Person.self, value: ["id": 1, "name": "Ada"])
        try await draft.save()
        #expect(realm.objects(Book.Person.self).first?.name == "Ada" && person.name == "Ada")
        #expect(try realm.check().isEmpty)
        directory.delete()
    }
}
