import FreeholdStorage

/// A condition on an object, in the form that every query front end builds: names and constants,
/// no columns.
///
/// Typed queries, predicate strings and Foundation predicates share this tree.
/// ``PredicateLowering`` turns it into the storage's predicate for one class of one realm. Equal
/// by structure.
enum PredicateNode: Hashable, Sendable {
    case constant(Bool)
    /// True if every operand is; so true without operands.
    case and([PredicateNode])
    /// True if any operand is; so false without operands.
    case or([PredicateNode])
    indirect case not(PredicateNode)
    case comparison(PredicateComparison)
    /// A property of the object, compared with a constant by a typed query.
    case member(MemberComparison)
    /// Two conditions of a typed query, compared by `==` (`isWanted`) or `!=`. Strings have no
    /// such operator: see ``expanded``.
    indirect case agreement(PredicateNode, PredicateNode, isWanted: Bool)
}

/// Two expressions and the operator between them.
///
/// A class, so that it can be read in place. The content of an `indirect` case would be copied
/// first, with a retain and a release for each part.
final class PredicateComparison: Sendable {
    /// How many of the values of a key path over collections must satisfy the comparison.
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
        /// The right side is a search for words, in the syntax of ``FullTextQuery``.
        case fullText
    }

    let quantifier: Quantifier
    let left: PredicateExpression
    let operation: Operation
    let right: PredicateExpression
    /// How texts are compared.
    let options: StringOptions
    /// Whether a typed query names only a boolean property, and the comparison with true is
    /// implied. Affects only the format of typed queries.
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

    /// Returns the comparison with some parts replaced.
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

/// One value or several.
enum PredicateExpression: Hashable, Sendable {
    case constant(PredicateConstant)
    case list([PredicateConstant])
    /// Steps from the subject of the condition. If empty, the object (or the collection's
    /// element) itself.
    case keyPath([PredicateStep])
    /// The number of elements of a collection that satisfy a condition. Key paths of the
    /// condition begin with a `variable` step if they start from the element.
    ///
    /// In a typed query the collection and the variable are empty: ``QueryResolution`` finds
    /// them.
    indirect case subqueryCount(
        collection: [PredicateStep], variable: String, condition: PredicateNode)
}

/// One step of a key path.
enum PredicateStep: Hashable, Sendable {
    case property(String)
    /// A property, with what a typed query knows about it.
    case typed(TypedProperty)
    /// The element of the subquery with this variable.
    case variable(String)
    /// The value under a key of a map, or of an `AnyRealmValue` that is a map.
    case key(String)
    /// The element at an index of an `AnyRealmValue` that is a list; a negative index counts from
    /// its end.
    case index(Int)
    /// Any element of an `AnyRealmValue` that is a list or a map.
    case anyElement
    /// The objects of a class that link to this one by a property.
    case backlinks(className: String, property: String)
    case operation(PredicateOperator)
}

/// A collection operator.
enum PredicateOperator: String, Hashable, Sendable {
    case count, size, min, max, sum, avg, allKeys, allValues
}
