import Dispatch
import Foundation
import Freehold
import Testing

/// Carries a value to where it must not be used, which the compiler would not allow.
private struct Smuggled<Value>: @unchecked Sendable {
    // Sendable: it is what these tests are about.
    let value: Value
}

@Suite struct ConfinementTests {
    @Test func threadRealmReportsBothSides() throws {
        try withTemporaryRealm { realm in
            let smuggled = Smuggled(value: realm)
            let report = try onNewThread { () -> ConfinementViolation? in
                do {
                    try smuggled.value.write {}
                    return nil
                } catch let report as ConfinementViolation {
                    return report
                }
            }
            let found = try #require(report)
            #expect(found.message == "Realm accessed from incorrect thread.")
            #expect(found.access == "Realm.write")
            #expect(found.path.hasSuffix("test.realm"))
            #expect(found.opened.file?.hasSuffix("TemporaryRealm.swift") == true)
            #expect((found.opened.line ?? 0) > 0)
            #expect(found.opened.threadID != found.accessed.threadID)
            #expect(found.accessed.threadID > 0)
            #expect(found.description.hasPrefix("Realm accessed from incorrect thread.\n"))
            let decoded = try JSONDecoder().decode(ConfinementViolation.self, from: JSONEncoder().encode(found))
            #expect(decoded == found)
            #expect(!realm.isInWriteTransaction)
        }
    }

    @Test func queueRealmsWorkOnTheirQueueOnly() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
            let queue = DispatchQueue(label: "test.confined")
            let smuggled = try queue.sync { Smuggled(value: try Realm(configuration: configuration, queue: queue)) }
            #expect { try smuggled.value.write {} } throws: { error in
                guard let report = error as? ConfinementViolation else { return false }
                return report.opened.queue == "test.confined" && report.remedy.contains("Run this code on the queue 'test.confined'")
            }
            // Wherever the queue's blocks run, sync from another thread included.
            try queue.sync {
                try smuggled.value.write { smuggled.value.add(Fixture.Dog(name: "Rex")) }
                #expect(try smuggled.value.check().isEmpty)
            }
            let done = DispatchSemaphore(value: 0)
            queue.async {
                #expect(!smuggled.value.isEmpty)
                done.signal()
            }
            done.wait()
            // A queue whose target is the confining queue excludes it, too.
            let outer = DispatchQueue(label: "test.outer", target: queue)
            #expect(outer.sync { !smuggled.value.isEmpty })
        }
    }

    @Test func queuesMustBeSerialAndCurrent() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
            for queue in [DispatchQueue(label: "test.concurrent", attributes: .concurrent), .global()] {
                #expect { try queue.sync { _ = try Realm(configuration: configuration, queue: queue) } } throws: { error in
                    (error as? Realm.Error)?.message == """
                        Invalid queue '\(queue.label)' (concurrent): Realms can only be confined to serial queues or the main queue.
                        """
                }
            }
            let serial = DispatchQueue(label: "test.serial", qos: .utility, target: .global())
            #expect { _ = try Realm(configuration: configuration, queue: serial) } throws: { error in
                (error as? ConfinementViolation)?.message == "Realm opened from incorrect dispatch queue."
            }
            try serial.sync { _ = try Realm(configuration: configuration, queue: serial) }
        }
    }

    @MainActor @Test func mainThreadAndMainQueueAreOne() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
            let realm = try Realm(configuration: configuration)
            #expect(try Realm(configuration: configuration, queue: .main) == realm)
            let smuggled = Smuggled(value: realm)
            let remedy = try onNewThread { () -> String in
                do {
                    try smuggled.value.write {}
                    return ""
                } catch let report as ConfinementViolation {
                    return report.remedy
                }
            }
            #expect(remedy.hasPrefix("Run this code on the main thread"))
        }
    }

    /// The report of an access to the realm of another thread, which lives on and waits meanwhile.
    private func report(of access: (_ write: @escaping @Sendable () throws -> Void) async throws -> Void) async throws -> ConfinementViolation? {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let isOver = DispatchSemaphore(value: 0)
        defer { isOver.signal() }
        let smuggled = try await withCheckedThrowingContinuation { continuation in
            Thread {
                continuation.resume(with: Result { Smuggled(value: try Realm(configuration: configuration)) })
                isOver.wait()
            }.start()
        }
        do {
            try await access { try smuggled.value.write {} }
        } catch let report as ConfinementViolation {
            return report
        }
        return nil
    }

    @Test func remediesSuitThePlace() async throws {
        let onThread = try #require(await report { write in try onNewThread(write) })
        #expect(onThread.accessed.queue == nil)
        #expect(onThread.remedy == """
            Each thread uses a realm of its own: pass a frozen object (freeze()) across instead of the live one, or open a realm here with \
            Realm(configuration:) and look the object up by its primary key.
            """)

        let onGlobalQueue = try #require(await report { write in try DispatchQueue.global(qos: .utility).sync { try write() } })
        #expect(onGlobalQueue.accessed.queue == "com.apple.root.utility-qos")
        #expect(onGlobalQueue.remedy.hasPrefix("This runs on a pool of threads"))

        let inTask = try #require(await report { write in try await Task.detached { try write() }.value })
        #expect(inTask.remedy.hasPrefix("This runs on a pool of threads"), "\(inTask)")

        let onSerialQueue = try #require(await report { write in try DispatchQueue(label: "test.serial").sync { try write() } })
        #expect(onSerialQueue.accessed.queue == "test.serial")
        #expect(onSerialQueue.remedy.hasPrefix("A queue does not stay on one thread: confine the realm to the queue with Realm(queue:)"))

        // Realm(queue:) refuses concurrent queues, whatever they run on; a serial queue on top of one is serial.
        let concurrent = DispatchQueue(label: "test.concurrent", attributes: .concurrent)
        let onTop = DispatchQueue(label: "test.onTop", attributes: .concurrent, target: DispatchQueue(label: "test.below"))
        for queue in [concurrent, onTop] {
            let onConcurrentQueue = try #require(await report { write in try queue.sync { try write() } })
            #expect(onConcurrentQueue.accessed.queue == queue.label)
            #expect(onConcurrentQueue.remedy.hasPrefix("""
                The queue '\(queue.label)' is concurrent, and runs its blocks on several threads at once: confine the realm to a serial queue with \
                Realm(queue:), or pass
                """), "\(onConcurrentQueue)")
        }
        let serialOnTop = DispatchQueue(label: "test.serialOnTop", target: concurrent)
        let onSerialOnTop = try #require(await report { write in try serialOnTop.sync { try write() } })
        #expect(onSerialOnTop.remedy.hasPrefix("A queue does not stay on one thread"), "\(onSerialOnTop)")
    }

    @Test func comparisonAndFrozennessNeedNoConfinement() throws {
        try withTemporaryRealm { realm in
            let dog = try realm.write { realm.create(Fixture.Dog.self) }
            let smuggled = Smuggled(value: (realm, dog))
            let isAllowed = try onNewThread {
                smuggled.value.0 == smuggled.value.0 && !smuggled.value.0.isFrozen && !smuggled.value.1.isFrozen
                    && smuggled.value.1.realm == smuggled.value.0 && smuggled.value.0.schema.objectSchema.count == Fixture.all.count
            }
            #expect(isAllowed)
        }
    }
}
