import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdService
import FreeholdSharing
import FreeholdTestSupport
import Logging
import ServiceLifecycle
import Testing

private final class Entry: Object {
    override class func _realmObjectName() -> String? { "Entry" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var text = ""
}

/// A shared realm as a service of swift-service-lifecycle.
struct SharedRealmServiceTests {
    /// Writes something, and then wants the program to shut down.
    private struct Writer: Service {
        let shared: SharedRealm
        let fails: Bool

        struct Failure: Error {}

        func run() async throws {
            try await write(shared)
            if fails { throw Failure() }
        }

        @MainActor private func write(_ shared: SharedRealm) throws {
            let realm = try shared.realm()
            try realm.write { realm.add(Entry(value: ["text": "last words"])) }
        }
    }

    private func withShared(
        _ body: (SharedRealm, RealmFileUpstream, URL) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let upstream = RealmFileUpstream(directory.file("log.realm"))
        try await upstream.create("entries")
        let configuration = Realm.Configuration(
            fileURL: directory.file("a.realm"), objectTypes: [Entry.self])
        let shared = try await SharedRealm(configuration, upstream: upstream, name: "entries")
        try await body(shared, upstream, directory.url)
        directory.delete()
    }

    private func run(_ shared: SharedRealm, fails: Bool) async throws {
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: SharedRealmService(shared, patience: .seconds(600))),
                    .init(
                        service: Writer(shared: shared, fails: fails),
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup),
                ],
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })))
        try await group.run()
    }

    @Test func pushesWhatWaitsAndCloses() async throws {
        try await withShared { shared, upstream, directory in
            try await run(shared, fails: false)
            #expect(shared.status.connection == .closed)
            #expect(shared.status.pending == 0)
            let other = try await SharedRealm(
                Realm.Configuration(
                    fileURL: directory.appendingPathComponent("b.realm"),
                    objectTypes: [Entry.self]), upstream: upstream, name: "entries")
            try await other.synchronize()
            let texts = try await MainActor.run {
                Array(try other.realm().objects(Entry.self).map(\.text))
            }
            #expect(texts == ["last words"])
            await other.close()
        }
    }

    @Test func isClosedWhenAnotherServiceFails() async throws {
        try await withShared { shared, _, _ in
            await #expect(throws: Writer.Failure.self) {
                try await self.run(shared, fails: true)
            }
            #expect(shared.status.connection == .closed)
        }
    }

    @Test func isClosedWhenTheProgramIsCancelled() async throws {
        try await withShared { shared, _, _ in
            let task = Task { try await SharedRealmService(shared).run() }
            task.cancel()
            _ = await task.result
            #expect(shared.status.connection == .closed)
        }
    }
}
