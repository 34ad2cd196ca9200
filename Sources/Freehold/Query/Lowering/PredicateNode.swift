import FreeholdStorage

/// A condition on an object, as every front end of queries builds it: names and constants, no
/// columns.
///
/// Typed queries, predicate strings and Foundation's predicates share this tree.
/// ``PredicateLowering`` turns it into the storage's predicate for one class of one realm. Equal
/// by structure.
enum PredicateNode: Hashable, Sendable {
    case constant(Bool)
    /// True when every operand is; so true without operands.
    case and([PredicateNode])
    /// True when any operand is; so false without operands.
    case or([PredicateNode])
    indirect case not(PredicateNode)
    case comparison(PredicateComparison)
    /// Two conditions of a typed query, compared by `==` (wanted) or `!=` (not wanted). Strings
    /// have no such operator: see ``expanded``.
    indirect case agreement(PredicateNode, PredicateNode, isWanted: Bool)
}

/// Two expressions and what is asked of them.
///
/// A class, because it is read where it is: what is taken out of an `indirect` case is copied
/// first, with a retain and a release for each of its parts.
final class PredicateComparison: Sendable {
    /// Of which of the values that a key path over collections leads to the comparison must hold.
    enum Quantifier: Hashable, Sendable {
        /// Both sides are single values.
        case direct
        case any
        case all
        case none
    }

    enum Operation: Hashable, Sendable {
        /// The right side is one constant, a list where an `AnyRealmValue` may be one, or a key
        /// path.
        case value(ScanComparison)
        /// The right side is a list of two constants, both included.
        case between
        /// The right side is a list of constants, a key path to a collection, or a region that
        /// the location on the left is in.
        case isIn
        /// The right side is one constant, or a key path.
        case text(ScanTextOperator)
        /// The right side is a regular expression for the whole text.
        case matches
        /// The right side is a search for words, as ``FullTextQuery`` reads it.
        case fullText
    }

    let quantifier: Quantifier
    let left: PredicateExpression
    let operation: Operation
    let right: PredicateExpression
    /// How text compares.
    let options: StringOptions
    /// Whether a typed query names a boolean property only, and the comparison with true is
    /// implied. Matters to the format of typed queries, and to nothing else.
    let isImplied: Bool

    init(
        quantifier: Quantifier = .direct, left: PredicateExpression, operation: Operation,
        right: PredicateExpression, options: StringOptions = [], isImplied: Bool = false
    ) {
        self.quantifier = quantifier
        self.left = left
        self.operation = operation
        self.right = right
        self.options = options
        self.isImplied = isImplied
    }

    /// The same comparison with other parts.
    func with(
        left: PredicateExpression? = nil, _ operation: Operation? = nil,
        right: PredicateExpression? = nil, quantifier: Quantifier? = nil,
        options: StringOptions? = nil
    ) -> PredicateComparison {
        PredicateComparison(
            quantifier: quantifier ?? self.quantifier, left: left ?? self.left,
            operation: operation ?? self.operation, right: right ?? self.right,
            options: options ?? self.options, isImplied: isImplied)
    }
}

extension PredicateComparison: Hashable {
    static func == (a: PredicateComparison, b: PredicateComparison) -> Bool {
        a.quantifier == b.quantifier && a.operation == b.operation && a.options == b.options
            && a.left == b.left && a.right == b.right
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(quantifier)
        hasher.combine(left)
        hasher.combine(operation)
        hasher.combine(right)
        hasher.combine(options)
    }
}

/// A value, or several.
enum PredicateExpression: Hashable, Sendable {
    case constant(PredicateConstant)
    case list([PredicateConstant])
    /// Steps from the object that the condition is about. Empty: the object (or the
    /// collection's element) itself.
    case keyPath([PredicateStep])
    /// A property of the object in a typed query: on the left of comparisons with a constant.
    case member(PredicateMember)
    /// How many elements of a collection satisfy a condition. The condition's key paths begin
    /// with a `variable` step where they start from the element.
    ///
    /// In a typed query the collection and the variable are empty: ``QueryResolution`` finds
    /// them.
    indirect case subqueryCount(
        collection: [PredicateStep], variable: String, condition: PredicateNode)
}

/// One step of a key path.
enum PredicateStep: Hashable, Sendable {
    case property(String)
    /// A property with what a typed query knows of it.
    case typed(TypedProperty)
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
