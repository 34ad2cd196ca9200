/// The words that the language reserves, in any case. A property of that name is written with a
/// `#` in front.
enum PredicateKeyword: String, CaseIterable {
    case and, or, not
    case any, some, all, none
    case `in`, between, beginswith, contains, endswith, like, matches
    case `true`, `false`, yes, no, null, `nil`, `self`
    case truepredicate, falsepredicate
    case subquery

    init?(word: String) {
        // Most words are longer than every keyword, or properties: do not lowercase those.
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

/// Words that have a meaning in one place only, and are names everywhere else.
enum PredicateWord {
    static let clauses = ["SORT", "DISTINCT", "LIMIT"]
    static let directions = ["ASC", "DESC", "ASCENDING", "DESCENDING"]
    /// Functions that make a value from the text in their parentheses.
    static let literals =
        PropertyType.literalNames + ["decimal", "float", "double", "date"]
}
