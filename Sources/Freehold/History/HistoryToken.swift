import FreeholdStorage

/// A place in a realm's history: the transactions up to it were seen, those after it were not.
///
/// Save it with what was made of the history, and give it to ``Realm/history(after:)`` the next
/// time. It is valid for the file and its copies, in every process. When history after it was
/// deleted, or another file has taken the file's place, reading throws
/// ``Realm/Error/Code/historyExpired``.
///
/// Tokens of one file are ordered by time. Encoded, a token is a text, which
/// ``init(_:)`` reads.
///
/// Thread rule: a plain value; use it anywhere.
public struct HistoryToken: Hashable, Sendable {
    let stored: HistoryReader.Token

    init(_ stored: HistoryReader.Token) { self.stored = stored }

    /// Makes a token from its ``description``; nil for another text.
    public init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 32,
            let high = UInt64(parts[0].prefix(16), radix: 16),
            let low = UInt64(parts[0].suffix(16), radix: 16), let sequence = Int64(parts[1]),
            sequence >= 0, let mark = UInt64(parts[2], radix: 16)
        else { return nil }
        stored = HistoryReader.Token(
            lineage: UniqueIdentifier(high: high, low: low), sequence: sequence, mark: mark)
    }
}

extension HistoryToken: Comparable {
    /// Whether a token is of an earlier transaction. Tokens of different histories have an
    /// arbitrary order.
    public static func < (a: HistoryToken, b: HistoryToken) -> Bool {
        (a.stored.lineage.high, a.stored.lineage.low, a.stored.sequence, a.stored.mark)
            < (b.stored.lineage.high, b.stored.lineage.low, b.stored.sequence, b.stored.mark)
    }
}

extension HistoryToken: CustomStringConvertible {
    /// The token as a text of letters, digits and hyphens.
    public var description: String {
        "\(stored.lineage)-\(stored.sequence)-\(String(stored.mark, radix: 16))"
    }
}

extension HistoryToken: Codable {
    /// Reads the ``description``.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let token = HistoryToken(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is no token of a history."))
        }
        self = token
    }

    /// Writes the ``description``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
