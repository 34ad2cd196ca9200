/// A random generator that repeats itself: SplitMix64.
///
/// A test gets its own from ``Seed/random(_:for:function:fileID:)``.
package struct SeededGenerator: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
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
