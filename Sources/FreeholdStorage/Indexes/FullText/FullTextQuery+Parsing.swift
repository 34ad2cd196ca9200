/// The language of full-text queries:
///
///     search   = both { "OR" both }
///     both     = single { [ "AND" ] single }
///     single   = { "-" | "NOT" } ( "(" search ")" | '"' text [ "*" ] '"' | text [ "*" ] )
///
/// Any string is a query: parts that do not fit are ignored. A text of several words is a
/// phrase; a text without words is ignored.
extension FullTextQuery {
    /// Parses a query. O(text).
    package init(parsing text: String) {
        var parser = FullTextParser(text)
        self = parser.search() ?? .none
    }
}

private struct FullTextParser {
    private enum Token: Equatable {
        case open, close, and, or, not
        case text(FullTextQuery)
    }

    private var tokens: [Token] = []
    private var position = 0
    private let words = TextWords()
    /// The greatest nesting of parentheses, because the tree is processed recursively. Deeper
    /// ones are ignored.
    private static let deepest = 64

    init(_ text: String) {
        var rest = text.unicodeScalars[...]
        var depth = 0
        // The number of open parentheses that were ignored.
        var ignored = 0
        while let scalar = rest.first {
            switch scalar {
            case "(":
                rest.removeFirst()
                if depth < Self.deepest {
                    depth += 1
                    tokens.append(.open)
                } else {
                    ignored += 1
                }
            case ")":
                rest.removeFirst()
                if ignored > 0 {
                    ignored -= 1
                } else if depth > 0 {
                    depth -= 1
                    tokens.append(.close)
                }
            case "\"":
                rest.removeFirst()
                let end = rest.firstIndex(of: "\"") ?? rest.endIndex
                append(rest[..<end])
                rest = end < rest.endIndex ? rest[rest.index(after: end)...] : rest[end...]
            case "-":
                rest.removeFirst()
                tokens.append(.not)
            case _ where scalar.properties.isWhitespace: rest.removeFirst()
            default:
                let end =
                    rest.firstIndex {
                        $0.properties.isWhitespace || $0 == "\"" || $0 == "(" || $0 == ")"
                    } ?? rest.endIndex
                switch String(rest[..<end]) {
                case "AND": tokens.append(.and)
                case "OR": tokens.append(.or)
                case "NOT": tokens.append(.not)
                default: append(rest[..<end])
                }
                rest = rest[end...]
            }
        }
    }

    private mutating func append(_ text: Substring.UnicodeScalarView) {
        var piece = String(text)
        piece.withUTF8 { words.find(in: UnsafeRawBufferPointer($0)) }
        let found = words.all
        let isPrefix = text.last == "*"
        if found.count > 1 {
            tokens.append(.text(.phrase(found, endsInPrefix: isPrefix)))
        } else if let word = found.first {
            tokens.append(.text(isPrefix ? .prefix(word) : .word(word)))
        }
    }

    private var next: Token? { position < tokens.count ? tokens[position] : nil }

    /// Nil if there is no word.
    mutating func search() -> FullTextQuery? {
        var operands: [FullTextQuery] = []
        repeat {
            if let operand = both() { operands.append(operand) }
        } while take(.or)
        return operands.count > 1 ? .or(operands) : operands.first
    }

    private mutating func both() -> FullTextQuery? {
        var operands: [FullTextQuery] = []
        while let token = next, token != .close, token != .or {
            if take(.and) { continue }
            if let operand = single() { operands.append(operand) }
        }
        return operands.count > 1 ? .and(operands) : operands.first
    }

    private mutating func single() -> FullTextQuery? {
        var isNegated = false
        while take(.not) { isNegated.toggle() }
        var operand: FullTextQuery?
        switch next {
        case .text(let query):
            position += 1
            operand = query
        case .open:
            position += 1
            operand = search()
            _ = take(.close)
        default: break
        }
        guard let operand else { return nil }
        if !isNegated { return operand }
        if case .not(let inner) = operand { return inner }
        return .not(operand)
    }

    private mutating func take(_ token: Token) -> Bool {
        guard next == token else { return false }
        position += 1
        return true
    }
}
