import FreeholdStorage

/// The reserved words of the language, in any case. A property with such a name is written with a
/// `#` in front.
enum PredicateKeyword: Hashable {
    case and, or, not
    case any, some, all, none
    case `self`, truepredicate, falsepredicate, subquery
    case constant(PredicateConstant)
    case comparison(PredicateComparison.Operation)

    init?(word: String) {
        // Most words are longer than every keyword, or are properties; these are not lowercased.
        guard word.utf8.count <= Self.longest, let keyword = Self.keywords[word.lowercased()]
        else { return nil }
        self = keyword
    }

    /// The operators that are words. `TEXT` is one only where no name can stand.
    static let operators: [PredicateComparison.Operation] =
        [.isIn, .between, .matches] + ScanTextOperator.words.map { .text($0) }

    /// By the words in lower case.
    private static let keywords: [String: PredicateKeyword] = [
        "and": .and, "or": .or, "not": .not,
        "any": .any, "some": .some, "all": .all, "none": .none,
        "true": .constant(.bool(true)), "yes": .constant(.bool(true)),
        "false": .constant(.bool(false)), "no": .constant(.bool(false)),
        "null": .constant(.null), "nil": .constant(.null),
        "self": .`self`, "truepredicate": .truepredicate, "falsepredicate": .falsepredicate,
        "subquery": .subquery,
    ].merging(operators.map { ($0.text.lowercased(), .comparison($0)) }) { word, _ in word }

    private static let longest = keywords.keys.map(\.utf8.count).max() ?? 0
}

/// Words with a meaning in one place only; they are names everywhere else.
enum PredicateWord {
    static let clauses = ["SORT", "DISTINCT", "LIMIT"]
    static let directions = ["ASC", "DESC", "ASCENDING", "DESCENDING"]
    /// The functions that make a value from the text in their parentheses.
    static let literals = PropertyType.literalNames + ["decimal", "float", "double", "date"]
}
