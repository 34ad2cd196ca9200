import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport

/// A file with a list of free pages that nobody vouches for, and commits on it.
struct UnsoundFile: Sendable {
    let path: String
    private let count: Int

    init(_ path: String, count: Int) {
        self.path = path
        self.count = count
    }

    static func key(_ number: Int) -> String { "\(1_000_000 + number)" }

    /// A key that ``commit(_:)`` writes.
    var writtenKey: String { Self.key(count / 2) }
    /// A key of the last leaf, which commits do not come to.
    var lastKey: String { Self.key(count - 10) }

    func make() throws {
        // Without syncs there is no vouching.
        let environment = try Environment.open(.init(path) { $0.durability = .none })
        try environment.writer.begin().commit { transaction in
            for number in 0..<count {
                try transaction.put(Self.key(number), "value \(number)")
            }
        }
        for round in 0..<3 {
            try environment.writer.begin().commit { transaction in
                for number in 0..<count / 20 {
                    try transaction.put(Self.key(number * 7), "value \(number) of \(round)")
                }
            }
        }
    }

    func commit(_ environment: Environment) throws {
        try environment.writer.begin().commit { transaction in
            for number in 0..<3 { try transaction.put(Self.key(count / 2 + number), "new") }
            for number in 0..<3 { try transaction.delete(Self.key(count / 3 + number * 100)) }
        }
    }

    /// Damages a leaf that ``commit(_:)`` does not come to, in a plain file.
    func damageLastLeaf() throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let sought = Data("value \(count - 10)".utf8)
        guard let place = bytes.range(of: sought, options: .backwards)?.lowerBound else {
            throw GuardedScript.Difference(key: lastKey)
        }
        let leaf = place / pageSizeOfNewFiles * pageSizeOfNewFiles
        bytes.replaceSubrange(leaf + 12..<leaf + 14, with: [0, 0])
        try bytes.write(to: URL(fileURLWithPath: path))
    }
}
