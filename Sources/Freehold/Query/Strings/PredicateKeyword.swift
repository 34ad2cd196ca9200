/// The reserved words of the language, in any case. A property with such a name is written with a
/// `#` in front.
enum PredicateKeyword: String, CaseIterable {
    case and, or, not
    case any, some, all, none
    case `in`, between, beginswith, contains, endswith, like, matches
    case `true`, `false`, yes, no, null, `nil`, `self`
    case truepredicate, falsepredicate
    case subquery

    init?(word: String) {
        // Most words are longer than every keyword, or are properties; these are not lowercased.
        guard word.utf8.count <= 14, let keyword = PredicateKeyword(rawValue: word.lowercased())
        else { return nil }
        self = keyword
    }

    /// The word as messages and the canonical form write it.
    var text: String { rawValue.uppercased() }

    /// The operators that are words.
    static let operators: [PredicateKeyword] = [
        .in, .between, .beginswith, .contains, .endswith, .like, .matches,
    ]
}

/// Words with a meaning in one place only; they are names everywhere else.
enum PredicateWord {
    static let clauses = ["SORT", "DISTINCT", "LIMIT"]
    static let directions = ["ASC", "DESC", "ASCENDING", "DESCENDING"]
    /// The functions that make a value from the text in their parentheses.
    static let literals = ["uuid", "oid", "decimal", "float", "double", "date"]
}
