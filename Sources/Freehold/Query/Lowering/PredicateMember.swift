/// A property of the query's object by its key path. Its name is looked up once something needs
/// it; a known column does not (``ClassBinding/quickly(_:_:_:isTriedOut:)``).
// Sendable: the key path is never applied, and trees that leave their thread have names only.
struct PredicateMember: @unchecked Sendable {
    let keyPath: AnyKeyPath
    let root: ObjectBase.Type

    /// The steps that the key path takes: usually one, several where it goes over links.
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

/// A property as a typed query names it. Strings know only the name.
struct TypedProperty: Hashable, Sendable {
    let name: String
    let isCollection: Bool
    /// The type that the caller claims, which the class has to confirm. Nil where the program's
    /// types say so.
    let claim: PropertyType?
}

extension PredicateStep {
    /// - Parameter claim: The type that the caller claims, if the program's types do not say so.
    static func property(_ name: String, isCollection: Bool, claim: PropertyType? = nil)
        -> PredicateStep
    {
        guard isCollection || claim != nil else { return .property(name) }
        return .typed(TypedProperty(name: name, isCollection: isCollection, claim: claim))
    }

    /// The step as strings have it.
    var plain: PredicateStep {
        if case .typed(let property) = self { .property(property.name) } else { self }
    }

    /// Whether a typed query knows the property as a collection.
    var isCollection: Bool {
        if case .typed(let property) = self { property.isCollection } else { false }
    }
}

extension [PredicateStep] {
    /// The positions behind the collections whose elements the path is about, each by itself:
    /// those that no key and no operator on the whole collection follows.
    var openCollections: [Int] {
        indices.filter { self[$0].isCollection && goesThroughElements(behind: $0 + 1) }.map {
            $0 + 1
        }
    }

    /// Whether the path is about elements of the collection that ends at a position, and not about
    /// what all of them give together, as their count.
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
    /// Whether a typed query knows that there are several values, of which any may be meant.
    var isAny: Bool { if case .keyPath(let steps) = self { steps.isAny } else { false } }
}

extension PredicateComparison {
    /// The comparison with names in the place of a key path.
    func named() throws(QueryError) -> PredicateComparison {
        guard case .member(let member) = left else { return self }
        let steps = try member.steps()
        return with(left: .keyPath(steps), quantifier: steps.isAny ? .any : .direct)
    }
}
