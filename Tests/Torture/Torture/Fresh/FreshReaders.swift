import Dispatch
import Foundation
import Freehold

/// Who reads: each form begins anew for each read, in a realm that has been open for long where
/// it can be.
struct FreshReaders: Sendable {
    typealias Mark = FreshModel.Mark
    typealias Seen = (form: String, seen: Int)

    private actor Model: Freehold.ModelActor {
        let modelExecutor: ModelExecutor
        private var kept: Mark?
        private var results: Results<Mark>?

        init(_ configuration: Realm.Configuration, on executor: PinnedExecutor? = nil) {
            modelExecutor = ModelExecutor(configuration, on: executor)
        }

        func keep() throws {
            results = try realm.objects(Mark.self).where { $0.number >= 0 }
            kept = results?.first
        }

        func read() throws -> [Seen] {
            [
                ("object", FreshModel.number(try realm)),
                ("fetch", try fetch(Mark.self, where: { $0.id == 0 }).first?.number ?? -1),
                ("kept object", kept?.number ?? -1),
                ("kept results", results?.first?.number ?? -1),
            ]
        }

        /// Behind a suspension of the actor.
        func readLater() async throws -> [Seen] {
            _ = try realm.objects(Mark.self).count
            await Task.yield()
            return [("behind an await", FreshModel.number(try realm))]
        }
    }

    private actor Pinned: PinnedActor {
        nonisolated let executor = PinnedExecutor("fresh")
        private var realm: Realm?
        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }
        func read() -> Int { realm.map(FreshModel.number) ?? -1 }
    }

    private actor Opening {
        private var kept: Realm?

        func read(_ configuration: Realm.Configuration) async throws -> Int {
            let realm = try await Realm.open(configuration: configuration)
            kept = realm
            return FreshModel.number(realm)
        }
    }

    private struct Reference: Sendable {
        @ThreadSafe var mark: Mark?
    }

    private struct KeptRealm: @unchecked Sendable {
        // @unchecked: used on its queue only, but for the last release.
        let realm: Realm
    }

    private let configuration: Realm.Configuration
    private let model: Model
    private let sharing: Model
    private let pinned = Pinned()
    private let opening = Opening()
    private let queue = DispatchQueue(label: "fresh.reader")
    private let other = DispatchQueue(label: "fresh.other")
    private let kept: KeptRealm
    private let reference: Reference

    init(_ configuration: Realm.Configuration) async throws {
        self.configuration = configuration
        model = Model(configuration)
        sharing = Model(configuration, on: pinned.executor)
        try await model.keep()
        try await sharing.keep()
        try await pinned.open(configuration)
        (kept, reference) = try Self.keep(configuration, queue)
    }

    private static func keep(_ configuration: Realm.Configuration, _ queue: DispatchQueue) throws
        -> (KeptRealm, Reference)
    {
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            return (KeptRealm(realm: realm), Reference(mark: FreshModel.mark(realm)))
        }
    }

    func read(_ number: Int) async throws -> [Seen] {
        async let fromOutside =
            model.fetch(Mark.self, where: { $0.id == 0 }) { $0.number }.first ?? -1
        async let withRealm = model.withRealm { FreshModel.number($0) }
        async let background = Realm.performBackgroundTask(configuration: configuration) {
            FreshModel.number($0)
        }
        async let onPinned = pinned.read()
        async let opened = opening.read(configuration)
        async let live = model.read()
        async let shared = sharing.read()
        async let later = model.readLater()
        let references = await (
            onQueue(queue) { reference.mark?.number ?? -1 },
            onQueue(other) { reference.mark?.number ?? -1 }
        )
        return try await [
            ("fetch from outside", fromOutside), ("withRealm", withRealm),
            ("performBackgroundTask", background),
            ("a pinned actor", onPinned), ("Realm.open", opened),
            ("@ThreadSafe on a queue", references.0), ("@ThreadSafe on a thread", references.1),
        ] + live + shared + later
    }

    private func onQueue(_ queue: DispatchQueue, _ body: @escaping @Sendable () -> Int) async -> Int
    {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
