import Foundation
import FreeholdStorage

/// Where every random test takes its numbers from.
///
/// | `FREEHOLD_SEED` | seed |
/// |---|---|
/// | not set | the test's own, so that each run does the same |
/// | a number | this one |
/// | `fresh` | a new one for each test, for long runs |
package enum Seed {
    /// A generator for a random test.
    ///
    /// Prints the line that repeats the test, `FREEHOLD_SEED=123 ListTests/randomChanges`: the
    /// setting, and what to give to `Tests/run --filter`.
    ///
    /// - Parameters:
    ///   - own: The test's own seed; nil for one that its name determines.
    ///   - name: What the line names; nil for the calling test.
    ///   - function: The test, where a helper makes the generator.
    ///   - fileID: The file of the test.
    package static func random(
        _ own: UInt64? = nil, for name: String? = nil, function: String = #function,
        fileID: String = #fileID
    ) -> SeededGenerator {
        let name = name ?? "\(suite(fileID))/\(function.prefix { $0 != "(" })"
        let seed: UInt64 =
            switch Setting.current {
            case .own: own ?? hash(name)
            case .given(let seed): seed
            case .fresh: .random(in: 0 ... .max)
            }
        let line = "FREEHOLD_SEED=\(seed) \(name)"
        if printed.withLock({ $0.insert(line).inserted }) {
            // To the error output: what a tool prints on the other may be read by a program.
            FileHandle.standardError.write(Data("\(line)\n".utf8))
        }
        return SeededGenerator(seed: seed)
    }

    private enum Setting {
        case own
        case given(UInt64)
        case fresh

        static let current: Setting = {
            guard let text = ProcessInfo.processInfo.environment["FREEHOLD_SEED"] else {
                return .own
            }
            if text == "fresh" { return .fresh }
            guard let seed = UInt64(text) else {
                fatalError("FREEHOLD_SEED is a number, or \"fresh\", not \"\(text)\".")
            }
            return .given(seed)
        }()
    }

    private static let printed = Locked(Set<String>())

    /// A suite has the name of its file.
    private static func suite(_ fileID: String) -> Substring {
        let file = fileID.suffix(from: fileID.lastIndex(of: "/") ?? fileID.startIndex)
        return file.drop { $0 == "/" }.prefix { $0 != "." && $0 != "+" }
    }

    /// FNV-1a.
    private static func hash(_ name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
