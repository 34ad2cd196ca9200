import Foundation

/// A random generator that repeats itself: SplitMix64 from a seed that the test prints, or names when it fails.
package struct SeededGenerator: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64 = .random(in: 0 ... .max)) {
        self.seed = seed
        state = seed
    }

    /// Takes the seed from the environment's FREEHOLD_SEED, or a new one, and prints it.
    package init(test: String) {
        let given = ProcessInfo.processInfo.environment["FREEHOLD_SEED"].flatMap { UInt64($0) }
        self.init(seed: given ?? UInt64.random(in: 0 ... .max))
        print("\(test): FREEHOLD_SEED=\(seed)")
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    package mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// True once in `n` times.
    package mutating func once(in n: Int) -> Bool { int(1...n) == 1 }

    package mutating func pick<Element>(_ list: [Element]) -> Element { list[int(0...list.count - 1)] }
}
