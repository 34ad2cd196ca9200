import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// `writeTimeout`, and writes that would wait for themselves.
@Suite struct WriteTimeoutTests {
    typealias Person = Fixture.Person

    private static func configuration(_ directory: TemporaryDirectory, _ timeout: Duration? = nil)
        -> Realm.Configuration
    {
        var configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        configuration.writeTimeout = timeout
        return configuration
    }

    /// Runs `body` while another thread holds the write lock.
    private static func whileLocked(_ configuration: Realm.Configuration, _ body: () throws -> Void)
        throws
    {
        let (isHeld, mayEnd, isOver) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        startThread {
            var configuration = configuration
            configuration.writeTimeout = nil
            #expect(throws: Never.self) {
                try Realm(configuration: configuration).write {
                    isHeld.signal()
                    mayEnd.wait()
                }
            }
            isOver.signal()
        }
        isHeld.wait()
        defer {
            mayEnd.signal()
            isOver.wait()
        }
        try body()
    }

    @Test func aWriteThatWaitsTooLongNamesTheHolder() async throws {
        try await awaitThread {
            let directory = try TemporaryDirectory()
            let configuration = Self.configuration(directory, .milliseconds(1))
            let realm = try Realm(configuration: configuration)
            try Self.whileLocked(configuration) {
                let error = #expect(throws: Realm.Error.self) {
                    try realm.write { realm.add(Person(id: 1)) }
                }
                #expect(error?.code == .writeLockTimeout)
                let text = error?.message ?? ""
                #expect(
                    text.contains("FreeholdRealmTests/WriteTimeoutTests.swift:")
                        && text.contains("held by thread ")
                        && text.contains(" s, in the write that began"))
                #expect(!realm.isInWriteTransaction)
            }
            try realm.write { realm.add(Person(id: 2)) }
            #expect(realm.objects(Person.self).map(\.id) == [2])
            #expect(try realm.check().isEmpty)
            directory.delete()
        }
    }

    @Test func aChangeOfTheKeyThatWaitsTooLongThrows() async throws {
        try await awaitThread {
            let directory = try TemporaryDirectory()
            var configuration = Self.configuration(directory, .milliseconds(1))
            configuration.encryptionKey = Data(repeating: 1, count: 64)
            let encrypted = configuration
            try Self.whileLocked(encrypted) {
                let error = #expect(throws: Realm.Error.self) {
                    try Realm.changeEncryptionKey(of: encrypted, to: Data(repeating: 2, count: 64))
                }
                #expect(error?.code == .writeLockTimeout)
            }
            #expect(try Realm(configuration: encrypted).isEmpty)
            directory.delete()
        }
    }

    /// Who opens a realm with a migration has no realm yet, and is named by the place of the
    /// opening.
    @Test func aMigrationThatKeepsOthersWaitingIsNamed() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Self.configuration(directory, .milliseconds(1))
        let path = directory.file().path
        let (begun, mayEnd) = (directory.file("begun").path, directory.file("mayEnd").path)
        let wait: @Sendable (String) -> Void = { file in
            while access(file, F_OK) != 0 { usleep(1_000) }
        }
        try await awaitThread { _ = try Realm(configuration: configuration) }
        async let migrated: Void = {
            await #expect(processExitsWith: .success) {
                [path = path as String, begun = begun as String, mayEnd = mayEnd as String] in
                alarm(60)
                let url = URL(fileURLWithPath: path)
                var configuration = Realm.Configuration(
                    fileURL: url, schemaVersion: 1, objectTypes: Fixture.all)
                configuration.migrationBlock = { _, _ in
                    _ = FileManager.default.createFile(atPath: begun, contents: nil)
                    while access(mayEnd, F_OK) != 0 { usleep(1_000) }
                }
                try Realm.performMigration(for: configuration)
            }
        }()
        let message = try await awaitThread {
            wait(begun)
            defer { _ = FileManager.default.createFile(atPath: mayEnd, contents: nil) }
            let realm = try Realm(configuration: configuration)
            let error = #expect(throws: Realm.Error.self) { try realm.write {} }
            #expect(error?.code == .writeLockTimeout)
            return error?.message ?? ""
        }
        await migrated
        #expect(
            message.contains("held by process ") && message.contains("in the write that began at "),
            "\(message)")
        directory.delete()
    }

    @Test func asynchronousWritesThatWaitTooLongFail() async throws {
        try await awaitThread {
            let directory = try TemporaryDirectory()
            let configuration = Self.configuration(directory, .milliseconds(1))
            let scheduler = ManualScheduler()
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            let codes = Locker<[Realm.Error.Code?]>([])
            try Self.whileLocked(configuration) {
                realm.writeAsync {
                    realm.add(Person(id: 1))
                } onComplete: { error in
                    codes.update { $0.append((error as? Realm.Error)?.code) }
                }
                // No time was given to this one.
                realm.beginAsyncWrite {
                    realm.add(Person(id: 2))
                    realm.commitAsyncWrite { error in
                        codes.update { $0.append((error as? Realm.Error)?.code) }
                    }
                }
                #expect(scheduler.waitForWork(until: Date() + 600))
                scheduler.runAll()
                #expect(codes.value == [.writeLockTimeout])
            }
            while realm.isPerformingAsynchronousWriteOperations,
                scheduler.waitForWork(until: Date() + 600)
            { scheduler.runAll() }
            #expect(codes.value == [.writeLockTimeout, nil])
            #expect(realm.objects(Person.self).map(\.id) == [2])
            #expect(try realm.check().isEmpty)
            directory.delete()
        }
    }

    /// A synchronous write of a realm that has asynchronous ones waits in their line, and gives
    /// up alone.
    @Test func aSynchronousWriteGivesUpBesideAsynchronousOnes() async throws {
        try await awaitThread {
            let directory = try TemporaryDirectory()
            let configuration = Self.configuration(directory, .milliseconds(1))
            let scheduler = ManualScheduler()
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            let completions = Locker(0)
            try Self.whileLocked(configuration) {
                realm.beginAsyncWrite {
                    realm.add(Person(id: 1))
                    realm.commitAsyncWrite { _ in completions.update { $0 += 1 } }
                }
                let error = #expect(throws: Realm.Error.self) { try realm.write {} }
                #expect(error?.code == .writeLockTimeout)
            }
            while realm.isPerformingAsynchronousWriteOperations,
                scheduler.waitForWork(until: Date() + 600)
            { scheduler.runAll() }
            #expect(completions.value == 1)
            #expect(realm.objects(Person.self).map(\.id) == [1])
            try realm.write { realm.add(Person(id: 2)) }
            directory.delete()
        }
    }

    @Test func anAsyncWriteThatWaitsTooLongThrows() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Self.configuration(directory, .milliseconds(1))
        let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        startThread {
            #expect(throws: Never.self) {
                try Realm(configuration: configuration).write {
                    isHeld.signal()
                    mayEnd.wait()
                }
            }
        }
        await wait(for: isHeld)
        let error = await #expect(throws: Realm.Error.self) { try await write(configuration) }
        #expect(error?.code == .writeLockTimeout)
        mayEnd.signal()
        var patient = configuration
        patient.writeTimeout = nil
        try await awaitThread { [patient] in try Realm(configuration: patient).write {} }
        directory.delete()
    }

    @MainActor private func write(_ configuration: Realm.Configuration) async throws {
        let realm = try await Realm(configuration: configuration)
        try await realm.asyncWrite {}
    }

    private actor Keeper {
        func nest(_ configuration: Realm.Configuration) async throws -> Realm.Error? {
            let realm = try await Realm.open(configuration: configuration)
            return try await realm.asyncWrite { inner(configuration) }
        }

        private func inner(_ configuration: Realm.Configuration) -> Realm.Error? {
            nestedError { try Realm(configuration: configuration).write {} }
        }
    }

    /// Each of these waited for ever.
    @Test func writesThatWouldWaitForThemselvesAreRefused() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            let directory = try TemporaryDirectory()
            let configuration = Self.configuration(directory)
            // A realm of a queue, and the thread's inside of it.
            let (queue, other) = (DispatchQueue(label: "one"), DispatchQueue(label: "two"))
            let onQueue = try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                return try realm.write {
                    nestedError { try Realm(configuration: configuration).write {} }
                }
            }
            try #require(onQueue?.code == .nestedWrite)
            try #require(onQueue?.message.contains("WriteTimeoutTests.swift:") == true)
            // From a block on one queue to another one.
            let acrossQueues = try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                return try realm.write {
                    other.sync {
                        nestedError {
                            try Realm(configuration: configuration, queue: other).write {}
                        }
                    }
                }
            }
            try #require(acrossQueues?.code == .nestedWrite)
            // A transaction that is open when another job of the queue writes.
            nonisolated(unsafe) var kept: Realm?
            let betweenJobs =
                try queue.sync { () -> Realm.Error? in
                    kept = try Realm(configuration: configuration, queue: queue)
                    kept?.beginWrite()
                    return nil
                } ?? queue.sync { nestedError { try Realm(configuration: configuration).write {} } }
            try #require(betweenJobs?.code == .nestedWrite)
            queue.sync {
                kept?.cancelWrite()
                kept = nil
            }
            let onActor = try await Keeper().nest(configuration)
            try #require(onActor?.code == .nestedWrite)
            try await awaitThread { try Realm(configuration: configuration).write {} }
            directory.delete()
        }
        let begin = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            alarm(60)
            let configuration = Self.configuration(try TemporaryDirectory())
            let queue = DispatchQueue(label: "one")
            try queue.sync {
                try Realm(configuration: configuration, queue: queue).write {
                    try Realm(configuration: configuration).beginWrite()
                }
            }
        }
        expectMessage(begin, "would wait for itself")
    }
}

/// What a write is refused with.
private func nestedError(_ body: () throws -> Void) -> Realm.Error? {
    do {
        try body()
        return nil
    } catch {
        return error as? Realm.Error
    }
}
