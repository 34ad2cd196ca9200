package import Freehold
package import FreeholdTestSupport
package import Testing

extension SeededGenerator {
    package func expect(
        _ condition: Bool, _ comment: @autoclosure () -> String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        // Unconditional expectations would record thousands of passing ones.
        if !condition {
            Issue.record("\(comment()), FREEHOLD_SEED=\(seed)", sourceLocation: sourceLocation)
        }
    }

    /// A finite number of up to 34 digits, near 1 or anywhere.
    package mutating func number() -> Decimal128 {
        let digits = int(1...34)
        let coefficient =
            (UInt128(next()) << 64 | UInt128(next()))
            % (0..<digits).reduce(1) { power, _ in power * 10 }
        let range = Bool.random(using: &self) ? -20...20 : -6176...6111
        let sign = Bool.random(using: &self) ? "-" : ""
        return Decimal128(stringLiteral: "\(sign)\(coefficient)E\(int(range))")
    }
}
