/// A property of the query's object, given by its key path. Its name is looked up only if it is
/// needed; a known column does not need it (``ClassBinding/quickly(_:_:_:isTriedOut:)``).
// Sendable: the key path is never applied, and trees that leave their thread contain only names.
struct PredicateMember: @unchecked Sendable {
    let keyPath: AnyKeyPath
    let root: ObjectBase.Type

    /// Returns the steps of the key path: usually one, several if it follows links.
    func steps() throws(QueryError) -> [PredicateStep] {
        var names = KeyPathNames.names(of: keyPath, from: root)
        guard let last = names.popLast() else { throw QueryErrors.notPersisted(keyPath) }
        let isCollection = isCollection(type(of: keyPath).valueType)
        return names.map { .property($0) } + [.property(last, isCollection: isCollection)]
    }
}

extension PredicateMember: Hashable {
    static func == (a: PredicateMember, b: PredicateMember) -> Bool { a.keyPath == b.keyPath }

    func hash(into hasher: inout Hasher) { hasher.combine(keyPath) }
}

/// The comparison of a property of the query's object with a constant: by far the commonest
/// condition, which needs neither names nor a path until its column is looked up.
///
/// A class, as ``PredicateComparison``.
final class MemberComparison: Sendable {
    let member: PredicateMember
    let operation: PredicateComparison.Operation
    let constant: PredicateConstant
    /// As in ``PredicateComparison``.
    let isImplied: Bool

    init(
        _ member: PredicateMember, _ operation: PredicateComparison.Operation,
        _ constant: PredicateConstant, isImplied: Bool = false
    ) {
        self.member = member
        self.operation = operation
        self.constant = constant
        self.isImplied = isImplied
    }

    /// Returns the comparison with names in place of the key path.
    func named() throws(QueryError) -> PredicateComparison { named(try member.steps()) }

    func named(_ steps: [PredicateStep]) -> PredicateComparison {
        PredicateComparison(
            quantifier: steps.isAny ? .any : .direct, left: .keyPath(steps), operation: operation,
            right: PredicateExpression(constant), isImplied: isImplied)
    }
}

extension MemberComparison: Hashable {
    static func == (a: MemberComparison, b: MemberComparison) -> Bool {
        a.member == b.member && a.operation == b.operation && a.constant == b.constant
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(member)
        hasher.combine(operation)
        hasher.combine(constant)
    }
}

/// A property in a typed query. Strings have only its name.
struct TypedProperty: Hashable, Sendable {
    let name: String
    let isCollection: Bool
    /// The type that the caller claims, which the class must confirm. Nil if the program's types
    /// determine it.
    let claim: PropertyType?
}

extension PredicateStep {
    /// - Parameter claim: The type that the caller claims, if the program's types do not
    ///   determine it.
    static func property(_ name: String, isCollection: Bool, claim: PropertyType? = nil)
        -> PredicateStep
    {
        guard isCollection || claim != nil else { return .property(name) }
        return .typed(TypedProperty(name: name, isCollection: isCollection, claim: claim))
    }

    /// The step in the form that strings have.
    var plain: PredicateStep {
        if case .typed(let property) = self { .property(property.name) } else { self }
    }

    /// Whether the property is a collection in the typed query.
    var isCollection: Bool {
        if case .typed(let property) = self { property.isCollection } else { false }
    }
}

extension [PredicateStep] {
    /// The positions after the collections whose single elements the path is about: those that
    /// neither a key nor an operator on the whole collection follows.
    var openCollections: [Int] {
        indices.filter { self[$0].isCollection && goesThroughElements(behind: $0 + 1) }.map {
            $0 + 1
        }
    }

    /// Whether the path is about single elements of the collection that ends at a position, not
    /// about a value of the whole collection such as the count.
    func goesThroughElements(behind end: Int) -> Bool {
        guard end < count else { return true }
        return switch self[end] {
        case .key: false
        case .operation(let operation): operation == .allKeys || operation == .allValues
        default: true
        }
    }

    var isAny: Bool {
        indices.contains { self[$0].isCollection && goesThroughElements(behind: $0 + 1) }
    }
}

extension PredicateExpression {
    /// Whether the typed query has several values here, any of which may satisfy a condition.
    var isAny: Bool { if case .keyPath(let steps) = self { steps.isAny } else { false } }
}
