import Freehold
import Testing

/// Random numbers from a seed (SplitMix64). A failed expectation prints the seed; give it to `init(seed:)` to replay the test.
struct SeededValueGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64 = .random(in: 0...(.max))) {
        self.seed = seed
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    func expect(
        _ condition: Bool, _ comment: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        // Unconditional expectations would record thousands of passing ones.
        if !condition {
            Issue.record("\(comment()), seed \(seed)", sourceLocation: sourceLocation)
        }
    }

    /// A finite number of up to 34 digits, near 1 or anywhere.
    mutating func number() -> Decimal128 {
        let digits = Int.random(in: 1...34, using: &self)
        let coefficient = (UInt128(next()) << 64 | UInt128(next())) % (0..<digits).reduce(1) { power, _ in power * 10 }
        let range = Bool.random(using: &self) ? -20...20 : -6176...6111
        let sign = Bool.random(using: &self) ? "-" : ""
        return Decimal128(stringLiteral: "\(sign)\(coefficient)E\(Int.random(in: range, using: &self))")
    }
}
