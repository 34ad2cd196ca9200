import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Drafts wherever realms are used: on threads, queues, actors, executors of the program.
@Suite struct DraftConfinementTests {
    private func withConfiguration(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Realm.Configuration) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Book.all)
        try await body(configuration)
        try await awaitThread { try expectSound(configuration) }
        directory.delete()
    }

    private func editAndSave(_ draft: Draft, _ id: Int) throws {
        let person = draft.create(Book.Person.self, value: ["id": id, "name": "Ada"])
        person.tags.append("new")
        try draft.save()
        #expect(person.name == "Ada" && !draft.hasChanges)
    }

    private func expectPeople(_ count: Int, _ configuration: Realm.Configuration) async throws {
        let found = try await awaitThread {
            try Realm(configuration: configuration).objects(Book.Person.self).count
        }
        #expect(found == count)
    }

    @Test func onThreads() async throws {
        try await withConfiguration { configuration in
            try await awaitThread {
                try editAndSave(try Realm(configuration: configuration).draft(), 1)
                try editAndSave(try Realm.draft(configuration: configuration), 2)
            }
            try await expectPeople(2, configuration)
        }
    }

    @Test func onAQueue() async throws {
        try await withConfiguration { configuration in
            let queue = DispatchQueue(label: "drafts")
            try await awaitThread {
                try queue.sync {
                    try editAndSave(
                        try Realm.draft(configuration: configuration, queue: queue), 1)
                }
            }
            try await expectPeople(1, configuration)
        }
    }

    @Test @MainActor func onTheMainActor() async throws {
        try await withConfiguration { configuration in
            let realm = try await Realm.open(configuration: configuration)
            let draft = try realm.draft()
            draft.create(Book.Person.self, value: ["id": 1])
            try await draft.save()
            #expect(realm.objects(Book.Person.self).count == 1)
        }
    }

    private actor Writer: PinnedActor {
        let executor = PinnedExecutor("drafts")

        func write(_ configuration: Realm.Configuration) async throws {
            let draft = try Realm.draft(configuration: configuration)
            let person = draft.create(Book.Person.self, value: ["id": 1, "name": "Ada"])
            try await draft.save()
            #expect(person.name == "Ada" && !draft.hasChanges)
            let inner = try draft.draft()
            inner.create(Book.Person.self, value: ["id": 2])
            try await inner.save()
            try await draft.save(resolving: .mine)
        }
    }

    @Test func onAPinnedActor() async throws {
        try await withConfiguration { configuration in
            try await Writer().write(configuration)
            try await expectPeople(2, configuration)
        }
    }

    private actor Reader {
        func write(_ realm: FrozenRealm) async throws {
            let draft = try realm.value.draft()
            draft.create(Book.Person.self, value: ["id": 1])
            try await draft.save()
        }
    }

    private struct FrozenRealm: @unchecked Sendable {
        // Sendable: a frozen realm may be used anywhere.
        let value: Realm
    }

    @Test func ofAFrozenRealmOnAnActor() async throws {
        try await withConfiguration { configuration in
            let frozen = try await awaitThread {
                FrozenRealm(value: try Realm(configuration: configuration).freeze())
            }
            try await Reader().write(frozen)
            try await expectPeople(1, configuration)
        }
    }

    @Test func onATasksRealm() async throws {
        try await withConfiguration { configuration in
            try await Task.detached {
                let realm = try await Realm.open(configuration: configuration)
                let draft = try realm.draft()
                draft.create(Book.Person.self, value: ["id": 1])
                let save: () throws -> Void = { try draft.save() }
                try save()
            }.value
            try await expectPeople(1, configuration)
        }
    }

    @Test func onTheWrongThread() async throws {
        try await withConfiguration { configuration in
            try await awaitThread {
                let draft = try Realm.draft(configuration: configuration)
                let moved = Moved(value: draft)
                try onNewThread {
                    #expect(throws: ConfinementViolation.self) { try moved.value.save() }
                    #expect(throws: ConfinementViolation.self) { try moved.value.rebase() }
                    #expect(throws: ConfinementViolation.self) { try moved.value.draft() }
                    #expect(throws: ConfinementViolation.self) { try moved.value.conflicts }
                }
            }
        }
    }

    private struct Moved: @unchecked Sendable {
        // Sendable: wrong on purpose.
        let value: Draft
    }
}
