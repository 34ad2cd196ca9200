import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

@Suite("Environment: writer")
struct WriterTests {
    let directory: TemporaryDirectory
    let path: String
    let environment: Environment

    struct Refusal: Error, Equatable {}

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
        environment = try Environment.open(.init(path))
    }

    @Test func aThrownErrorUndoesEverythingAndIsRethrown() throws {
        try environment.put("a", "1")
        let grant = try environment.writer.begin()
        #expect(throws: Refusal.self) {
            try grant.commit { transaction in
                try transaction.put("a", "2")
                throw Refusal()
            }
        }
        #expect(try environment.read().text("a") == "1")
        #expect(try environment.put("b", "1").version == grant.version)
    }

    @Test func aSwallowedFailureStillFailsTheCommit() throws {
        let grant = try environment.writer.begin()
        let code = storageCode {
            try grant.commit { transaction in
                try transaction.put("a", "1")
                try? transaction.put("", "no key")
            }
        }
        #expect(code == .valueTooLarge)
        #expect(try environment.read().text("a") == nil)
    }

    @Test func cancellingLeavesTheVersion() throws {
        let version = try environment.read().version
        try environment.writer.begin().cancel()
        do { _ = try environment.writer.begin() }
        #expect(try environment.read().version == version)
        #expect(try environment.put("a", "1").version == version + 1)
    }

    @Test func theResultNeedNotBeSendable() throws {
        final class Local { var count = 0 }
        let local = Local()
        let (result, _) = try environment.writer.begin().commit { transaction in
            try transaction.put("a", "1")
            local.count += 1
            return local
        }
        #expect(result === local)
        #expect(local.count == 1)
    }

    @Test func synchronousWritersTakeTurnsInOrder() throws {
        let grant = try environment.writer.begin()
        let order = Shared<[Int]>([])
        let environment = environment
        let threads = (0..<10).map { index in
            let thread = startThread {
                do {
                    let grant = try environment.writer.begin()
                    _ = try grant.commit { _ in order.change { $0.append(index) } }
                } catch {
                    Issue.record(error)
                }
            }
            while environment.writer.waitingCount <= index { sched_yield() }
            return thread
        }
        #expect(order.value.isEmpty)
        grant.cancel()
        for thread in threads { try thread.join() }
        #expect(order.value == Array(0..<10))
    }

    @Test func requestsAreGrantedInOrderAndNotBefore() async throws {
        let grant = try environment.writer.begin()
        let environment = environment
        let order = Shared<[Int]>([])
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                let granted = AsyncStream<Void>.makeStream()
                environment.writer.begin { result in
                    order.change { $0.append(index) }
                    do { try result.get().cancel() } catch { Issue.record(error) }
                    granted.continuation.finish()
                }
                group.addTask { for await _ in granted.stream {} }
            }
            #expect(order.value.isEmpty)
            #expect(environment.writer.waitingCount == 20)
            grant.cancel()
        }
        #expect(order.value == Array(0..<20))
    }

    @Test func aCancelledRequestIsNeverGranted() async throws {
        let grant = try environment.writer.begin()
        let calls = Shared(0)
        let cancelled = environment.writer.begin { _ in calls.change { $0 += 1 } }
        let granted = AsyncStream<Bool>.makeStream()
        let kept = environment.writer.begin { result in
            if case .success(let grant) = result { grant.cancel() }
            granted.continuation.yield(true)
            granted.continuation.finish()
        }
        #expect(cancelled.cancel())
        #expect(cancelled.cancel())
        grant.cancel()
        for await _ in granted.stream {}
        #expect(!kept.cancel())
        #expect(calls.value == 0)
    }

    @Test func cancellingRacesWithGrantingWithoutLosingAGrant() async throws {
        let environment = environment
        let outcomes = Shared((granted: 0, cancelled: 0))
        for _ in 0..<200 {
            let request = environment.writer.begin { result in
                if case .success(let grant) = result { grant.cancel() }
                outcomes.change { $0.granted += 1 }
            }
            if request.cancel() { outcomes.change { $0.cancelled += 1 } }
        }
        // Behind all of them: a kept grant would block this for ever.
        try environment.put("a", "1")
        await withCheckedContinuation { done in
            _ = environment.writer.begin { result in
                if case .success(let grant) = result { grant.cancel() }
                done.resume()
            }
        }
        #expect(outcomes.change { $0.granted + $0.cancelled } == 200)
    }

    @Test func asynchronousCommitsCompleteOnTheWriterThread() async throws {
        let environment = environment
        let version = try await withCheckedThrowingContinuation {
            (done: CheckedContinuation<UInt64, any Error>) in
            environment.writer.begin { result in
                do {
                    try result.get().commitAsync({ try $0.put("a", "1") }) { outcome in
                        done.resume(with: outcome.map { $0.1.version })
                    }
                } catch {
                    done.resume(throwing: error)
                }
            }
        }
        #expect(try environment.read().version == version)
        #expect(try environment.read().text("a") == "1")
    }

    @Test func aSynchronousCommitInAGrantRunsInPlace() async throws {
        let environment = environment
        let text = try await withCheckedThrowingContinuation {
            (done: CheckedContinuation<String?, any Error>) in
            environment.writer.begin { result in
                done.resume(
                    with: Result { try result.get().commit { try $0.put("a", "1") }.1.text("a") })
            }
        }
        #expect(text == "1")
    }

    /// A request that does not wait is refused as others are, by the callback.
    @Test(.disabled(if: EncryptedSuite.isOn, "makes a plain copy"))
    func aRequestToAFileThatTakesNoChangesIsRefused() async throws {
        try environment.put("a", "1")
        func refusal(_ environment: Environment) async -> StorageError.Code? {
            await withCheckedContinuation {
                (done: CheckedContinuation<StorageError.Code?, Never>) in
                environment.writer.begin { result in
                    if case .failure(let error) = result {
                        done.resume(returning: error.code)
                    } else {
                        done.resume(returning: nil)
                    }
                }
            }
        }
        #expect(await refusal(environment) == nil)
        let copy = directory.file("b.realm")
        try Environment.copy(try environment.read(), to: copy, key: nil)
        let readOnly = try Environment.open(.init(copy) { $0.access = .readOnly })
        #expect(await refusal(readOnly) == .readOnly)
        // After a failure of the medium.
        #expect(
            storageCode {
                try SystemCalls.failing("fdatasync", in: directory.path, with: EIO) {
                    try environment.put("a", "2")
                }
            } == .inputOutput)
        #expect(await refusal(environment) == .poisoned)
    }

    @Test func anAsynchronousFailureReachesTheCompletion() async throws {
        let grant = try environment.writer.begin()
        await #expect(throws: Refusal.self) {
            try await withCheckedThrowingContinuation {
                (done: CheckedContinuation<Void, any Error>) in
                grant.commitAsync({ _ in throw Refusal() }) {
                    (outcome: Result<(Void, ReadTransaction), any Error>) in
                    done.resume(with: outcome.map { _ in () })
                }
            }
        }
        try environment.put("a", "1")
    }

    @Test func misuseTraps() async throws {
        let path = path
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = path + "1" as String] in
            let grant = try Environment.open(.init(path)).writer.begin()
            grant.cancel()
            grant.cancel()
        }.map { expectMessage($0, "A write grant was committed or cancelled twice.") }
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = path + "2" as String] in
            let environment = try Environment.open(.init(path))
            var leaked: WriteTransaction?
            _ = try environment.writer.begin().commit { leaked = $0 }
            try leaked?.put("a", "1")
        }.map { expectMessage($0, "A write transaction was used after its end.") }
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = path + "3" as String] in
            let environment = try Environment.open(.init(path))
            alarm(60)
            try environment.writer.begin().commitAsync(
                { _ in }, completion: { _ in _ = try? environment.writer.begin() })
            while true { pause() }
        }.map { expectMessage($0, "A blocking write was begun on the writer thread") }
    }

    private func expectMessage(_ result: ExitTest.Result, _ message: String) {
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains(message))
    }
}
