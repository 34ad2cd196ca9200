// Parses the clauses after the condition: SORT, DISTINCT, LIMIT.

extension PredicateParser {
    mutating func parseClauses() throws(RealmPredicateError) -> [PredicateClause] {
        var clauses: [PredicateClause] = []
        while token.token != .end {
            switch try takeWord(PredicateWord.clauses) {
            case "SORT":
                clauses.append(
                    .sort(
                        try parseEntries { parser throws(RealmPredicateError) in
                            let path = try parser.parsePropertyPath()
                            let direction = try parser.takeWord(PredicateWord.directions) ?? "ASC"
                            return SortDescriptor(
                                keyPath: path, ascending: direction.hasPrefix("ASC"))
                        }))
            case "DISTINCT":
                clauses.append(
                    .distinct(
                        try parseEntries { parser throws(RealmPredicateError) in
                            try parser.parsePropertyPath()
                        }))
            case "LIMIT":
                try expect(.openParenthesis)
                clauses.append(.limit(try parseLimit()))
                try expect(.closeParenthesis)
            default: throw expectedContinuation(clauses)
            }
        }
        return clauses
    }

    private mutating func parseEntries<Entry>(
        _ parseEntry: (inout PredicateParser) throws(RealmPredicateError) -> Entry
    ) throws(RealmPredicateError) -> [Entry] {
        try expect(.openParenthesis)
        var entries: [Entry] = []
        repeat {
            entries.append(try parseEntry(&self))
        } while try take(.comma)
        if try !take(.closeParenthesis) {
            throw expected("',' or ')'", words: PredicateWord.directions)
        }
        return entries
    }

    /// Parses a path over to-one links.
    private mutating func parsePropertyPath() throws(RealmPredicateError) -> String {
        let start = token.start
        var names: [String] = []
        for step in try parseKeyPath() {
            guard case .property(let name) = step else {
                throw error(
                    "only properties, and paths over to-one links, have an order.", at: start,
                    remedy: "Write a path of names: SORT(owner.name ASC).")
            }
            names.append(name)
        }
        if names.isEmpty { throw error("expected a property's name.", at: start) }
        return names.joined(separator: ".")
    }

    private mutating func parseLimit() throws(RealmPredicateError) -> Int {
        let start = token.start
        guard case .constant(.int(let limit)) = try parseValue(), limit >= 0 else {
            throw error("expected how many objects, as in LIMIT(10).", at: start)
        }
        return Int(limit)
    }

    private func expectedContinuation(_ clauses: [PredicateClause]) -> RealmPredicateError {
        let clauseNames = PredicateWord.clauses.joined(separator: ", ")
        if !clauses.isEmpty {
            return expected("\(clauseNames) or the end", words: PredicateWord.clauses)
        }
        if case .symbol(let symbol) = token.token, symbol.isArithmetic { return expectedOperator() }
        return expected(
            "AND, OR, \(clauseNames) or the end", words: ["AND", "OR"] + PredicateWord.clauses)
    }
}
