/// A condition on objects, as a value that can be made from a string, combined, compared, kept,
/// and sent to other threads.
///
/// ```swift
/// let adults = try RealmPredicate("age >= %@ AND name BEGINSWITH[c] 'a'", 18)
/// let wanted = adults && !(try RealmPredicate("ANY dogs.name == 'Rex'"))
/// for person in realm.objects(Person.self).filter(wanted) { print(person.name) }
/// print(wanted)   // age >= 18 AND name BEGINSWITH[c] "a" AND NOT ANY dogs.name == "Rex"
/// ```
///
/// The language is that of NSPredicate, as Realm supports it, with Realm's literals;
/// <doc:PredicateStrings> describes it. Two predicates are equal if their trees are, whatever the
/// notation: `age>5` equals `age > 5` and, with the argument 5, `age > %@`.
///
/// Using the predicate checks whether the class has the properties that it names: `filter` traps
/// if not, ``check(_:in:)`` throws.
///
/// Thread rule: a plain value; may be sent anywhere. The predicate stores the identity of objects
/// among its arguments, not the objects, so it can be used in any realm of their file.
public struct RealmPredicate: Sendable {
    let node: PredicateNode
    let clauses: [PredicateClause]
    /// The string that the predicate was made from, if there is one.
    let source: PredicateSource?
    /// The nesting depth of the conditions.
    let depth: Int

    init(
        node: PredicateNode, clauses: [PredicateClause] = [], source: PredicateSource? = nil,
        depth: Int? = nil
    ) {
        self.node = node
        self.clauses = clauses
        self.source = source
        self.depth = depth ?? node.depth
    }

    /// Parses a string. O(length).
    ///
    ///     let predicate = try RealmPredicate("age > %@ AND name IN %@", 5, ["Rex", "Bello"])
    ///
    /// - Parameters:
    ///   - format: A condition, such as `age > 5 AND owner.name CONTAINS[c] 'ann'`.
    ///   - arguments: The values of the placeholders (`%@`, `%K`, `%d`, …) in their order, or of
    ///     `$0`, `$1` by position. They are values that a property can have, enums, values of
    ///     your own types, nil, or objects; for `IN` and `BETWEEN` also arrays, sets and
    ///     collections. Excess arguments are ignored.
    /// - Throws: An error that shows the string with a caret under the mistake.
    public init(_ format: String, _ arguments: Any?...) throws(RealmPredicateError) {
        try self.init(parsing: format, arguments: arguments)
    }

    /// Parses a string with its arguments in an array, for example a string that a user typed.
    /// O(length).
    ///
    /// - Throws: An error that shows the string with a caret under the mistake.
    public init(parsing format: String, arguments: [Any?] = []) throws(RealmPredicateError) {
        if let known = PredicateTemplates.template(for: format)?.predicate(arguments) {
            self = known
            return
        }
        let parsed = try PredicateParser.parse(format, arguments)
        if let template = parsed.template { PredicateTemplates.note(template) }
        self.init(node: parsed.node, clauses: parsed.clauses, source: parsed.source)
    }

    /// Makes a predicate that every object satisfies, or none.
    public init(value: Bool) { self.init(node: .constant(value)) }
}

extension RealmPredicate: Hashable {
    /// Whether both have the same tree and the same clauses. As in Swift, a NaN equals nothing.
    public static func == (a: RealmPredicate, b: RealmPredicate) -> Bool {
        a.node == b.node && a.clauses == b.clauses
    }

    /// The hash of the tree and the clauses.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(node)
        hasher.combine(clauses)
    }
}

extension RealmPredicate: CustomStringConvertible {
    /// The predicate in its canonical form: with its arguments, one spelling of each operator,
    /// and no unnecessary parentheses.
    ///
    /// It parses to an equal predicate, unless the constants contain objects, which have no
    /// literal.
    public var description: String {
        ([node.format] + clauses.map(\.format)).joined(separator: " ")
    }
}

extension PredicateClause {
    fileprivate var format: String {
        func path(_ path: String) -> String {
            PredicateStep.format(
                of: path.split(separator: ".", omittingEmptySubsequences: false).map {
                    .property(String($0))
                })
        }
        return switch self {
        case .sort(let descriptors):
            "SORT("
                + descriptors.map { "\(path($0.keyPath)) \($0.ascending ? "ASC" : "DESC")" }.joined(
                    separator: ", ") + ")"
        case .distinct(let paths): "DISTINCT(" + paths.map(path).joined(separator: ", ") + ")"
        case .limit(let limit): "LIMIT(\(limit))"
        }
    }
}
