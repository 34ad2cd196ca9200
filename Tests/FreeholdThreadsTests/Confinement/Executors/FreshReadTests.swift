import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What begins after a commit was acknowledged sees it, wherever it runs.
@Suite struct FreshReadTests {
    typealias Person = Fixture.Person

    private actor Model: ModelActor {
        let modelExecutor: ModelExecutor
        private var people: Results<Person>?
        private var person: Person?

        init(_ configuration: Realm.Configuration, on executor: PinnedExecutor? = nil) {
            modelExecutor = ModelExecutor(configuration, on: executor)
        }

        func keep() throws {
            let realm = try realm
            people = realm.objects(Person.self)
            person = realm.object(ofType: Person.self, forPrimaryKey: 0)
        }

        func add(_ id: Int, by way: Int) async throws {
            let realm = try realm
            func add() {
                realm.add(Person(id: id))
                realm.object(ofType: Person.self, forPrimaryKey: 0)?.age = id
            }
            if way == 0 { try realm.write { add() } } else { try await realm.asyncWrite { add() } }
        }

        /// In each form, which of them missed the object.
        func misses(_ id: Int) throws -> [String] {
            let realm = try realm
            var missed: [String] = []
            if realm.object(ofType: Person.self, forPrimaryKey: id) == nil {
                missed.append("object")
            }
            if try fetch(Person.self, where: { $0.id == id }).isEmpty { missed.append("fetch") }
            if people?.last?.id != id { missed.append("results that were kept") }
            if person?.age != id { missed.append("an object that was kept") }
            if realm.objects(Person.self).where({ $0.id == id }).isEmpty {
                missed.append("objects")
            }
            return missed
        }

        func missesBehindAwait(_ id: Int, _ write: @Sendable () async throws -> Void) async throws
            -> [String]
        {
            _ = try realm.objects(Person.self).count
            try await write()
            return try misses(id)
        }
    }

    private actor Pinned: PinnedActor {
        nonisolated let executor = PinnedExecutor("pinned")
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }
        func misses(_ id: Int) -> Bool {
            realm?.object(ofType: Person.self, forPrimaryKey: id) == nil
        }
    }

    private actor Opening {
        private var kept: Realm?

        func misses(_ id: Int, _ configuration: Realm.Configuration) async throws -> Bool {
            let realm = try await Realm.open(configuration: configuration)
            kept = realm
            return realm.object(ofType: Person.self, forPrimaryKey: id) == nil
        }
    }

    @MainActor private static func mainMisses(_ id: Int, _ configuration: Realm.Configuration)
        async throws -> Bool
    {
        let realm = try await Realm(configuration: configuration)
        kept = realm
        return realm.object(ofType: Person.self, forPrimaryKey: id) == nil
    }

    @MainActor private static var kept: Realm?

    private struct Reference: Sendable {
        @ThreadSafe var person: Person?
    }

    private func withFile(_ body: (Realm.Configuration) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        try Self.prepare(configuration)
        try await body(configuration)
        let problems = try Self.problems(configuration)
        #expect(problems.isEmpty, "The file is kept at \(directory.url.path).")
        if problems.isEmpty { directory.delete() }
    }

    private static func prepare(_ configuration: Realm.Configuration) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Person(id: 0)) }
    }

    private static func problems(_ configuration: Realm.Configuration) throws -> [String] {
        try Realm(configuration: configuration).check()
    }

    @Test func modelActors() async throws {
        try await withFile { configuration in
            let (writer, reader) = (Model(configuration), Model(configuration))
            try await reader.keep()
            for id in 1...300 {
                try await writer.add(id, by: id % 2)
                let missed = try await reader.misses(id)
                #expect(missed == [])
                if !missed.isEmpty { break }
            }
        }
    }

    @Test func behindAnAwait() async throws {
        try await withFile { configuration in
            let (writer, reader) = (Model(configuration), Model(configuration))
            try await reader.keep()
            for id in 1...100 {
                let missed = try await reader.missesBehindAwait(id) {
                    try await writer.add(id, by: id % 2)
                }
                #expect(missed == [])
                if !missed.isEmpty { break }
            }
        }
    }

    @Test func pinnedActorsAndOpening() async throws {
        try await withFile { configuration in
            let (writer, pinned, opening) = (Model(configuration), Pinned(), Opening())
            try await pinned.open(configuration)
            for id in 1...100 {
                try await writer.add(id, by: id % 2)
                let missed = try await (
                    pinned.misses(id), opening.misses(id, configuration),
                    Self.mainMisses(id, configuration),
                    Realm.performBackgroundTask(configuration: configuration) {
                        $0.object(ofType: Person.self, forPrimaryKey: id) == nil
                    }
                )
                #expect(missed == (false, false, false, false))
            }
            await MainActor.run { Self.kept = nil }
        }
    }

    /// A thread without a run loop that has a realm of its own, and a queue.
    @Test func referencesThatLast() async throws {
        try await withFile { configuration in
            let writer = Model(configuration)
            let (toQueue, toThread) = (
                DispatchQueue(label: "reader"), DispatchQueue(label: "other")
            )
            let reference = try Self.reference(configuration)
            let kept = try toQueue.sync {
                Locker(
                    UncheckedRealm(realm: try Realm(configuration: configuration, queue: toQueue)))
            }
            for id in 1...100 {
                try await writer.add(id, by: id % 2)
                let ages = (
                    toQueue.sync { reference.person?.age }, toThread.sync { reference.person?.age }
                )
                #expect(ages == (id, id))
            }
            toQueue.sync { kept.value = UncheckedRealm(realm: nil) }
        }
    }

    private struct UncheckedRealm: @unchecked Sendable {
        // @unchecked: used on its queue only.
        let realm: Realm?
    }

    private static func reference(_ configuration: Realm.Configuration) throws -> Reference {
        let realm = try Realm(configuration: configuration)
        return Reference(person: realm.object(ofType: Person.self, forPrimaryKey: 0))
    }

    /// A realm that is told to stay moves for a reference only as far as that needs.
    @Test func withoutAutorefresh() throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let queue = DispatchQueue(label: "writer")
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Person(id: 0)) }
        realm.autorefresh = false
        let reference = Reference(person: realm.object(ofType: Person.self, forPrimaryKey: 0))
        try queue.sync {
            let other = try Realm(configuration: configuration, queue: queue)
            try other.write { other.object(ofType: Person.self, forPrimaryKey: 0)?.age = 7 }
        }
        #expect(reference.person?.age == 0)
        realm.autorefresh = true
        #expect(reference.person?.age == 7)
        try queue.sync {
            let other = try Realm(configuration: configuration, queue: queue)
            try other.write { other.object(ofType: Person.self, forPrimaryKey: 0)?.age = 8 }
        }
        try realm.write { #expect(reference.person?.age == 8) }
        #expect(try realm.check().isEmpty)
        directory.delete()
    }
}
