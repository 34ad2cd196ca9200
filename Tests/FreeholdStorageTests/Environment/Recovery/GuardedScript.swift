import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport

/// A file that is not vouched for, and transactions on it that depend on a seed only.
struct GuardedScript {
    /// Files of all sizes are judged page by page; nothing walks them.
    static let hooks = TestHooks {
        $0.walkedPageCount = 0
        $0.walksInBackground = false
    }

    /// The file has other contents than the model.
    struct Difference: Error { let key: String }

    private let seed: UInt64
    private let keyLength: ClosedRange<Int>
    private let count: Int

    /// - Parameter keyLength: Long keys make deep trees.
    init(seed: UInt64, count: Int, keyLength: ClosedRange<Int>) {
        self.seed = seed
        self.count = count
        self.keyLength = keyLength
    }

    static func open(_ path: String, hooks: TestHooks = hooks) throws -> Environment {
        try Environment.open(.init(path, hooks: hooks))
    }

    /// The numbers of keys ascend as they do.
    private func key(_ number: Int) -> String {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        return "\(1_000_000 + number)" + String(repeating: "k", count: random.int(keyLength))
    }

    private func value(_ key: String, _ random: inout SeededGenerator) -> String {
        let length = random.once(in: 60) ? 6_000 : random.int(0...300)
        return key + "/" + String(repeating: "v", count: length)
    }

    /// Makes the file, in one transaction or in several. Without syncs there is no vouching.
    func makeFile(_ path: String) throws -> [String: String] {
        var random = SeededGenerator(seed: seed)
        let environment = try Environment.open(.init(path) { $0.durability = .none })
        var model: [String: String] = [:]
        // Random order leaves pages partly filled.
        let numbers = random.once(in: 2) ? Array(0..<count) : (0..<count).shuffled(using: &random)
        try environment.writer.begin().commit { transaction in
            for number in numbers {
                let key = key(number * 10)
                model[key] = value(key, &random)
                try transaction.put(key, model[key] ?? "")
            }
        }
        // Thin leaves.
        try environment.writer.begin().commit { transaction in
            for number in 0..<count where random.once(in: 3) {
                try transaction.delete(key(number * 10))
                model[key(number * 10)] = nil
            }
        }
        return model
    }

    /// Runs one transaction.
    func run(_ round: Int, _ environment: Environment, _ model: inout [String: String]) throws {
        var random = SeededGenerator(seed: seed &+ UInt64(round) &* 7919)
        var changed = model
        try environment.writer.begin().commit { transaction in
            for _ in 0..<random.int(1...3) {
                try change(transaction, &changed, &random)
            }
        }
        model = changed
    }

    private func change(
        _ transaction: WriteTransaction, _ model: inout [String: String],
        _ random: inout SeededGenerator
    ) throws {
        let start = random.int(0...count * 10 - 1)
        switch random.int(0...6) {
        case 0:
            for _ in 0..<random.int(1...20) {
                try put(random.int(0...count * 10 - 1), transaction, &model, &random)
            }
        case 1:
            for number in start..<start + random.int(1...300) {
                try put(number, transaction, &model, &random)
            }
        case 2:
            for _ in 0..<random.int(1...20) {
                try delete(random.int(0...count - 1) * 10, transaction, &model)
            }
        case 3:
            for number in start..<start + random.int(1...4000) {
                try delete(number, transaction, &model)
            }
        case 4:
            let end = start + random.int(1...2000)
            for number in (start..<end).reversed() where random.once(in: 2) {
                try delete(number, transaction, &model)
                if random.once(in: 5) { try put(number + 1, transaction, &model, &random) }
            }
        case 5:
            try append(transaction, &model, &random)
        default:
            try moveAbout(start, transaction, &model, &random)
        }
    }

    private func put(
        _ number: Int, _ transaction: WriteTransaction, _ model: inout [String: String],
        _ random: inout SeededGenerator
    ) throws {
        let key = key(number)
        model[key] = value(key, &random)
        try transaction.put(key, model[key] ?? "")
    }

    /// Puts entries behind the last one, as copies and migrations do.
    private func append(
        _ transaction: WriteTransaction, _ model: inout [String: String],
        _ random: inout SeededGenerator
    ) throws {
        let last = model.keys.max().flatMap { Int($0.prefix(7)) } ?? 1_000_000
        for number in last - 999_999..<last - 999_999 + random.int(1...100) {
            let key = key(number)
            let value = value(key, &random)
            model[key] = value
            try Array(key.utf8).withUnsafeBytes { key in
                let bytes = try transaction.reserve(
                    .clusters, key: key, count: value.utf8.count, appending: true)
                bytes.copyBytes(from: value.utf8)
            }
        }
    }

    private func delete(
        _ number: Int, _ transaction: WriteTransaction, _ model: inout [String: String]
    ) throws {
        let key = key(number)
        let wasThere = try transaction.delete(key)
        if wasThere != (model.removeValue(forKey: key) != nil) { throw Difference(key: key) }
    }

    /// As the writer of indexes uses cursors.
    private func moveAbout(
        _ start: Int, _ transaction: WriteTransaction, _ model: inout [String: String],
        _ random: inout SeededGenerator
    ) throws {
        var cursor = try transaction.cursor(.clusters)
        for _ in 0..<random.int(1...60) {
            let key = key(start + random.int(0...500))
            let bytes = Array(key.utf8)
            let found = try bytes.withUnsafeBytes {
                random.once(in: 2)
                    ? try cursor.seek(atOrBefore: $0) : try cursor.seek(atOrAfter: $0)
            }
            guard let found else { continue }
            let current = String(decoding: found.key, as: UTF8.self)
            guard String(decoding: found.value, as: UTF8.self) == model[current] else {
                throw Difference(key: current)
            }
            switch random.int(0...3) {
            case 0: _ = try cursor.next()
            case 1: _ = try cursor.previous()
            case 2:
                try cursor.deleteFound()
                model[current] = nil
            default:
                model[key] = value(key, &random)
                try bytes.withUnsafeBytes { key in
                    try Array((model[String(decoding: key, as: UTF8.self)] ?? "").utf8)
                        .withUnsafeBytes { try cursor.put(key: key, value: $0) }
                }
            }
        }
    }
}
