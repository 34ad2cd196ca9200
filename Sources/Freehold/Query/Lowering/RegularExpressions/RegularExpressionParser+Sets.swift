// Parses sets: `[a-z]`, `[^\d]`, `[[a-z]&&[^aeiou]]`, `[\w--_]`, `[[:alpha:]]`.

extension RegularExpressionParser {
    /// Parses a set, from its `[` on.
    mutating func parseSet() throws(RegularExpressionError) -> ScalarSet {
        let start = offset
        return try nested { parser throws(RegularExpressionError) in
            parser.offset += 1
            var set = ScalarSet()
            set.ignoresCase = parser.ignoresCase
            set.isNegated = parser.take("^")
            set.first = try parser.parseUnion(isFirst: true, start)
            while !parser.take("]") {
                let operation: ScalarSet.Operation
                if parser.take("&&") {
                    operation = .intersection
                } else if parser.take("--") {
                    operation = .difference
                } else {
                    throw parser.error("a ']' is missing for this '['", at: start)
                }
                set.rest.append((operation, try parser.parseUnion(isFirst: false, start)))
            }
            set.finish()
            return set
        }
    }

    /// Parses up to an operator, the end of the set or of the pattern.
    private mutating func parseUnion(isFirst: Bool, _ start: Int) throws(RegularExpressionError)
        -> ScalarSet.Union
    {
        var union = ScalarSet.Union()
        while let scalar = current {
            if scalar == "]", !(isFirst && union.isEmpty) { break }
            if looksAt("&&") || looksAt("--") { break }
            if scalar == "[" {
                if looksAt("[:") {
                    union.properties.append(try parsePosixClass())
                } else {
                    union.sets.append(try parseSet())
                }
                try refuseSingleOperator()
            } else if scalar == "\\", let set = try takeClass() {
                union.sets.append(set)
                if looksAt("-"), !looksAt("--"), !looksAt("-]") {
                    throw error("a range begins and ends with single characters")
                }
            } else {
                union.ranges.append(try parseRange(isFirst: isFirst && union.isEmpty))
            }
        }
        if union.isEmpty { throw error("a set has no members", at: start) }
        return union
    }

    /// Throws for a single operator character after a set. ICU takes it for an operator or not,
    /// depending on what follows.
    private func refuseSingleOperator() throws(RegularExpressionError) {
        if looksAt("&&") || looksAt("--") || looksAt("-]") { return }
        if looksAt("&") || looksAt("-") {
            throw error(
                """
                operators of sets are && and --, and a character that stands for itself \
                has a \\ before it
                """)
        }
    }

    private mutating func parseRange(isFirst: Bool) throws(RegularExpressionError) -> ClosedRange<
        UInt32
    > {
        let start = offset
        let lower = try parseMember(isFirst: isFirst)
        guard looksAt("-"), !looksAt("--"), !looksAt("-]") else { return lower.value...lower.value }
        offset += 1
        if current == "[" {
            throw error(
                """
                operators of sets are && and --, and a character that stands for itself \
                has a \\ before it
                """)
        }
        if current == "\\", try takeClass() != nil {
            throw error("a range begins and ends with single characters", at: start)
        }
        let upper = try parseMember(isFirst: false)
        if upper < lower { throw error("a range's greater end stands first", at: start) }
        if looksAt("-"), !looksAt("--"), !looksAt("-]") {
            throw error("a '-' that stands for itself has a \\ before it")
        }
        return lower.value...upper.value
    }

    private mutating func parseMember(isFirst: Bool) throws(RegularExpressionError)
        -> Unicode.Scalar
    {
        guard let scalar = current else { throw error("a ']' is missing", at: offset - 1) }
        if scalar == "\\" {
            if offset + 1 < pattern.count,
                ["b", "B", "A", "Z", "z", "G", "R", "X", "k", "Q", "E", "N"].contains(
                    pattern[offset + 1])
            {
                throw error("\\\(pattern[offset + 1]) is no member of a set")
            }
            return try parseEscapedScalar()
        }
        offset += 1
        return scalar
    }

    /// Parses `[:alpha:]`, `[:^alpha:]`.
    private mutating func parsePosixClass() throws(RegularExpressionError) -> (
        property: ScalarProperty, isNegated: Bool
    ) {
        let start = offset
        offset += 2
        let isNegated = take("^")
        let first = offset
        while let scalar = current, scalar != ":", scalar != "]" { _ = scalar; offset += 1 }
        let name = String(String.UnicodeScalarView(pattern[first..<offset]))
        if !take(":]") { throw error("a ':]' is missing for this '[:'", at: start) }
        return (try property(named: name, at: start), isNegated)
    }
}
