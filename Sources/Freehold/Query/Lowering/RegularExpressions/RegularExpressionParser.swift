/// Makes the tree of a pattern, by recursive descent. The syntax is a subset of ICU's, with the
/// same meaning; the DocC page "Predicate strings" describes it. Everything else is an error with
/// its place.
struct RegularExpressionParser {
    let pattern: [Unicode.Scalar]
    /// The offset of the current scalar.
    var offset = 0
    var ignoresCase: Bool
    /// `(?s)`: whether `.` matches ends of lines.
    private var crossesLines = false
    /// `(?m)`: whether `^` and `$` match at lines.
    private var isMultiline = false
    private var depth = 0

    static func parse(_ pattern: String, ignoresCase: Bool) throws(RegularExpressionError)
        -> RegularExpressionNode
    {
        var parser = RegularExpressionParser(
            pattern: Array(pattern.unicodeScalars), ignoresCase: ignoresCase)
        let node = try parser.parseAlternatives()
        if parser.current != nil { throw parser.error("there is no '(' for this ')'") }
        return node
    }

    // MARK: Scalars of the pattern

    var current: Unicode.Scalar? { offset < pattern.count ? pattern[offset] : nil }

    func looksAt(_ text: String) -> Bool { pattern[offset...].starts(with: text.unicodeScalars) }

    /// Takes a text, if it comes next.
    mutating func take(_ text: String) -> Bool {
        if !looksAt(text) { return false }
        offset += text.unicodeScalars.count
        return true
    }

    func error(_ reason: String, at position: Int? = nil) -> RegularExpressionError {
        RegularExpressionError(at: position ?? offset, reason)
    }

    func unsupported(_ what: String, at position: Int? = nil) -> RegularExpressionError {
        RegularExpressionError(
            at: position ?? offset, "\(what) is not supported",
            remedy: """
                MATCHES takes what can be matched in a time proportional to the text. \
                Filter a Swift array by Regex for the rest.
                """)
    }

