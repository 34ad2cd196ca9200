import Foundation

/// Encoded with one key, which names the kind: `{"int": 5}`, `{"list": [{"string": "a"}]}`,
/// `{"none": true}`. Every value is decoded as it was, with any encoder: numbers that are not
/// finite are texts, and dates are seconds since 2001.
extension DraftValue: Codable {
    private enum Kind: String, CodingKey {
        case none, bool, int, float, double, string, data, date, decimal128, objectId, uuid
        case object, list, set, map
    }

    /// Encodes the value; see the description of the format above.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .none: try container.encode(true, forKey: .none)
        case .bool(let value): try container.encode(value, forKey: .bool)
        case .int(let value): try container.encode(value, forKey: .int)
        case .float(let value):
            if value.isFinite {
                try container.encode(value, forKey: .float)
            } else {
                try container.encode("\(value)", forKey: .float)
            }
        case .double(let value): try container.encode(anyDouble: value, forKey: .double)
        case .string(let value): try container.encode(value, forKey: .string)
        case .data(let value): try container.encode(value.base64EncodedString(), forKey: .data)
        case .date(let value):
            try container.encode(anyDouble: value.timeIntervalSinceReferenceDate, forKey: .date)
        case .decimal128(let value): try container.encode(value, forKey: .decimal128)
        case .objectId(let value): try container.encode(value, forKey: .objectId)
        case .uuid(let value): try container.encode(value, forKey: .uuid)
        case .object(let value): try container.encode(value, forKey: .object)
        case .list(let values): try container.encode(values, forKey: .list)
        case .set(let values): try container.encode(values, forKey: .set)
        case .map(let values): try container.encode(values, forKey: .map)
        }
    }

    /// Decodes what ``encode(to:)`` encodes.
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard container.allKeys.count == 1, let kind = container.allKeys.first else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: container.codingPath,
                    debugDescription: "A value has one key, which names its kind."))
        }
        switch kind {
        case .none: self = .none
        case .bool: self = .bool(try container.decode(Bool.self, forKey: kind))
        case .int: self = .int(try container.decode(Int.self, forKey: kind))
        case .float:
            if let text = try? container.decode(String.self, forKey: kind) {
                self = .float(try container.number(text, forKey: kind))
            } else {
                self = .float(try container.decode(Float.self, forKey: kind))
            }
        case .double: self = .double(try container.decodeAnyDouble(forKey: kind))
        case .string: self = .string(try container.decode(String.self, forKey: kind))
        case .data:
            let text = try container.decode(String.self, forKey: kind)
            guard let value = Data(base64Encoded: text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: kind, in: container, debugDescription: "This is no Base64.")
            }
            self = .data(value)
        case .date:
            self = .date(
                Date(timeIntervalSinceReferenceDate: try container.decodeAnyDouble(forKey: kind)))
        case .decimal128:
            self = .decimal128(try container.decode(Decimal128.self, forKey: kind))
        case .objectId: self = .objectId(try container.decode(ObjectId.self, forKey: kind))
        case .uuid: self = .uuid(try container.decode(UUID.self, forKey: kind))
        case .object: self = .object(try container.decode(DraftObject.self, forKey: kind))
        case .list: self = .list(try container.decode([DraftValue].self, forKey: kind))
        case .set: self = .set(try container.decode([DraftValue].self, forKey: kind))
        case .map: self = .map(try container.decode([String: DraftValue].self, forKey: kind))
        }
    }
}

extension KeyedEncodingContainer {
    /// Encodes a number, also one that is not finite.
    fileprivate mutating func encode(anyDouble value: Double, forKey key: Key) throws {
        if value.isFinite {
            try encode(value, forKey: key)
        } else {
            try encode("\(value)", forKey: key)
        }
    }
}

extension KeyedDecodingContainer {
    fileprivate func decodeAnyDouble(forKey key: Key) throws -> Double {
        if let text = try? decode(String.self, forKey: key) { return try number(text, forKey: key) }
        return try decode(Double.self, forKey: key)
    }

    fileprivate func number<Number: LosslessStringConvertible>(_ text: String, forKey key: Key)
        throws -> Number
    {
        if let number = Number(text) { return number }
        throw DecodingError.dataCorruptedError(
            forKey: key, in: self, debugDescription: "This is no number.")
    }
}

extension DraftValue: Hashable {
    /// Whether two values are equal. NaN is equal to NaN.
    public static func == (a: DraftValue, b: DraftValue) -> Bool {
        switch (a, b) {
        case (.none, .none): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.float(let a), .float(let b)): a == b || a.isNaN && b.isNaN
        case (.double(let a), .double(let b)): a == b || a.isNaN && b.isNaN
        case (.string(let a), .string(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.date(let a), .date(let b)):
            a == b
                || a.timeIntervalSinceReferenceDate.isNaN && b.timeIntervalSinceReferenceDate.isNaN
        case (.decimal128(let a), .decimal128(let b)): a == b || a.isNaN && b.isNaN
        case (.objectId(let a), .objectId(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        case (.list(let a), .list(let b)), (.set(let a), .set(let b)): a == b
        case (.map(let a), .map(let b)): a == b
        default: false
        }
    }

    /// Hashes the value.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .none: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value.isNaN ? 0 : value)
        case .double(let value): hasher.combine(value.isNaN ? 0 : value)
        case .string(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .date(let value):
            let seconds = value.timeIntervalSinceReferenceDate
            hasher.combine(seconds.isNaN ? 0 : seconds)
        case .decimal128(let value): hasher.combine(value.isNaN ? 0 : value)
        case .objectId(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        case .list(let values), .set(let values): hasher.combine(values)
        case .map(let values): hasher.combine(values)
        }
    }
}
