import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

@Suite("Environment: many threads")
struct EnvironmentConcurrencyTests {
    let directory: TemporaryDirectory
    let environment: Environment

    init() throws {
        directory = try TemporaryDirectory()
        environment = try Environment.open(
            .init(directory.file("a.realm")) { $0.durability = .none })
    }

    /// Four threads read one view, by key and by cursor, while commits replace everything in it.
    @Test func threadsShareOneViewWhileAWriterCommits() throws {
        let environment = environment
        let view = try fill(environment, generation: 0)
        let isDone = Shared(false)
        let read: @Sendable () throws -> Void = {
            var rounds = 0
            repeat {
                for index in 0..<200 {
                    try #require(try view.text("key \(1000 + index)") == "0 \(index)")
                }
                try #require(try view.entries().count == 200)
                try #require(view.entryCount(.clusters) == 200)
                rounds += 1
            } while rounds < 20 || !isDone.value
        }
        let write: @Sendable () throws -> Void = {
            defer { isDone.change { $0 = true } }
            for generation in 1...100 { _ = try fill(environment, generation: generation) }
        }
        try runThreads([read, read, read, read, write])
        #expect(try environment.read().text("key 1007") == "100 7")
    }

    /// Every view shows one generation, never an older one than its thread has seen, and never
    /// another than its version says.
    @Test func viewsAreWholeAndMonotonous() throws {
        let environment = environment
        let first = try fill(environment, generation: 0).version
        let isDone = Shared(false)
        let read: @Sendable () throws -> Void = {
            var last: UInt64 = 0
            while !isDone.value {
                let view = try environment.read()
                try #require(view.version >= last)
                last = view.version
                let generation = last - first
                for index in [0, 50, 199] {
                    try #require(try view.text("key \(1000 + index)") == "\(generation) \(index)")
                }
            }
        }
        let write: @Sendable () throws -> Void = {
            defer { isDone.change { $0 = true } }
            for generation in 1...200 { _ = try fill(environment, generation: generation) }
        }
        try runThreads([read, read, read, write])
        #expect(try environment.read().version == first + 200)
    }

    @Test func writersOnManyThreadsLoseNoUpdate() throws {
        let environment = environment
        try environment.put("count", "0")
        try runThreads(Array(repeating: { try incrementCount(environment, times: 50) }, count: 8))
        #expect(try environment.read().text("count") == "400")
    }

    /// Random transactions against a dictionary a version; old views go on showing theirs.
    @Test func randomTransactionsMatchAModel() throws {
        var generator = Seed.random()
        let seed = generator.seed
        var model: [String: [UInt8]] = [:]
        var views: [(ReadTransaction, [String: [UInt8]])] = []
        for _ in 0..<150 {
            var next = model
            let isThrown = Int.random(in: 0..<6, using: &generator) == 0
            let grant = try environment.writer.begin()
            do {
                let view = try grant.commit { transaction in
                    for _ in 0..<Int.random(in: 0...30, using: &generator) {
                        let key = "k\(Int.random(in: 0 ..< 60, using: &generator))"
                        if Int.random(in: 0..<3, using: &generator) == 0 {
                            #expect(
                                try transaction.delete(key)
                                    == (next.removeValue(forKey: key) != nil),
                                "FREEHOLD_SEED=\(seed)")
                        } else {
                            let size =
                                [0, 10, 500, 3000, 20_000].randomElement(using: &generator) ?? 0
                            let value = [UInt8](
                                repeating: UInt8.random(in: 0...255, using: &generator), count: size
                            )
                            try transaction.put(key, value)
                            next[key] = value
                        }
                    }
                    if isThrown { throw CancellationError() }
                }.1
                model = next
                views.append((view, model))
            } catch is CancellationError {}
            if views.count > 20 {
                views.remove(at: Int.random(in: 0..<views.count, using: &generator))
            }
            for (view, expected) in [views.randomElement(using: &generator), views.last].compactMap(
                { $0 })
            {
                let entries = try view.entries().map {
                    (String(decoding: $0.key, as: UTF8.self), $0.value)
                }
                #expect(
                    Dictionary(uniqueKeysWithValues: entries) == expected,
                    "FREEHOLD_SEED=\(seed), version \(view.version)")
            }
        }
    }

    private func fill(_ environment: Environment, generation: Int) throws -> ReadTransaction {
        try environment.writer.begin().commit { transaction in
            for index in 0..<200 {
                try transaction.put("key \(1000 + index)", "\(generation) \(index)")
            }
        }.1
    }
}
