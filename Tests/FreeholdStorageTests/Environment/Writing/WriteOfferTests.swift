import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Synchronization
import Testing

/// Grants that are offered to requests that do not wait, and withdrawn. Time passes by hand.
@Suite("Environment: offers of grants")
struct WriteOfferTests {
    let directory: TemporaryDirectory
    let path: String
    let environment: Environment

    final class Owner {}

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
        environment = try Environment.open(.init(path))
        environment.stepDeadlinesByHand()
    }

    /// A request that counts its offers.
    private func request(_ owner: Owner? = nil, timeout: Duration? = nil) -> (
        request: WriteRequest, offers: Shared<Int>, error: Shared<StorageError?>
    ) {
        let (offers, failure) = (Shared(0), Shared<StorageError?>(nil))
        let request = environment.writer.request(
            owner: owner.map { ObjectIdentifier($0) }, timeout: timeout
        ) { _, error in
            if let error { failure.change { $0 = error } } else { offers.change { $0 += 1 } }
        }
        request.armFirstPatience()
        return (request, offers, failure)
    }

    @Test func anOfferThatIsAcceptedIsAGrant() throws {
        let (request, offers, _) = request()
        #expect(offers.value == 1)
        let grant = try #require(try request.accept())
        #expect(environment.writeQueueState.grant == .held)
        // The patience of an offer that was accepted changes nothing.
        while environment.passNextDeadline() {}
        #expect(environment.writeQueueState.grant == .held)
        #expect(try request.accept() == nil)
        grant.cancel()
        #expect(environment.writeQueueState.grant == .free)
        #expect(!request.cancel())
    }

    @Test func anOfferIsWithdrawnAndKeepsItsPlace() throws {
        let first = request()
        #expect(environment.writeQueueState.grant == .offered)
        #expect(environment.passNextDeadline())
        // No request waits, and the grant is free: the next one passes.
        #expect(environment.writeQueueState.grant == .free)
        try environment.put("a", "1")
        let second = request()
        #expect((first.offers.value, second.offers.value) == (1, 1))
        // The first owner returns while another one has the grant: it is offered it next,
        // before those who came later.
        let grant = try #require(try second.request.accept())
        let third = request()
        #expect(try first.request.accept() == nil)
        grant.cancel()
        #expect((first.offers.value, third.offers.value) == (2, 0))
        try #require(try first.request.accept()).cancel()
        try #require(try third.request.accept()).cancel()
        #expect(environment.writeQueueState.grant == .free)
    }

    @Test func anOwnerTakesAFreeGrantAtOnce() throws {
        let (request, offers, _) = request()
        #expect(environment.passNextDeadline())
        try #require(try request.accept()).cancel()
        #expect(offers.value == 1)
    }

    /// One owner that is away is away for all of its requests.
    @Test func requestsOfAnOwnerThatIsAwayArePassedOver() throws {
        let (owner, other) = (Owner(), Owner())
        let first = request(owner)
        let second = request(owner)
        let third = request(other)
        #expect(environment.passNextDeadline())
        #expect((first.offers.value, second.offers.value, third.offers.value) == (1, 0, 1))
        #expect(environment.writeQueueState.awayCount == 1)
        // Without the one that was withdrawn, the owner is not known to be away.
        #expect(third.request.cancel())
        #expect(environment.writeQueueState.grant == .free)
        #expect(first.request.cancel())
        #expect(second.offers.value == 1)
        let grant = try #require(try second.request.accept())
        let next = request(owner)
        #expect(environment.writer.absorbNext(owner: ObjectIdentifier(other)) == nil)
        #expect(environment.writer.absorbNext(owner: ObjectIdentifier(owner)) === next.request)
        grant.cancel()
        #expect(environment.writeQueueState.grant == .free)
        #expect(environment.writeQueueState.waitingCount == 0)
    }

    @Test func cancellingAnOfferPassesTheGrantOn() throws {
        let first = request()
        let second = request()
        #expect(first.request.cancel())
        #expect(second.offers.value == 1)
        #expect(try first.request.accept() == nil)
        try #require(try second.request.accept()).cancel()
    }

    @Test func allWhoCancelAtOnceHearThatItWasCancelled() throws {
        for round in 0..<2_000 {
            let request = request().request
            let ready = Atomic(0)
            let answers = try runThreads(2) { _ in
                ready.add(1, ordering: .relaxed)
                while ready.load(ordering: .relaxed) < 2 {}
                return request.cancel()
            }
            try #require(answers == [true, true], "round \(round)")
        }
    }

    @Test func aRequestThatWaitedTooLongFailsOnce() throws {
        let grant = try environment.writer.begin(
            as: WriterIdentity(fileID: #fileID, line: #line, thread: 1))
        let (request, offers, error) = request(timeout: .milliseconds(1))
        #expect(environment.passNextDeadline())
        #expect(error.value?.code == .writeLockTimeout)
        #expect(error.value?.message.contains("WriteOfferTests.swift:") == true)
        grant.cancel()
        #expect(offers.value == 0)
        #expect(try request.accept() == nil)
        #expect(environment.writeQueueState.grant == .free)
    }

    /// The time that a request waits for its own owner is not waiting for others.
    @Test func anOwnerThatIsAwayIsNoTimeout() throws {
        let (request, offers, error) = request(timeout: .zero)
        #expect(offers.value == 1)
        while environment.passNextDeadline() {}
        #expect(error.value == nil)
        try #require(try request.accept()).cancel()
    }

    @Test func aThreadThatWaitedTooLongLosesNoGrant() throws {
        let environment = environment
        for _ in 0..<100 {
            let grant = try environment.writer.begin()
            let short: @Sendable () throws -> Void = {
                let code = storageCode {
                    try environment.writer.begin(timeout: .microseconds(100)).cancel()
                }
                #expect(code == nil || code == .writeLockTimeout)
            }
            let holder: @Sendable () throws -> Void = { grant.cancel() }
            try runThreads([short, holder])
        }
        try environment.put("a", "1")
    }

    @Test func noTimeIsNoWaiting() throws {
        try environment.writer.begin(timeout: .zero).cancel()
        let grant = try environment.writer.begin()
        #expect(storageCode { try environment.writer.begin(timeout: .zero) } == .writeLockTimeout)
        grant.cancel()
    }

    /// An offer that is withdrawn gives the lock between processes back.
    @Test func aWithdrawnOfferStopsNoProcess() async throws {
        let (request, _, _) = request()
        #expect(environment.passNextDeadline())
        await #expect(processExitsWith: .success) { [path = path as String] in
            alarm(20)
            try Environment.open(.init(path)).put("a", "child")
        }
        let grant = try #require(try request.accept())
        #expect(try grant.base.text("a") == "child")
        grant.cancel()
    }

    /// A wait that took its end from the wall clock would last an hour.
    @Test func waitsDoNotFollowTheWallClock() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            let directory = try TemporaryDirectory()
            let environment = try Environment.open(.init(directory.file("a.realm")))
            SystemCalls.moveWallClock(by: 3_600)
            let isOffered = Shared(0)
            let request = environment.writer.request { _, _ in isOffered.change { $0 += 1 } }
            request.armFirstPatience()
            // The offer ends after 5 ms.
            let grant = try environment.writer.begin(timeout: .seconds(30))
            let start = ContinuousClock.now
            try #require(
                storageCode { try environment.writer.begin(timeout: .milliseconds(50)) }
                    == .writeLockTimeout)
            let waited = ContinuousClock.now - start
            try #require(waited >= .milliseconds(50) && waited < .seconds(30))
            grant.cancel()
            try #require(isOffered.value == 1)
            request.cancel()
        }
    }

    /// What the error says of a holder in another process.
    @Test func anotherProcessIsNamed() async throws {
        let grant = try environment.writer.begin(
            as: WriterIdentity(fileID: #fileID, line: 4_711, thread: Int(getpid())))
        await #expect(processExitsWith: .success) {
            [path = path as String, holder = getpid() as Int32] in
            let environment = try Environment.open(.init(path))
            let error = #expect(throws: StorageError.self) {
                try environment.writer.begin(timeout: .milliseconds(1)).cancel()
            }
            let text = error?.message ?? ""
            try #require(error?.code == .writeLockTimeout)
            try #require(text.contains("by process \(holder) ('") && text.contains(", thread "))
            try #require(text.contains("WriteOfferTests.swift:4711"))
        }
        grant.cancel()
        // The gate is free, so the record is cleared.
        await #expect(processExitsWith: .success) { [path = path as String] in
            try Environment.open(.init(path)).put("a", "child")
        }
    }

    /// These are not stepped: the thread calls when their time has come.
    @Test func deadlinesPassByThemselves() {
        let deadlines = Deadlines()
        let (calls, isCalled) = (Shared(0), DispatchSemaphore(value: 0))
        let now = ContinuousClock.now
        let withdrawn = deadlines.arm(at: now + .seconds(3_600), path: path) {
            calls.change { $0 += 100 }
        }
        for time in [20, 10] {
            deadlines.arm(at: now + .milliseconds(time), path: path) {
                calls.change { $0 += 1 }
                isCalled.signal()
            }
        }
        deadlines.disarm(withdrawn)
        for _ in 0..<2 { #expect(isCalled.wait(timeout: .now() + 60) == .success) }
        #expect(calls.value == 2)
        #expect(deadlines.count == 0)
    }
}
