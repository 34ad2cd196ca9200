// Parses the operands of comparisons: constants, arguments, lists, key paths, subqueries.

extension PredicateParser {
    /// Parses one side of a comparison.
    mutating func parseValue() throws(RealmPredicateError) -> PredicateExpression {
        let value = try parseOperand()
        if case .symbol(let symbol) = token.token, symbol.isArithmetic {
            throw error(
                "arithmetic is not supported.",
                remedy: "Compute the value first, and pass it as an argument: age > %@.")
        }
        return value
    }

    private mutating func parseOperand() throws(RealmPredicateError) -> PredicateExpression {
        switch token.token {
        case .constant(let constant):
            try advance()
            return .constant(constant)
        case .placeholder(.keyPath), .keyPathArgument: return .keyPath(try parseKeyPath())
        case .placeholder, .argument: return try parseArgument()
        case .quotedName, .variable, .symbol(.at): return .keyPath(try parseKeyPath())
        case .symbol(.openBrace): return try parseBraces()
        case .symbol(.openParenthesis):
            return try nested { parser throws(RealmPredicateError) in
                try parser.advance()
                let value = try parser.parseValue()
                try parser.expect(.closeParenthesis)
                return value
            }
        case .word(let word): return try parseWord(word)
        case .symbol(let symbol) where symbol.isArithmetic:
            throw error(
                "arithmetic is not supported.",
                remedy: "Compute the value first, and pass it as an argument: age > %@.")
        case .symbol, .end: throw expectedValue()
        }
    }

    private mutating func parseWord(_ word: String) throws(RealmPredicateError)
        -> PredicateExpression
    {
        if try isName() { return .keyPath(try parseKeyPath()) }
        switch keyword {
        case .subquery?:
            if try lookAhead().token == .symbol(.openParenthesis) { return try parseSubquery() }
        case .self?: return .keyPath(try parseKeyPath())
        case .constant(let constant)?:
            try advance()
            return .constant(constant)
        case _?: throw expectedReserved(word)
        case nil:
            if looksAtFunction() {
                throw error(
                    "The '\(word)' function is not supported.",
                    remedy: "Compute the value first, and pass it as an argument: age > %@.")
            }
        }
        return .keyPath(try parseKeyPath())
    }

    private func looksAtFunction() -> Bool {
        guard let next = try? lookAhead() else { return false }
        return next.start == token.end && next.token == .symbol(.openParenthesis)
    }

    private func expectedValue() -> RealmPredicateError { expected("a value or a key path") }

    private func expectedReserved(_ word: String) -> RealmPredicateError {
        expected(
            "a value or a key path",
            remedy:
                "'\(word)' is a word of the language. If it is a property's name, write #\(word).")
    }

    // MARK: Arguments

    private mutating func parseArgument() throws(RealmPredicateError) -> PredicateExpression {
        let expression: PredicateExpression
        switch token.token {
        case .argument(let position):
            expression = PredicateExpression(argument: try argument(position, for: "$\(position)"))
        case .placeholder(let placeholder):
            let argument = try takeArgument(for: placeholder.text)
            expression = PredicateExpression(argument: argument)
            if !placeholder.accepts(expression) {
                throw argumentError(
                    """
                    the argument for \(placeholder.text) is \(ShownValue(argument).text), \
                    of type '\(ShownValue(argument).type)'.
                    """, remedy: "Use %@, which takes values of every type.")
            }
        default: throw expectedValue()
        }
        try advance()
        return expression
    }

    // MARK: Lists and dictionaries

    /// Parses `{1, 2, %@}`, `{"key": 1}`, `{:}`.
    private mutating func parseBraces() throws(RealmPredicateError) -> PredicateExpression {
        try advance()
        if try take(.closeBrace) { return .list([]) }
        if try take(.colon) {
            try expect(.closeBrace)
            return .constant(.dictionary([:]))
        }
        if case .constant(.string) = token.token, try lookAhead().token == .symbol(.colon) {
            return .constant(try parseEntries())
        }
        var constants: [PredicateConstant] = []
        repeat { constants.append(try parseElement()) } while try take(.comma)
        if try !take(.closeBrace) { throw expected("',' or '}'") }
        return .list(constants)
    }

    private mutating func parseEntries() throws(RealmPredicateError) -> PredicateConstant {
        var entries: [String: PredicateConstant] = [:]
        repeat {
            guard case .constant(.string(let key)) = token.token else {
                throw expected("a key between quotation marks")
            }
            if entries[key] != nil { throw error("the dictionary has the key '\(key)' already.") }
            try advance()
            try expect(.colon)
            entries[key] = try parseElement()
        } while try take(.comma)
        if try !take(.closeBrace) { throw expected("',' or '}'") }
        return .dictionary(entries)
    }

    /// Parses an element of a list, or a value of a dictionary.
    private mutating func parseElement() throws(RealmPredicateError) -> PredicateConstant {
        let start = token.start
        let isNested = looksAt(.openBrace)
        switch try parseValueOfList() {
        case .constant(let constant): return constant
        case .list(let elements) where isNested: return .list(elements)
        default:
            throw error(
                "a list has constants only.", at: start,
                remedy: """
                    To search a collection, write %@ IN path. A list of values is one \
                    argument: IN %@.
                    """)
        }
    }

    private mutating func parseValueOfList() throws(RealmPredicateError) -> PredicateExpression {
        try nested { parser throws(RealmPredicateError) in try parser.parseValue() }
    }

    // MARK: Subqueries

    /// Parses `SUBQUERY(dogs, $dog, $dog.age > 5).@count`.
    private mutating func parseSubquery() throws(RealmPredicateError) -> PredicateExpression {
        try nested(weight: 3) { parser throws(RealmPredicateError) in
            let start = parser.token.start
            try parser.advance()
            try parser.expect(.openParenthesis)
            let collection = try parser.parseKeyPath()
            try parser.expect(.comma)
            guard case .variable(let variable) = parser.token.token else {
                throw parser.expected("a variable, as in SUBQUERY(dogs, $dog, $dog.age > 5)")
            }
            try parser.advance()
            try parser.expect(.comma)
            parser.variables.append(variable)
            let condition = try parser.parseCondition()
            parser.variables.removeLast()
            if try !parser.take(.closeParenthesis) {
                throw parser.expected("AND, OR or ')'", words: ["AND", "OR"])
            }
            try parser.expectCount(start)
            return .subqueryCount(collection: collection, variable: variable, condition: condition)
        }
    }

    private mutating func expectCount(_ start: Int) throws(RealmPredicateError) {
        let refusal = error(
            """
            SUBQUERY is only supported when immediately followed by .@count that is \
            compared with a constant number.
            """, at: start, remedy: "Write SUBQUERY(dogs, $dog, $dog.age > 5).@count > 0.")
        guard try take(.dot), try take(.at), case .word(let word) = token.token,
            ["count", "size"].contains(word)
        else { throw refusal }
        try advance()
    }
}

extension PredicatePlaceholder {
    /// Whether the argument is of the kind that the placeholder's letters require. Nil is of
    /// every kind.
    fileprivate func accepts(_ argument: PredicateExpression) -> Bool {
        guard case .constant(let constant) = argument else { return self == .value }
        switch (self, constant) {
        case (.value, _), (_, .null): return true
        case (.integer, .int), (.integer, .bool): return true
        case (.floating, .int), (.floating, .float), (.floating, .double), (.floating, .decimal):
            return true
        case (.text, .string): return true
        default: return false
        }
    }
}
