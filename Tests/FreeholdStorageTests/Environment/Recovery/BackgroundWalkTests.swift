import Dispatch
import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Synchronization
import Testing

/// The walk beside commits, stepped by hand.
@Suite("Recovery: walking in the background") struct BackgroundWalkTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let file: UnsoundFile

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
        file = UnsoundFile(path, count: 10_000)
        try file.make()
    }

    /// Stops a walk before a page until it is released.
    private final class Stop: Sendable {
        private let reached = DispatchSemaphore(value: 0)
        private let released = DispatchSemaphore(value: 0)
        let count = Atomic<Int>(0)

        func hooks(beforePage page: Int) -> TestHooks {
            var hooks = GuardedScript.hooks
            hooks.walksInBackground = true
            hooks.onWalkedPage = { number in
                self.count.add(1, ordering: .relaxed)
                guard number == page else { return }
                self.reached.signal()
                self.released.wait()
            }
            return hooks
        }

        func wait() { reached.wait() }
        func release() { released.signal() }
    }

    @Test func noCommitAndNoReaderWaitsForTheWalk() throws {
        let stop = Stop()
        let environment = try GuardedScript.open(path, hooks: stop.hooks(beforePage: 2))
        try file.commit(environment)
        stop.wait()
        for _ in 0..<10 { try file.commit(environment) }
        #expect(try environment.read().text(file.writtenKey) == "new")
        #expect(!environment.handle.hasSoundPages)
        stop.release()
        environment.waitForPageWalk()
        #expect(environment.handle.hasSoundPages)
    }

    @Test func aCancelledWalkEndsBeforeTheNextPage() throws {
        let environment = try GuardedScript.open(path)
        let handle = environment.handle
        let (holder, count) = (Locked<BackgroundWalk?>(nil), Shared(0))
        let walk = BackgroundWalk { number in
            count.change { $0 += 1 }
            if number == 2 { holder.withLock { $0 }?.cancel() }
        }
        _ = holder.exchange(walk)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        let soundness = PageSoundness(isKnown: false)
        walk.start(
            try PageReader(
                descriptor: descriptor, path: path, fileSize: try handle.fileSize, isOurs: true),
            noting: soundness)
        walk.wait()
        _ = holder.exchange(nil)
        #expect(count.value == 3)
        #expect(!soundness.isKnown && walk.damage == nil)
        #expect(fcntl(descriptor, F_GETFD) < 0)
    }

    @Test func closingEndsTheWalk() throws {
        let stop = Stop()
        let closing: RunningThread<Void>
        do {
            let environment = try GuardedScript.open(path, hooks: stop.hooks(beforePage: 2))
            try file.commit(environment)
            stop.wait()
            closing = startThread { stop.release() }
        }
        try closing.join()
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0))
                == path
        }
        #expect(open.isEmpty)
        // Unless the walk was at its end, the file is not vouched for.
        let environment = try GuardedScript.open(path)
        try file.commit(environment)
        #expect(try environment.read().text(file.writtenKey) == "new")
    }

    /// Nothing is reused, so the file grows; then commits wait for the walk.
    @Test func aFileDoesNotGrowWithoutBounds() throws {
        let stop = Stop()
        let environment = try GuardedScript.open(path, hooks: stop.hooks(beforePage: 2))
        let value = String(repeating: "x", count: 400_000)
        func commit() throws -> Int {
            try environment.writer.begin().commit { try $0.put("long", value) }
            return environment.handle.lastPage
        }
        let old = environment.handle.lastPage
        while try commit() < old + 3_500 {}
        stop.wait()
        #expect(!environment.handle.hasSoundPages)
        // Of these commits, one comes to the limit of 4,096 pages, and waits.
        let releasing = startThread { stop.release() }
        for _ in 0..<10 { _ = try commit() }
        try releasing.join()
        #expect(environment.handle.hasSoundPages)
        #expect(environment.counters.pageWalks.load(ordering: .relaxed) == 0)
        let grown = environment.handle.lastPage
        for _ in 0..<40 { _ = try commit() }
        #expect(environment.handle.lastPage <= max(grown, old + 4_096 + 200))
    }

    @Test(.disabled(if: EncryptedSuite.isOn, "damages a plain page"))
    func aCommitThatWaitsForTheWalkFindsItsDamage() throws {
        try file.damageLastLeaf()
        let stop = Stop()
        let environment = try GuardedScript.open(path, hooks: stop.hooks(beforePage: 2))
        let value = String(repeating: "x", count: 400_000)
        let releasing = startThread {
            stop.wait()
            stop.release()
        }
        let code = storageCode {
            for _ in 0..<60 {
                try environment.writer.begin().commit { try $0.put("0 long", value) }
            }
        }
        try releasing.join()
        #expect(code == .corrupted)
        environment.waitForPageWalk()
        #expect(storageCode { try file.commit(environment) } == .corrupted)
        #expect(try environment.read().text("0 long") == value)
    }

    /// LMDB writes behind the last page that the meta page counts.
    @Test(.disabled(if: EncryptedSuite.isOn, "compares plain pages"))
    func aMetaPageThatCountsTooFewPages() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let control = try Data(contentsOf: URL(fileURLWithPath: path + ".control"))
        let metas = [0, pageSizeOfNewFiles].map { offset in
            whole.withUnsafeBytes {
                (offset, try? MetaPage.decode(at: $0.baseAddress.unsafelyUnwrapped + offset).get())
            }
        }
        let (offset, meta) = try #require(
            metas.max { $0.1?.transaction ?? 0 < $1.1?.transaction ?? 0 })
        let lastPage = try #require(meta).lastPage
        for missing in [1, 2, 3, 4, 8, 16, 100, lastPage / 2] as [UInt64] {
            var damaged = whole
            let place = offset + PageLayout.headerSize + 120
            withUnsafeBytes(of: (lastPage - missing).littleEndian) {
                damaged.replaceSubrange(place..<place + 8, with: $0)
            }
            let copy = directory.file("\(missing).realm")
            try damaged.write(to: URL(fileURLWithPath: copy))
            try control.write(to: URL(fileURLWithPath: copy + ".control"))
            let code = storageCode {
                try file.commit(try GuardedScript.open(copy))
            }
            #expect(code == .corrupted || code == .truncated, "\(missing) pages are not counted")
            let after = try Data(contentsOf: URL(fileURLWithPath: copy))
            let pages = 2 * pageSizeOfNewFiles..<damaged.count
            #expect(after.subdata(in: pages) == damaged.subdata(in: pages))
        }
    }
}
