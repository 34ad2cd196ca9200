import Dispatch
import Freehold

// Actors that something else runs than the tasks' pool.

private actor Pinned: PinnedActor, NoteStore {
    let executor = PinnedExecutor("program")
    let notes: Realm
    init(_ configuration: Realm.Configuration) async throws {
        notes = try await Realm.open(configuration: configuration)
    }
    func isSame() throws -> Bool { try Realm(configuration: notes.configuration) == notes }
}

private actor PinnedUnwrapped: PinnedActor, NoteStore {
    let executor = PinnedExecutor("program")
    private var realm: Realm!
    var notes: Realm { realm }

    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
        try await realm.asyncWrite { realm.add(Note(value: ["id": 1])) }
    }
}

/// A serial queue as an executor, as servers' event loops are.
private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "program")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private actor OnQueue: NoteStore {
    private let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    let notes: Realm

    init(_ configuration: Realm.Configuration) async throws {
        notes = try await Realm.open(configuration: configuration)
        try await notes.asyncWrite { notes.add(Note(value: ["id": 1])) }
    }
}

private actor OnQueueUnwrapped: NoteStore {
    private let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var realm: Realm!
    var notes: Realm { realm }
    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
    }
}

private actor Model: ModelActor {
    let modelExecutor: ModelExecutor

    init(_ configuration: Realm.Configuration) async throws {
        modelExecutor = ModelExecutor(configuration)
        let realm = try realm
        try await realm.asyncWrite { realm.add(Note(value: ["id": 1])) }
        await realm.asyncRefresh()
    }
}

@globalActor private actor Database { static let shared = Database() }

@globalActor private actor PinnedDatabase: PinnedActor {
    static let shared = PinnedDatabase()
    let executor = PinnedExecutor("global program")
}

@MainActor private final class ViewModel {
    let notes: Realm

    init(_ configuration: Realm.Configuration) async throws {
        notes = try await Realm.open(configuration: configuration)
        try await notes.asyncWrite { notes.add(Note(value: ["id": 1])) }
    }

    func count() async throws -> Int {
        try notes.write { notes.add(Note(value: ["id": 2])) }
        await notes.asyncRefresh()
        return notes.objects(Note.self).count
    }
}

@Database private final class OfGlobalActor {
    let notes: Realm

    init(_ configuration: Realm.Configuration) async throws {
        notes = try await Realm.open(configuration: configuration)
        try await notes.asyncWrite { notes.add(Note(value: ["id": 1])) }
    }

    func count() async throws -> Int {
        try notes.write { notes.add(Note(value: ["id": 2])) }
        return notes.objects(Note.self).count
    }
}

@PinnedDatabase private struct OfPinnedGlobalActor {
    let notes: Realm

    init(_ configuration: Realm.Configuration) async throws {
        notes = try await Realm.open(configuration: configuration)
        try await notes.asyncWrite { notes.add(Note(value: ["id": 1])) }
    }

    func count() async throws -> Int {
        try notes.write { notes.add(Note(value: ["id": 2])) }
        return notes.objects(Note.self).count
    }
}

extension NaturalProgram {
    static let actorInitialisersWithExecutors = [
        NaturalProgram("a pinned actor's constant") { configuration in
            let store = try await Pinned(configuration)
            let problems = try await use(store)
            return try await store.isSame() ? problems : problems + ["the thread has two realms"]
        },
        NaturalProgram("a pinned actor's implicitly unwrapped variable") {
            try await use(try await PinnedUnwrapped($0), has: 1)
        },
        NaturalProgram("a constant of an actor on a queue") {
            try await use(try await OnQueue($0), has: 1)
        },
        NaturalProgram("an implicitly unwrapped variable of an actor on a queue") {
            try await use(try await OnQueueUnwrapped($0))
        },
        NaturalProgram("a model actor that writes in its initialiser") { configuration in
            let model = try await Model(configuration)
            try await model.insert(Note(value: ["id": 2]))
            return differences(("the count", try await model.count(Note.self), 2))
        },
        NaturalProgram("a class of the main actor") { configuration in
            differences(("the count", try await (try await ViewModel(configuration)).count(), 2))
        },
        NaturalProgram("a class of a global actor") { configuration in
            differences(
                ("the count", try await (try await OfGlobalActor(configuration)).count(), 2))
        },
        NaturalProgram("a structure of a pinned global actor") { configuration in
            try await countOfPinned(configuration)
        },
    ]

    @PinnedDatabase private static func countOfPinned(_ configuration: Realm.Configuration)
        async throws -> [String]
    {
        differences(
            ("the count", try await (try await OfPinnedGlobalActor(configuration)).count(), 2))
    }
}
