import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

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
            let decoded = try JSONDecoder().decode(
                ConfinementViolation.self, from: JSONEncoder().encode(found))
            #expect(decoded == found)
            #expect(!realm.isInWriteTransaction)
        }
    }

    @Test func queueRealmsWorkOnTheirQueueOnly() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let queue = DispatchQueue(label: "test.confined")
            let smuggled = try queue.sync {
                Smuggled(value: try Realm(configuration: configuration, queue: queue))
            }
            #expect { try smuggled.value.write {} } throws: { error in
                guard let report = error as? ConfinementViolation else { return false }
                return report.opened.queue == "test.confined"
                    && report.remedy.contains("Run this code on the queue 'test.confined'")
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
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            for queue in [
                DispatchQueue(label: "test.concurrent", attributes: .concurrent), .global(),
            ] {
                #expect {
                    try queue.sync { _ = try Realm(configuration: configuration, queue: queue) }
                } throws: { error in
                    (error as? Realm.Error)?.message == """
                        Invalid queue '\(queue.label)' (concurrent): Realms can only be confined \
                        to serial queues or the main queue.
                        """
                }
            }
            let serial = DispatchQueue(label: "test.serial", qos: .utility, target: .global())
            #expect { _ = try Realm(configuration: configuration, queue: serial) } throws: {
                error in
                (error as? ConfinementViolation)?.message
                    == "Realm opened from incorrect dispatch queue."
            }
            try serial.sync { _ = try Realm(configuration: configuration, queue: serial) }
        }
    }

    @MainActor @Test func mainThreadAndMainQueueAreOne() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
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
            #expect(remedy.hasPrefix("Write on the main thread"))
        }
    }

    /// Realm(queue:) refuses concurrent queues, whatever they run on; a serial queue on top of
    /// one is serial.
    @Test func queuesAreToldApart() async throws {
        try await withTemporaryThreadRealm { subject in
            func report(_ queue: DispatchQueue) async throws -> ConfinementViolation {
                let report = await #expect(throws: ConfinementViolation.self) {
                    try await withCheckedThrowingContinuation { continuation in
                        queue.async {
                            continuation.resume(
                                with: Swift.Result { try subject.value.realm.write {} })
                        }
                    }
                }
                return try #require(report)
            }
            let concurrent = DispatchQueue(label: "test.concurrent", attributes: .concurrent)
            let onTop = DispatchQueue(
                label: "test.onTop", attributes: .concurrent,
                target: DispatchQueue(label: "test.below"))
            for queue in [concurrent, onTop, .global(qos: .utility)] {
                let found = try await report(queue)
                #expect(found.accessed.kind == .concurrentQueue)
                #expect(found.accessed.queue == queue.label)
                #expect(found.remedy.contains("in place of the concurrent queue '\(queue.label)'"))
            }
            let found = try await report(
                DispatchQueue(label: "test.serialOnTop", target: concurrent))
            #expect(found.accessed.kind == .serialQueue)
            #expect(found.accessed.queue == "test.serialOnTop")
        }
    }

    /// Runs `body` with the realm of a thread that lives on and waits meanwhile.
    private func withTemporaryThreadRealm(_ body: (Smuggled<ConfinedSubject>) async throws -> Void)
        async throws
    {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        try await RealmOwner.thread.withSubject(configuration, body)
        try onNewThread { try expectSound(configuration) }
        directory.delete()
    }
}
