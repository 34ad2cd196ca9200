extension PredicateParser {
    /// Parses a path of names, operators and subscripts: `owner.dogs.@count`, `map['k']`,
    /// `@links.Dog.owner.name`, `%K`.
    mutating func parseKeyPath() throws(RealmPredicateError) -> [PredicateStep] {
        var steps: [PredicateStep] = []
        if let path = try parseKeyPathArgument() {
            steps = path
            try parseFurtherSteps(&steps)
            return steps
        }
        switch token.token {
        case .word(let word) where PredicateKeyword(word: word) != nil:
            if try isName() {
                steps.append(.property(try parseName()))
            } else if keyword == .self {
                try advance()
            } else {
                throw expectedName("a key path")
            }
        case .variable(let name):
            guard variables.contains(name) else {
                throw error(
                    "there is no variable '$\(name)' here.",
                    remedy: """
                        Variables are those of a SUBQUERY around them. Arguments are %@, \
                        or $0 by their position.
                        """)
            }
            steps.append(.variable(name))
            try advance()
        case .symbol(.at): steps.append(try parseOperation())
        default: steps.append(.property(try parseName()))
        }
        try parseFurtherSteps(&steps)
        return steps
    }

    private mutating func parseFurtherSteps(_ steps: inout [PredicateStep])
        throws(RealmPredicateError)
    {
        while true {
            if steps.count > PredicateLimits.maximumSteps {
                throw RealmPredicateError(
                    .limit, PredicateLexer.message(format), in: format, at: previousEnd,
                    detail: "a key path has more than \(PredicateLimits.maximumSteps) steps.",
                    remedy: KeyPathLimit.remedy)
            }
            if try take(.dot) {
                if let path = try parseKeyPathArgument() {
                    steps += path
                } else {
                    steps.append(looksAt(.at) ? try parseOperation() : .property(try parseName()))
                }
            } else if try take(.openBracket) {
                steps.append(try parseSubscript())
                try expect(.closeBracket)
            } else {
                return
            }
        }
    }

    private mutating func parseName() throws(RealmPredicateError) -> String {
        switch token.token {
        case .word(let name), .quotedName(let name):
            names.append(PredicateSpan.Name(text: name, offset: token.start))
            try advance()
            return name
        default: throw expectedName("a property's name")
        }
    }

    private func expectedName(_ what: String) -> RealmPredicateError {
        guard case .word(let word) = token.token else { return expected(what) }
        return expected(
            what,
            remedy:
                "'\(word)' is a word of the language. If it is a property's name, write #\(word).")
    }

    /// Parses the part after an `@`: a collection operator, or `@links.Class.property`.
    private mutating func parseOperation() throws(RealmPredicateError) -> PredicateStep {
        let start = token.start
        try advance()
        guard case .word(let word) = token.token, token.start == start + 1 else {
            throw expected("a collection operator, as @count")
        }
        if word == "links" {
            try advance()
            try expect(.dot, " and the class that links, as in @links.Dog.owner")
            let className = try parseName()
            try expect(.dot, " and the property that links, as in @links.Dog.owner")
            return .backlinks(className: className, property: try parseName())
        }
        guard let operation = PredicateOperator(rawValue: word) else {
            let nearest = NearestName.suggestion(for: word, among: PredicateOperator.all)
            throw error(
                "Unsupported collection operation '@\(word)'."
                    + (nearest.map { " Did you mean '@\($0)'?" } ?? ""), at: start,
                remedy: "There are @" + PredicateOperator.all.joined(separator: ", @")
                    + " and @links.")
        }
        names.append(PredicateSpan.Name(text: "@" + word, offset: start))
        try advance()
        return .operation(operation)
    }

    /// Parses the part between brackets: the key of a map, the index of a list, or `#any`.
    private mutating func parseSubscript() throws(RealmPredicateError) -> PredicateStep {
        let step: PredicateStep
        switch token.token {
        case .constant(.string(let key)): step = .key(key)
        case .constant(.int(let index)): step = .index(Int(index))
        case .quotedName("any"), .symbol(.times): step = .anyElement
        case .quotedName("first"): step = .index(0)
        case .quotedName("last"): step = .index(-1)
        case .placeholder(.keyPath): step = try subscriptName(try takeArgument(for: "%K"), "%K")
        case .keyPathArgument(let position):
            step = try subscriptName(try argument(position, for: "$K\(position)"), "$K\(position)")
        case .word(let word):
            switch word.uppercased() {
            case "FIRST": step = .index(0)
            case "LAST": step = .index(-1)
            case "SIZE": step = .operation(.size)
            default: throw expectedSubscript()
            }
        case .placeholder, .argument:
            let argument = token
            guard case .constant(let constant) = try parseValue() else { throw expectedSubscript() }
            switch constant {
            case .string(let key): return .key(key)
            case .int(let index): return .index(Int(index))
            default:
                throw argumentError(
                    "a subscript is the key of a map or the index of a list.", at: argument.start,
                    remedy: "Pass a String or an Int.")
            }
        default: throw expectedSubscript()
        }
        try advance()
        return step
    }

    /// Returns the step of a `%K` between brackets.
    private func subscriptName(_ argument: Any?, _ placeholder: String) throws(RealmPredicateError)
        -> PredicateStep
    {
        switch flattened(argument) as? String {
        case "#any"?: return .anyElement
        case "#first"?: return .index(0)
        case "#last"?: return .index(-1)
        default:
            let shown = ShownValue(argument)
            throw argumentError(
                """
                the argument for \(placeholder) in a subscript is \(shown.text), of type \
                '\(shown.type)'.
                """,
                remedy:
                    "Pass \"#any\", \"#first\" or \"#last\"; keys and indexes are arguments of %@.")
        }
    }

    private func expectedSubscript() -> RealmPredicateError {
        expected(
            "a key, an index, #any, FIRST, LAST or SIZE",
            remedy: "Keys stand between quotation marks: map['key'].")
    }

    // MARK: Arguments

    /// Returns the path of a `%K` or `$K0`; nil if there is none.
    private mutating func parseKeyPathArgument() throws(RealmPredicateError) -> [PredicateStep]? {
        let steps: [PredicateStep]
        switch token.token {
        case .placeholder(.keyPath):
            steps = try keyPath(inArgument: try takeArgument(for: "%K"), "%K")
        case .keyPathArgument(let position):
            let placeholder = "$K\(position)"
            steps = try keyPath(inArgument: try argument(position, for: placeholder), placeholder)
        default: return nil
        }
        try advance()
        return steps
    }

    /// Parses the path in the argument of a `%K`, in which no word is a keyword.
    private mutating func keyPath(inArgument argument: Any?, _ placeholder: String)
        throws(RealmPredicateError) -> [PredicateStep]
    {
        guard let path = flattened(argument) as? String else {
            let shown = ShownValue(argument)
            throw argumentError(
                "the argument for \(placeholder) is \(shown.text), of type '\(shown.type)'.",
                remedy: "Pass a key path as a String.")
        }
        let offset = token.start
        do throws(RealmPredicateError) {
            var parser = try PredicateParser(path, [])
            var steps: [PredicateStep] = []
            if path == "self" || path == "SELF" { return [] }
            steps.append(
                parser.looksAt(.at)
                    ? try parser.parseOperation() : .property(try parser.parseName()))
            try parser.parseFurtherSteps(&steps)
            guard parser.token.token == .end else { throw parser.expected("'.' or the end") }
            names.append(
                contentsOf: parser.names.map { PredicateSpan.Name(text: $0.text, offset: offset) })
            return steps
        } catch {
            let place = error.column.map { " at column \($0)" } ?? ""
            throw argumentError(
                """
                the argument for \(placeholder), '\(path)', is no key path\(place): \
                \(error.detail ?? error.message)
                """, remedy: error.remedy)
        }
    }
}

extension PredicateOperator {
    /// In the order of the documentation.
    static let all = ["count", "size", "min", "max", "sum", "avg", "allKeys", "allValues"]
}
