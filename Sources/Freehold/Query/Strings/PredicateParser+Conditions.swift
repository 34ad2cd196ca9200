// Parses logic: OR, AND, NOT, parentheses.

extension PredicateParser {
    /// A condition or a value in parentheses. Only what follows distinguishes them.
    private enum Part {
        case condition(PredicateNode)
        case value(PredicateExpression)
    }

    /// Parses the whole condition of the string, or of a subquery.
    mutating func parseCondition() throws(RealmPredicateError) -> PredicateNode {
        switch try parseAlternatives(acceptsValue: false) {
        case .condition(let node): return node
        case .value: throw expectedOperator()
        }
    }

    /// - Parameter acceptsValue: Whether a value is accepted, too, if a closing parenthesis
    ///   follows it.
    private mutating func parseAlternatives(acceptsValue: Bool) throws(RealmPredicateError) -> Part
    {
        let first = try parseConjunction(acceptsValue)
        guard case .condition(let condition) = first else { return first }
        var operands = [condition]
        while try take(.or, or: .or) {
            if case .condition(let next) = try parseConjunction(false) { operands.append(next) }
        }
        return operands.count == 1 ? first : .condition(.or(operands))
    }

    private mutating func parseConjunction(_ acceptsValue: Bool) throws(RealmPredicateError) -> Part
    {
        let first = try parseNegation(acceptsValue)
        guard case .condition(let condition) = first else { return first }
        var operands = [condition]
        while try take(.and, or: .and) {
            if case .condition(let next) = try parseNegation(false) { operands.append(next) }
        }
        return operands.count == 1 ? first : .condition(.and(operands))
    }

    private mutating func parseNegation(_ acceptsValue: Bool) throws(RealmPredicateError) -> Part {
        guard try !isName(), try take(.not, or: .not) else { return try parsePrimary(acceptsValue) }
        return try nested { parser throws(RealmPredicateError) in
            guard case .condition(let operand) = try parser.parseNegation(false) else {
                throw parser.expectedOperator()
            }
            return .condition(.not(operand))
        }
    }

    private mutating func parsePrimary(_ acceptsValue: Bool) throws(RealmPredicateError) -> Part {
        let (start, firstName) = (token.start, names.count)
        if looksAt(.openParenthesis) {
            let part = try nested { parser throws(RealmPredicateError) in
                try parser.advance()
                let part = try parser.parseAlternatives(acceptsValue: true)
                try parser.expectClosing(part)
                return part
            }
            guard case .value(let value) = part else { return part }
            return try parseRest(value, .direct, start, firstName, acceptsValue)
        }
        if try !isName() {
            if try take(.truepredicate) { return .condition(.constant(true)) }
            if try take(.falsepredicate) { return .condition(.constant(false)) }
            if let quantifier = try parseQuantifier() {
                return try parseRest(try parseValue(), quantifier, start, firstName, false)
            }
        }
        return try parseRest(try parseValue(), .direct, start, firstName, acceptsValue)
    }

    /// Parses the part of a comparison after its left side.
    private mutating func parseRest(
        _ left: PredicateExpression, _ quantifier: PredicateComparison.Quantifier, _ start: Int,
        _ firstName: Int, _ acceptsValue: Bool
    ) throws(RealmPredicateError) -> Part {
        if acceptsValue, looksAt(.closeParenthesis) { return .value(left) }
        let (operation, options) = try parseOperator()
        let (argument, end) = (plainArgument, token.end)
        let right = try parseValue()
        let comparison = PredicateComparison(
            quantifier: quantifier, left: left, operation: operation, right: right, options: options
        )
        note(
            comparison, PredicateSpan(start: start, names: Array(names[firstName...])),
            argument: previousEnd == end ? argument : nil)
        return .condition(.comparison(comparison))
    }

    private mutating func expectClosing(_ part: Part) throws(RealmPredicateError) {
        if try take(.closeParenthesis) { return }
        if case .value = part { throw expectedOperator() }
        throw expected("AND, OR or ')'", words: ["AND", "OR"])
    }

    private mutating func parseQuantifier() throws(RealmPredicateError) -> PredicateComparison
        .Quantifier?
    {
        // Bound first: `some` and `none` are also cases of optionals.
        guard let keyword else { return nil }
        let quantifier: PredicateComparison.Quantifier
        switch keyword {
        case .any, .some: quantifier = .any
        case .all: quantifier = .all
        case .none: quantifier = .none
        default: return nil
        }
        try advance()
        return quantifier
    }

    /// Whether the current word is a property's name, although it is a keyword: `any['k']`,
    /// `in.count`.
    func isName() throws(RealmPredicateError) -> Bool {
        guard let keyword, keyword != .self else { return false }
        let next = try lookAhead()
        return next.start == token.end
            && (next.token == .symbol(.dot) || next.token == .symbol(.openBracket))
    }
}

// MARK: - Operators

extension PredicateParser {
    private mutating func parseOperator() throws(RealmPredicateError) -> (
        PredicateComparison.Operation, StringOptions
    ) {
        let operation: PredicateComparison.Operation
        if case .symbol(let symbol) = token.token, let found = symbol.operation {
            operation = found
        } else if case .comparison(let found) = keyword {
            operation = found
        } else if case .word(let word) = token.token, word.uppercased() == "TEXT" {
            // Recognised only here, where no name is possible: many properties have this name.
            operation = .fullText
        } else {
            throw expectedOperator()
        }
        try advance()
        return (operation, try parseOptions())
    }

    /// Parses `[c]`, `[d]`, `[cd]` after an operator.
    private mutating func parseOptions() throws(RealmPredicateError) -> StringOptions {
        guard try take(.openBracket) else { return [] }
        guard case .word(let letters) = token.token else { throw expected("c, d or cd") }
        var options: StringOptions = []
        for letter in letters {
            switch letter {
            case "c", "C": options.insert(.caseInsensitive)
            case "d", "D": options.insert(.diacriticInsensitive)
            default:
                throw expected(
                    "c, d or cd",
                    remedy: """
                        [c] ignores upper and lower case, [d] ignores accents; there are \
                        no other options.
                        """)
            }
        }
        try advance()
        try expect(.closeBracket)
        return options
    }

    func expectedOperator() -> RealmPredicateError {
        let words = PredicateKeyword.operators.map(\.text)
        switch token.token {
        case .symbol(let symbol) where symbol.isArithmetic:
            return error(
                "arithmetic is not supported.",
                remedy: "Compute the value first, and pass it as an argument: age > %@.")
        case .constant(.int), .constant(.double):
            return expected(
                "a comparison operator",
                remedy: """
                    Arithmetic is not supported: compute the value first, and pass it as \
                    an argument.
                    """)
        default: break
        }
        if keyword == .not {
            return expected(
                "a comparison operator",
                remedy: "NOT stands in front of the comparison: NOT name IN %@.")
        }
        let isWord =
            if case .word(let word) = token.token {
                NearestName.suggestion(for: word, among: words) != nil
            } else { false }
        let remedy =
            isWord
            ? nil : "A condition compares two values. For a boolean property write flag == true."
        return expected("a comparison operator", words: words, remedy: remedy)
    }
}
