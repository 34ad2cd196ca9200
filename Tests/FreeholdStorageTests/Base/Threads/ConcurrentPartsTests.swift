import Foundation
import FreeholdTestSupport
import Glibc
import Synchronization
import Testing

@testable import FreeholdStorage

/// Parts with a lock of their own that `ConcurrentUseTests` seldom or never brings together: for
/// ThreadSanitizer.
@Suite(.timeLimit(.minutes(10))) struct ConcurrentPartsTests {
    private static let rounds = 300

    /// What threads tell one another without a lock, which would put what they do in an order.
    private final class Flag: Sendable {
        private let sum = Atomic<Int>(0)

        var count: Int { sum.load(ordering: .relaxed) }
        var isSet: Bool { count > 0 }

        func set() { sum.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Maps come and go on any thread, and each counts.
    @Test func mapsAreCounted() throws {
        try runThreads(4) { _ in
            for _ in 0..<Self.rounds {
                AddressSpace.mapWasMade()
                // Those of other tests are few.
                #expect(AddressSpace.shareOfNext >= 1 << 30)
                AddressSpace.mapIsGone()
            }
        }
    }

    @Test func deadlinesByHand() throws {
        let deadlines = Deadlines()
        deadlines.stepByHand()
        let called = Shared(0)
        try runThreads(5) { number in
            for round in 0..<Self.rounds {
                // A thread that takes no other lock.
                if number == 4 {
                    deadlines.stepByHand()
                    continue
                }
                let id = deadlines.arm(at: .now + .seconds(10 + round), path: "a.realm") {
                    called.change { $0 += 1 }
                }
                if number % 2 == 0 { deadlines.disarm(id) } else { _ = deadlines.fireNext() }
            }
        }
        // Of half of them nothing but time takes one back.
        while deadlines.fireNext() {}
        #expect(deadlines.count == 0 && called.value >= 2 * Self.rounds)
    }

    /// What was known of a control file serves where both of its records are damaged, while others
    /// read it.
    @Test func controlRecordsThatAreRestored() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.realm")
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        let control = try #require(environment.control)
        let known = try #require(try control.readRecord())
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + ".control")))
        let descriptor = open(path + ".control", O_WRONLY)
        defer { close(descriptor) }
        let isDone = Flag()
        let uses: [@Sendable () throws -> Void] = [
            {
                defer { isDone.set() }
                for _ in 0..<Self.rounds {
                    let half = [UInt8](repeating: 0, count: 40)
                    for place in ControlRecord.places {
                        try #require(
                            pwrite(descriptor, half, half.count, off_t(place)) == half.count)
                    }
                    #expect(try control.currentRecord()?.uuid == known.uuid)
                    try #require(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
                }
            },
            { while !isDone.isSet { _ = try control.readRecord() } },
        ]
        try runThreads(uses)
        #expect(try control.readRecord()?.uuid == known.uuid)
    }

    /// Threads open one encrypted file with keys of their own, as after a change of the key.
    @Test func keysThatOpenAFile() throws {
        let keys = try TreeEncryptionKeys.random(for: "keys")
        let isKnown = try runThreads(4) { thread in
            var isKnown = true
            for round in 0..<Self.rounds {
                let bytes =
                    [UInt8](repeating: UInt8(thread), count: 60)
                    + withUnsafeBytes(of: UInt32(round)) { Array($0) }
                let key = try #require(EncryptionKey(bytes))
                keys.note(key)
                if !keys.knows(key) { isKnown = false }
            }
            return isKnown
        }
        #expect(isKnown == [true, true, true, true])
    }

    /// The watcher's thread looks for commits while others look by hand, begin to watch and end it.
    @Test func commitsThatAreLookedForByMany() throws {
        let directory = try TemporaryDirectory()
        let environments = try (0..<2).map {
            try Environment.open(.init(directory.file("\($0).realm")) { $0.durability = .none })
        }
        let watcher = CommitWatcher(lookInterval: .milliseconds(1), hearsEvents: false)
        let heard = Shared(0)
        let watches = environments.map { watcher.watch($0) { heard.change { $0 += 1 } } }
        let isDone = Shared(false)
        let uses: [@Sendable () throws -> Void] = [
            {
                defer { isDone.change { $0 = true } }
                for round in 0..<Self.rounds { try environments[round % 2].put("a", "\(round)") }
            },
            { while !isDone.value { watcher.settle() } },
            { while !isDone.value { watcher.settle() } },
            { while !isDone.value { withExtendedLifetime(watcher.watch(environments[1]) {}) {} } },
        ]
        try runThreads(uses)
        watcher.settle()
        #expect(heard.value > 0)
        withExtendedLifetime(watches) {}
    }

    /// A file is poisoned while others ask whether it can be written to.
    @Test func poisonBesideWriters() throws {
        let directory = try TemporaryDirectory()
        for round in 0..<20 {
            let environment = try Environment.open(
                .init(directory.file("\(round).realm")) { $0.durability = .none })
            try environment.put("a", "1")
            try runThreads(4) { number in
                for step in 0..<20 {
                    if number == 0, step == 10 {
                        environment.setPoison(
                            StorageError(.inputOutput, "The medium of the test failed."))
                    }
                    let code = storageCode { try environment.checkWritable() }
                    #expect(code == nil || code == .poisoned)
                }
            }
            #expect(storageCode { try environment.put("a", "2") } == .poisoned)
        }
    }

    /// Of several that cancel a request at once, one at least learns that it did.
    @Test func requestsThatAreCancelledTwiceAtOnce() throws {
        let directory = try TemporaryDirectory()
        let environment = try Environment.open(
            .init(directory.file("a.realm")) { $0.durability = .none })
        let grant = try environment.writer.begin()
        for _ in 0..<Self.rounds {
            let request = environment.writer.begin { _ in }
            let started = Flag()
            let answers = try runThreads(2) { _ in
                started.set()
                while started.count < 2 { sched_yield() }
                return request.cancel()
            }
            #expect(answers.contains(true))
            #expect(request.cancel())
        }
        grant.cancel()
        try environment.put("a", "1")
    }

    /// A request that is next in line waits for another process on the writer thread, while who
    /// asked arms its limit.
    @Test func limitsOfRequestsThatWaitForAnotherProcess() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.realm")
        let environment = try Environment.open(.init(path) { $0.durability = .none })
        try environment.put("a", "1")
        // Another open of the control file, as another process has one.
        let descriptor = open(path + ".control", O_RDWR)
        defer { close(descriptor) }
        let identity = try #require(environment.control).identity
        let other = ControlFile(
            path: path + ".control", descriptor: descriptor, isWritable: true, identity: identity)
        try #require(try other.tryLock(.writeGate, .exclusive))
        for _ in 0..<20 {
            let owner = NSObject()
            let (code, end) = (Shared<StorageError.Code?>(nil), DispatchSemaphore(value: 0))
            let request = environment.writer.request(
                owner: ObjectIdentifier(owner), timeout: .milliseconds(5)
            ) { _, error in
                code.change { $0 = error?.code }
                end.signal()
            }
            end.wait()
            #expect(code.value == .writeLockTimeout)
            request.cancel()
        }
        other.unlock(.writeGate)
        try environment.put("a", "2")
    }

    @Test func waitsForTheWriterThread() throws {
        let directory = try TemporaryDirectory()
        let environment = try Environment.open(
            .init(directory.file("a.realm")) { $0.durability = .none })
        try environment.put("a", "1")
        try runThreads(2) { _ in for _ in 0..<10 * Self.rounds { environment.waitForWriterThread() }
        }
    }

    /// Threads that share one version of an encrypted file meet a long value that none of them has
    /// read.
    @Test func longValuesOfOneEncryptedVersion() throws {
        let directory = try TemporaryDirectory()
        let environment = try Environment.open(
            .init(directory.file("a.realm")) {
                $0.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })
            })
        for round in 0..<20 {
            let view = try environment.writer.begin().commit { transaction in
                for index in 0..<8 {
                    try transaction.put(
                        "long \(index)", String(repeating: "\(round % 10)", count: 20_000))
                }
            }.1
            try runThreads(4) { number in
                for index in 0..<8 {
                    let value = try view.bytes("long \((index + number) % 8)")
                    #expect(
                        value?.count == 20_000
                            && value?.last == UInt8(ascii: "0") + UInt8(round % 10))
                }
            }
        }
    }

    #if DEBUG
    /// Opening files reads it on any thread.
    @Test func theKeyOfASuite() throws {
        let key = SuiteEncryptionKey.key
        try runThreads(4) { number in
            for _ in 0..<Self.rounds {
                if number == 0 { SuiteEncryptionKey.set(key) }
                #expect((SuiteEncryptionKey.key == nil) == (key == nil))
            }
        }
    }
    #endif
}
