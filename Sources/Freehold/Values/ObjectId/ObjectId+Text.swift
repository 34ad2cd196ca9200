extension ObjectId {
    /// Reads 24 hexadecimal digits, in either case.
    ///
    /// - Throws: ``ValueFormatError`` if the string is anything else.
    public init(string: String) throws {
        var copy = string
        guard let id = copy.withUTF8({ ObjectId(hexadecimal: $0) }) else {
            throw ValueFormatError(text: string, message: ObjectId.malformed(string))
        }
        self = id
    }

    /// Reads 24 hexadecimal digits, in either case, of a literal.
    ///
    /// Traps if the literal is anything else; use ``init(string:)`` for text that is not part
    /// of the program.
    public init(_ str: StaticString) {
        guard let id = str.withUTF8Buffer({ ObjectId(hexadecimal: $0) }) else {
            fatalError(ObjectId.malformed("\(str)"))
        }
        self = id
    }

    /// The bytes as 24 lowercase hexadecimal digits.
    public var stringValue: String {
        String(unsafeUninitializedCapacity: 24) { buffer in
            var position = 0
            for word in [word0, word1, word2] {
                for shift in stride(from: 28, through: 0, by: -4) {
                    let digit = UInt8(truncatingIfNeeded: word >> shift) & 0xF
                    buffer[position] =
                        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                    position += 1
                }
            }
            return position
        }
    }

    private static func malformed(_ text: String) -> String {
        "Invalid Object ID string '\(text)': must be 24 hex digits"
    }

    private init?(hexadecimal text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 24 else { return nil }
        var words: (UInt32, UInt32, UInt32) = (0, 0, 0)
        for (position, character) in text.enumerated() {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
            default: return nil
            }
            switch position / 8 {
            case 0: words.0 = words.0 << 4 | UInt32(digit)
            case 1: words.1 = words.1 << 4 | UInt32(digit)
            default: words.2 = words.2 << 4 | UInt32(digit)
            }
        }
        self.init(words: words)
    }
}

extension ObjectId: CustomStringConvertible {
    /// The same as ``stringValue``.
    public var description: String { stringValue }
}

extension ObjectId: Codable {
    /// Decodes a string of 24 hexadecimal digits.
    ///
    /// - Throws: `DecodingError` if there is no string. If the string is malformed, its
    ///   underlying error is a ``ValueFormatError``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = try container.parsing { try ObjectId(string: container.decode(String.self)) }
    }

    /// Encodes ``stringValue``.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}

extension SingleValueDecodingContainer {
    /// Returns a value that is read from text, and says where the text is if it is malformed.
    func parsing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ValueFormatError {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath, debugDescription: error.message,
                    underlyingError: error))
        }
    }
}
