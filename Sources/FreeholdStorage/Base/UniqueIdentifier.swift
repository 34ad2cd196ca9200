/// 16 random bytes that name a file's contents through copies and renames.
package struct UniqueIdentifier: Hashable, Sendable, CustomStringConvertible {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns a new random identifier.
    package static func random() -> UniqueIdentifier {
        var generator = SystemRandomNumberGenerator()
        return UniqueIdentifier(high: generator.next(), low: generator.next())
    }

    /// The identifier as 32 hexadecimal digits.
    package var description: String {
        func digits(_ word: UInt64) -> String {
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return digits(high) + digits(low)
    }
}
