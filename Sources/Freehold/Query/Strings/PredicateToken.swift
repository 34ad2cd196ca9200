/// The smallest parts of a predicate's string.
enum PredicateToken: Equatable {
    /// A keyword, or the name of a property.
    case word(String)
    /// A name that is not a keyword: `#in`, `#"two words"`.
    case quotedName(String)
    /// A literal.
    case constant(PredicateConstant)
    /// `%@`, `%K`, `%d`, `%f`, `%s`: the next argument.
    case placeholder(PredicatePlaceholder)
    /// `$0`: an argument by its position.
    case argument(Int)
    /// `$K0`: a key path by the position of its argument.
    case keyPathArgument(Int)
    /// `$x`: the element of a subquery, without the dollar sign.
    case variable(String)
    case symbol(PredicateSymbol)
    case end
}

enum PredicatePlaceholder: Equatable {
    case value, keyPath
    /// With the letters of the placeholder.
    case integer(String), floating(String), text(String)

    var text: String {
        switch self {
        case .value: "%@"
        case .keyPath: "%K"
        case .integer(let letters), .floating(let letters), .text(let letters): "%\(letters)"
        }
    }
}

enum PredicateSymbol: String, CaseIterable {
    case equal = "=", doubleEqual = "==", notEqual = "!=", lessGreater = "<>"
    case less = "<", lessOrEqual = "<=", equalOrLess = "=<", greater = ">", greaterOrEqual = ">=",
        equalOrGreater = "=>"
    case and = "&&", or = "||", not = "!"
    case openParenthesis = "(", closeParenthesis = ")", openBrace = "{", closeBrace = "}",
        openBracket = "[", closeBracket = "]"
    case comma = ",", dot = ".", colon = ":", at = "@"
    case plus = "+", minus = "-", times = "*", divide = "/", power = "**", remainder = "%%",
        assign = ":="

    /// The comparison that the symbol means.
    var operation: PredicateComparison.Operation? {
        switch self {
        case .equal, .doubleEqual: .equal
        case .notEqual, .lessGreater: .notEqual
        case .less: .less
        case .lessOrEqual, .equalOrLess: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual, .equalOrGreater: .greaterOrEqual
        default: nil
        }
    }

    var isArithmetic: Bool {
        switch self {
        case .plus, .minus, .times, .divide, .power, .remainder, .assign: true
        default: false
        }
    }

    /// In UTF-8, the longest first, so that the first match is the right one.
    static let byLength: [(symbol: PredicateSymbol, bytes: [UInt8])] =
        allCases.map { ($0, Array($0.rawValue.utf8)) }.sorted { $0.bytes.count > $1.bytes.count }
}

/// A token and its place, in UTF-8 of the string.
struct LocatedToken {
    let token: PredicateToken
    let start: Int
    let end: Int
}
