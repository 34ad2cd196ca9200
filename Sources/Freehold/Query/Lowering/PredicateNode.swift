/// A condition on an object, as every front end of queries says it: names and constants, no
/// columns.
///
/// The one tree that predicate strings, Foundation's predicates and (but for its commonest
/// form, see ``QueryNode``) ``Query`` become. ``PredicateLowering`` turns it into the storage's
/// predicate for one class of one realm. Equal by structure.
indirect enum PredicateNode: Hashable, Sendable {
    case constant(Bool)
    /// True when every operand is; so true without operands.
    case and([PredicateNode])
    /// True when any operand is; so false without operands.
    case or([PredicateNode])
    case not(PredicateNode)
    case comparison(PredicateComparison)
}

/// Two expressions and what is asked of them.
struct PredicateComparison: Hashable, Sendable {
    /// Of which of the values that a key path over collections leads to the comparison must hold.
    enum Quantifier: Hashable, Sendable {
        /// Both sides are single values.
        case direct
        case any
        case all
        case none
    }

    enum Operation: Hashable, Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        /// The right side is a list of two constants, both included.
        case between
        /// The right side is a list of constants, a key path to a collection, or a region that
        /// the location on the left is in.
        case isIn
        /// The right side is one constant, or a key path.
        case beginsWith, contains, endsWith, like
        /// The right side is a regular expression for the whole text.
        case matches
        /// The right side is a search for words, as ``FullTextQuery`` reads it.
        case fullText
    }

    var quantifier: Quantifier
    var left: PredicateExpression
    var operation: Operation
    var right: PredicateExpression
    /// How text compares.
    var options: StringOptions
}

/// A value, or several.
indirect enum PredicateExpression: Hashable, Sendable {
    case constant(PredicateConstant)
    case list([PredicateConstant])
    /// Steps from the object that the condition is about. Empty: the object (or the
    /// collection's element) itself.
    case keyPath([PredicateStep])
    /// How many elements of a collection satisfy a condition. The condition's key paths begin
    /// with a `variable` step where they start from the element.
    case subqueryCount(collection: [PredicateStep], variable: String, condition: PredicateNode)
}

/// One step of a key path.
enum PredicateStep: Hashable, Sendable {
    case property(String)
    /// The element of a subquery that has this name.
    case variable(String)
    /// The value under a key of a map, of an `AnyRealmValue` that is one too.
    case key(String)
    /// The element at an index, of an `AnyRealmValue` that is a list; from its end where the
    /// index is negative.
    case index(Int)
    /// Any element of an `AnyRealmValue` that is a list or a map.
    case anyElement
    /// The objects of a class that link here by a property.
    case backlinks(className: String, property: String)
    case operation(PredicateOperator)
}

/// A collection operator.
enum PredicateOperator: String, Hashable, Sendable {
    case count, size, min, max, sum, avg, allKeys, allValues
}
