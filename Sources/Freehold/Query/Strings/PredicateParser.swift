/// Makes the tree of a predicate's string, by recursive descent. Each rule of the grammar in the
/// DocC page "Predicate strings" has a function.
///
/// Every rule that can contain itself counts its depth, so no string can exhaust the stack.
struct PredicateParser {
    private var lexer: PredicateLexer
    /// The current token.
    private(set) var token: LocatedToken
    /// The end of the token before it.
    private(set) var previousEnd = 0
    let arguments: [Any?]
    private var nextArgument = 0
    private var depth = 0
    /// The variables of the subqueries around the token, the innermost last.
    var variables: [String] = []
    /// The names in the key paths so far.
    var names: [PredicateSpan.Name] = []
    /// The comparisons so far, in the order in which they ended; with their places, and the
    /// positions of the arguments on their right sides.
    private var comparisons: [PredicateComparison] = []
    private var spans: [PredicateSpan] = []
    private var comparedArguments: [Int?] = []
    /// How many arguments were taken.
    private var argumentCount = 0

    /// Parses a whole string.
    static func parse(_ format: String, _ arguments: [Any?]) throws(RealmPredicateError)
        -> ParsedPredicate
    {
        var parser = try PredicateParser(format, arguments)
        let node = try parser.parseCondition()
        let clauses = try parser.parseClauses()
        if node.depth > PredicateLimits.maximumCombinedDepth {
            throw RealmPredicateError(
                .limit, PredicateLexer.message(format), in: format, at: nil,
                detail: QueryErrors.tooDeep.message + ".", remedy: QueryErrors.tooDeep.remedy)
        }
        let source = PredicateSource(
            format: format, comparisons: parser.comparisons, spans: parser.spans)
        var parsed = ParsedPredicate(node: node, clauses: clauses, source: source)
        let arguments = parser.comparedArguments
        if parser.argumentCount == arguments.count(where: { $0 != nil }) {
            parsed.template = PredicateTemplate(parsed, arguments: arguments)
        }
        return parsed
    }

    init(_ format: String, _ arguments: [Any?]) throws(RealmPredicateError) {
        lexer = PredicateLexer(format)
        self.arguments = arguments
        if lexer.bytes.count > PredicateLimits.maximumLength {
            throw RealmPredicateError(
                .limit, "The format string has \(lexer.bytes.count) bytes.", in: format, at: nil,
                detail: "At most \(PredicateLimits.maximumLength) are accepted.",
                remedy: "Pass values as arguments: id IN %@.")
        }
        token = try lexer.next()
    }
}

// MARK: - Tokens

extension PredicateParser {
    var format: String { lexer.format }

    mutating func advance() throws(RealmPredicateError) {
        previousEnd = token.end
        token = try lexer.next()
    }

    /// Returns the token after the current one.
    func lookAhead() throws(RealmPredicateError) -> LocatedToken {
        var copy = lexer
        return try copy.next()
    }

    func looksAt(_ symbol: PredicateSymbol) -> Bool { token.token == .symbol(symbol) }

    /// The keyword of the current token.
    var keyword: PredicateKeyword? {
        if case .word(let word) = token.token { PredicateKeyword(word: word) } else { nil }
    }

    /// Takes a symbol, if it comes next.
    mutating func take(_ symbol: PredicateSymbol) throws(RealmPredicateError) -> Bool {
        guard looksAt(symbol) else { return false }
        try advance()
        return true
    }

    mutating func take(_ wanted: PredicateKeyword) throws(RealmPredicateError) -> Bool {
        guard keyword == wanted else { return false }
        try advance()
        return true
    }

    /// Takes a keyword, or the symbol with the same meaning, if one of them comes next.
    mutating func take(_ wanted: PredicateKeyword, or symbol: PredicateSymbol)
        throws(RealmPredicateError) -> Bool
    {
        if try take(wanted) { return true }
        return try take(symbol)
    }

    mutating func expect(_ symbol: PredicateSymbol, _ purpose: String = "")
        throws(RealmPredicateError)
    {
        if try !take(symbol) { throw expected("'\(symbol.rawValue)'\(purpose)") }
    }

    /// Takes one of some words that are not keywords, if it comes next.
    mutating func takeWord(_ words: [String]) throws(RealmPredicateError) -> String? {
        guard case .word(let word) = token.token, words.contains(word.uppercased()) else {
            return nil
        }
        try advance()
        return word.uppercased()
    }

    /// Parses a construct that may contain itself.
    ///
    /// - Parameter weight: How many levels it counts as, by its use of the stack.
    mutating func nested<Value>(
        weight: Int = 1, _ body: (inout PredicateParser) throws(RealmPredicateError) -> Value
    ) throws(RealmPredicateError) -> Value {
        guard depth + weight <= PredicateLimits.maximumDepth else {
            throw RealmPredicateError(
                .limit, PredicateLexer.message(format), in: format, at: token.start,
                detail: "nested more than \(PredicateLimits.maximumDepth) deep.",
                remedy: "Write long lists of values as name IN %@.")
        }
        depth += weight
        defer { depth -= weight }
        return try body(&self)
    }

    /// The position of the argument that the current token refers to, if the token accepts every
    /// kind of argument.
    var plainArgument: Int? {
        switch token.token {
        case .placeholder(.value): nextArgument
        case .argument(let position): position
        default: nil
        }
    }

    /// - Parameter argument: The position of the argument on the right side.
    mutating func note(_ comparison: PredicateComparison, _ span: PredicateSpan, argument: Int?) {
        comparisons.append(comparison)
        spans.append(span)
        comparedArguments.append(argument)
    }

    /// Takes the next argument of a placeholder without a position.
    mutating func takeArgument(for placeholder: String) throws(RealmPredicateError) -> Any? {
        let position = nextArgument
        nextArgument += 1
        return try argument(position, for: placeholder)
    }

    mutating func argument(_ position: Int, for placeholder: String) throws(RealmPredicateError)
        -> Any?
    {
        argumentCount += 1
        if position < arguments.count { return arguments[position] }
        let given =
            arguments.isEmpty
            ? "no arguments were"
            : arguments.count == 1 ? "1 argument was" : "\(arguments.count) arguments were"
        throw argumentError(
            "there is no argument for \(placeholder): \(given) given.",
            remedy: "Give each placeholder an argument.")
    }
}

// MARK: - Errors

extension PredicateParser {
    /// Returns an error at the current token.
    func error(_ detail: String, at offset: Int? = nil, remedy: String? = nil)
        -> RealmPredicateError
    { lexer.error(detail, at: offset ?? token.start, remedy: remedy) }

    func argumentError(_ detail: String, at offset: Int? = nil, remedy: String)
        -> RealmPredicateError
    {
        RealmPredicateError(
            .argument, PredicateLexer.message(format), in: format, at: offset ?? token.start,
            detail: detail, remedy: remedy)
    }

    /// Returns the error that something else was expected in place of the current token.
    ///
    /// - Parameter words: The words that the token may be a misspelling of.
    func expected(_ what: String, words: [String] = [], remedy: String? = nil)
        -> RealmPredicateError
    {
        var detail = "expected \(what), not \(shownToken)."
        if case .word(let word) = token.token,
            let nearest = NearestName.suggestion(for: word, among: words)
        {
            detail += " Did you mean '\(nearest)'?"
        }
        return error(detail, remedy: remedy)
    }

    private var shownToken: String {
        if token.token == .end { return "the end" }
        let text = lexer.text(token.start..<token.end)
        return "'\(text.prefix(40))\(text.count > 40 ? "…" : "")'"
    }
}
