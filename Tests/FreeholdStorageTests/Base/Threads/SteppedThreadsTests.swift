import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Threads that run one at a time, in the order of a seed. In processes of their own: all of a
/// process's threads take part.
@Suite("Environment: stepped threads") struct SteppedThreadsTests {
    /// The order in which three threads hand a number around.
    private static func order(_ seed: UInt64) throws -> [Int] {
        SteppedThreads.begin(seed: seed)
        let monitor = Monitor()
        let order = Locked<[Int]>([])
        let threads = try (0..<3).map { number in
            try SystemThread.start(named: "stepped", to: "test", path: "") {
                for _ in 0..<10 {
                    order.withLock { $0.append(number) }
                    monitor.withLock {
                        monitor.wakeAll()
                        if order.withLock({ $0.count }) < 25 { monitor.wait(for: .seconds(60)) }
                    }
                }
            }
        }
        SteppedThreads.settle()
        for thread in threads { thread.join() }
        return order.withLock { $0 }
    }

    @Test func aSeedDecidesTheOrder() async {
        await #expect(processExitsWith: .success) {
            let orders = try (1...20).map { try Self.order($0) }
            try #require(try (1...20).map { try Self.order($0) } == orders)
            try #require(Set(orders).count > 10)
            try #require(orders.allSatisfy { $0.sorted() == (0..<30).map { $0 / 10 } })
        }
    }

    /// A thread that waits with a lock of another monitor does not block threads that want
    /// that lock.
    @Test func aLockThatIsHeldLetsOthersRun() async {
        await #expect(processExitsWith: .success) {
            for seed in 1...50 {
                SteppedThreads.begin(seed: UInt64(seed))
                let (outer, inner) = (Monitor(), Monitor())
                let isThere = Locked(false)
                let entered = Locked(0)
                let threads = try (0..<2).map { _ in
                    try SystemThread.start(named: "stepped", to: "test", path: "") {
                        outer.withLock {
                            inner.withLock { while !isThere.withLock({ $0 }) { inner.wait() } }
                            entered.withLock { $0 += 1 }
                        }
                    }
                }
                SteppedThreads.yield()
                inner.withLock {
                    isThere.withLock { $0 = true }
                    inner.wakeAll()
                }
                for thread in threads { thread.join() }
                try #require(entered.withLock { $0 } == 2)
            }
        }
    }

    /// What a commit meets does not depend on the machine: the writer thread, the callers and
    /// the line take turns.
    @Test func writersOfAFileTakeTheSameTurns() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a")
        await #expect(processExitsWith: .success) { [path = path as String] in
            func order(_ seed: UInt64) throws -> [String] {
                SteppedThreads.begin(seed: seed)
                let environment = try Environment.open(.init(path) { $0.durability = .none })
                let order = Locked<[String]>([])
                let threads = try (0..<3).map { number in
                    try SystemThread.start(named: "stepped", to: "test", path: path) {
                        for round in 0..<4 {
                            _ = try? environment.put("\(number)", "\(round)")
                            order.withLock { $0.append("\(number) \(round)") }
                        }
                    }
                }
                for thread in threads { thread.join() }
                return order.withLock { $0 }
            }
            let orders = try (1...8).map { try order($0) }
            try #require(try (1...8).map { try order($0) } == orders)
            try #require(Set(orders).count > 2)
        }
    }
}