    /// Parses a construct that may contain itself.
    mutating func nested<Value>(
        _ body: (inout RegularExpressionParser) throws(RegularExpressionError) -> Value
    ) throws(RegularExpressionError) -> Value {
        if depth >= RegularExpressionLimits.maximumDepth {
            throw RegularExpressionError(
                at: offset,
                "groups are nested more than \(RegularExpressionLimits.maximumDepth) deep",
                remedy: "Leave out groups.")
        }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    // MARK: Structure

    private mutating func parseAlternatives() throws(RegularExpressionError)
        -> RegularExpressionNode
    {
        var alternatives = [try parseSequence()]
        while take("|") { alternatives.append(try parseSequence()) }
        return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    private mutating func parseSequence() throws(RegularExpressionError) -> RegularExpressionNode {
        var nodes: [RegularExpressionNode] = []
        while let scalar = current, scalar != "|", scalar != ")" {
            if take("\\Q") {
                // Up to the end of the quotation, each scalar is literal.
                while current != nil, !take("\\E") { nodes.append(takeLiteral()) }
                if let last = nodes.popLast() { nodes.append(try parseQuantifier(last)) }
                continue
            }
            if looksAt("(?"), try takeFlagsOrComment() { continue }
            let atom = try parseAtom(scalar)
            nodes.append(try parseQuantifier(atom))
        }
        return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .empty : .sequence(nodes)
    }

    private mutating func takeLiteral() -> RegularExpressionNode {
        defer { offset += 1 }
        return literal(pattern[offset])
    }

    func literal(_ scalar: Unicode.Scalar) -> RegularExpressionNode {
        if ignoresCase, CaseFolding.hasVariants(scalar.value) {
            return .scalar(CaseFolding.fold(scalar.value), isFolded: true)
        }
        return .scalar(scalar.value, isFolded: false)
    }

    private mutating func parseAtom(_ scalar: Unicode.Scalar) throws(RegularExpressionError)
        -> RegularExpressionNode
    {
        switch scalar {
        case "(": return try parseGroup()
        case "[": return .set(try parseSet())
        case "\\": return try parseEscape()
        case ".":
            offset += 1
            return .anyScalar(crossesLines: crossesLines)
        case "^":
            offset += 1
            return .assertion(isMultiline ? .lineStart : .textStart)
        case "$":
            offset += 1
            return .assertion(isMultiline ? .beforeLineEnd : .lastLineEnd)
        case "*", "+", "?": throw error("there is nothing for '\(scalar)' to repeat")
        case "{", "}": throw error("'\(scalar)' stands for itself only behind \\")
        default: return takeLiteral()
        }
    }

    // MARK: Groups

    private mutating func parseGroup() throws(RegularExpressionError) -> RegularExpressionNode {
        let start = offset
        return try nested { parser throws(RegularExpressionError) in
            parser.offset += 1
            let flags = (parser.ignoresCase, parser.crossesLines, parser.isMultiline)
            if parser.looksAt("?") { try parser.parseGroupKind() }
            let node = try parser.parseAlternatives()
            if !parser.take(")") { throw parser.error("a ')' is missing for this '('", at: start) }
            (parser.ignoresCase, parser.crossesLines, parser.isMultiline) = flags
            return node
        }
    }

    /// Parses the part between `(` and the group's pattern.
    private mutating func parseGroupKind() throws(RegularExpressionError) {
        let start = offset - 1
        if take("?:") { return }
        if looksAt("?=") || looksAt("?!") { throw unsupported("look-ahead", at: start) }
        if looksAt("?<=") || looksAt("?<!") { throw unsupported("look-behind", at: start) }
        if looksAt("?>") { throw unsupported("an atomic group", at: start) }
        if take("?<") {
            let name = offset
            while let scalar = current, scalar.isASCII,
                scalar.properties.isAlphabetic
                    || (offset > name && scalar.properties.numericType != nil)
            { offset += 1 }
            if offset == name || !take(">") {
                throw error("a group's name consists of letters and digits, and '>' follows it")
            }
            return
        }
        offset += 1
        try parseFlags()
        if !take(":") { throw error("a group of this kind is unknown", at: start) }
    }

    /// Takes `(?i)` for the rest of the enclosing group, or a comment `(?# … )`.
    private mutating func takeFlagsOrComment() throws(RegularExpressionError) -> Bool {
        let start = offset
        if take("(?#") {
            while let scalar = current, scalar != ")" { _ = scalar; offset += 1 }
            if !take(")") { throw error("a ')' is missing for this comment", at: start) }
            return true
        }
        var end = offset + 2
        while end < pattern.count,
            pattern[end] == "-" || (pattern[end].isASCII && pattern[end].properties.isAlphabetic)
        { end += 1 }
        guard end > offset + 2, end < pattern.count, pattern[end] == ")" else { return false }
        offset += 2
        try parseFlags()
        offset += 1
        return true
    }

    private mutating func parseFlags() throws(RegularExpressionError) {
        var value = true
        while let scalar = current, scalar != ")", scalar != ":" {
            switch scalar {
            case "-": value = false
            case "i": ignoresCase = value
            case "s": crossesLines = value
            case "m": isMultiline = value
            default: throw unsupported("the flag '\(scalar)'")
            }
            offset += 1
        }
    }

    // MARK: Quantifiers

    private mutating func parseQuantifier(_ atom: RegularExpressionNode)
        throws(RegularExpressionError) -> RegularExpressionNode
    {
        let start = offset
        let bounds: (minimum: Int, maximum: Int?)
        if take("*") {
            bounds = (0, nil)
        } else if take("+") {
            bounds = (1, nil)
        } else if take("?") {
            bounds = (0, 1)
        } else if take("{") {
            let minimum = try parseCount(start)
            var maximum: Int? = minimum
            if take(",") { maximum = looksAt("}") ? nil : try parseCount(start) }
            if !take("}") { throw error("a count is written {2}, {2,} or {2,5}", at: start) }
            if let maximum, maximum < minimum {
                throw error("the greater count stands first", at: start)
            }
            bounds = (minimum, maximum)
        } else {
            return atom
        }
        // The order in which alternatives are tried does not affect whether the whole text
        // matches.
        if !take("?"), looksAt("+") { throw unsupported("a possessive quantifier") }
        if let next = current, ["*", "+", "?", "{"].contains(next) {
            throw error("there is nothing for '\(next)' to repeat")
        }
        return .repetition(atom, minimum: bounds.minimum, maximum: bounds.maximum)
    }

    private mutating func parseCount(_ start: Int) throws(RegularExpressionError) -> Int {
        let first = offset
        var count = 0
        while let scalar = current, ("0"..."9").contains(scalar) {
            count = count * 10 + Int(scalar.value - 48)
            if count > RegularExpressionLimits.maximumSize {
                throw RegularExpressionError(
                    at: start, "a count is greater than \(RegularExpressionLimits.maximumSize)",
                    remedy: "Use + or * where the number does not matter.")
            }
            offset += 1
        }
        if offset == first { throw error("a count is written {2}, {2,} or {2,5}", at: start) }
        return count
    }
}
