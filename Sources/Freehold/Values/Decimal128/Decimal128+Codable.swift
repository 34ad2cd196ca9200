import Foundation

extension Decimal128: Codable {
    /// Decodes a string as ``init(string:)`` reads it, or a number.
    ///
    /// A JSON number of up to 38 digits whose exponent fits `Decimal` is exact, except for
    /// rounding to 34 digits. Any other number goes through `Double`. Encode as a string, as
    /// ``encode(to:)`` does, to lose nothing.
    ///
    /// - Throws: `DecodingError` if there is neither. If the string is malformed, its underlying
    ///   error is a ``ValueFormatError``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let string = try? container.decode(String.self) {
            self = try container.parsing { try Decimal128(string: string) }
        } else if let integer = try? container.decode(Int64.self) {
            self.init(integer)
        } else if let decimal = try? container.decode(Decimal.self) {
            self.init(decimal)
        } else if let double = try? container.decode(Double.self) {
            self.init(double)
        } else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "Cannot convert value to Decimal128: must be a string or a number"
            )
        }
    }

    /// Encodes ``description``.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
