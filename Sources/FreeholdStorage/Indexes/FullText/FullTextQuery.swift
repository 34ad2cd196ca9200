/// A search for words, folded as ``TextWords`` folds them.
package indirect enum FullTextQuery: Hashable, Sendable {
    /// Finds nothing.
    case none
    case word([UInt8])
    /// A word that begins so.
    case prefix([UInt8])
    /// Words one behind the other, two or more; of the last one maybe only the beginning.
    case phrase([[UInt8]], endsInPrefix: Bool)
    case and([FullTextQuery])
    case or([FullTextQuery])
    case not(FullTextQuery)
}

extension FullTextQuery {
    /// Whether what it finds can be listed by the words that it names: not where it asks for
    /// what a text does not have, and for nothing else.
    var isListed: Bool {
        switch self {
        case .none, .word, .prefix, .phrase: true
        case .and(let operands): operands.contains(where: \.isListed)
        case .or(let operands): operands.allSatisfy(\.isListed)
        case .not: false
        }
    }

    /// Whether the words that texts have decide, without where they stand.
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

    /// How many words it names.
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
    /// In the language of searches.
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
