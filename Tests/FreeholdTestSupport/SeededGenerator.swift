/// A random generator that repeats itself: SplitMix64 from a seed that the test names when it
/// fails.
package struct SeededGenerator: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Takes the seed of the file of tests, or the one that `FREEHOLD_SEED` gives.
    package init(fileID: StaticString = #fileID) { self.init(seed: .testSeed(fileID: fileID)) }

    /// As ``init(fileID:)``, and prints the seed.
    package init(test: String, fileID: StaticString = #fileID) {
        self.init(seed: .testSeed(fileID: fileID))
        print("\(test): FREEHOLD_SEED=\(seed)")
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    package mutating func int(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// True once in `n` times.
    package mutating func once(in n: Int) -> Bool { int(1...n) == 1 }

    package mutating func pick<Element>(_ list: [Element]) -> Element {
        list[int(0...list.count - 1)]
    }
}
