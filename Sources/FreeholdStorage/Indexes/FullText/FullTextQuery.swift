/// A full-text query: a search for words, folded as ``TextWords`` folds them.
package indirect enum FullTextQuery: Hashable, Sendable {
    /// Matches nothing.
    case none
    case word([UInt8])
    /// A word with this beginning.
    case prefix([UInt8])
    /// Two or more consecutive words; the last one may be only a beginning.
    case phrase([[UInt8]], endsInPrefix: Bool)
    case and([FullTextQuery])
    case or([FullTextQuery])
    case not(FullTextQuery)
}

extension FullTextQuery {
    /// Whether the index can list its matches. It cannot for a query that only excludes words.
    var isListed: Bool {
        switch self {
        case .none, .word, .prefix, .phrase: true
        case .and(let operands): operands.contains(where: \.isListed)
        case .or(let operands): operands.allSatisfy(\.isListed)
        case .not: false
        }
    }

    /// Whether the set of a text's words decides, without their positions.
    var isExact: Bool {
        switch self {
        case .none, .word, .prefix: true
        case .phrase: false
        case .and(let operands):
            operands.allSatisfy {
                if case .not(let operand) = $0 {
                    operand.isListed && operand.isExact
                } else {
                    $0.isListed && $0.isExact
                }
            }
        case .or(let operands): operands.allSatisfy { $0.isListed && $0.isExact }
        case .not: false
        }
    }

    /// The number of words in the query.
    var wordCount: Int {
        switch self {
        case .none: 0
        case .word, .prefix: 1
        case .phrase(let words, _): words.count
        case .and(let operands), .or(let operands): operands.reduce(0) { $0 + $1.wordCount }
        case .not(let operand): operand.wordCount
        }
    }
}

extension FullTextQuery: CustomStringConvertible {
    /// The query in the language of full-text queries.
    package var description: String {
        func text(_ word: [UInt8]) -> String { String(decoding: word, as: UTF8.self) }
        switch self {
        case .none: return "\"\""
        case .word(let word): return text(word)
        case .prefix(let word): return text(word) + "*"
        case .phrase(let words, let endsInPrefix):
            return "\"" + words.map(text).joined(separator: " ") + (endsInPrefix ? "*" : "") + "\""
        case .and(let operands):
            return "(" + operands.map(\.description).joined(separator: " ") + ")"
        case .or(let operands):
            return "(" + operands.map(\.description).joined(separator: " OR ") + ")"
        case .not(let operand): return "-" + operand.description
        }
    }
}
