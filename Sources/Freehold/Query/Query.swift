import FreeholdStorage

/// An expression over the properties of a class, for `where`.
///
/// The closure gets the query's object and gives a condition; members are the class's persisted properties:
///
///     realm.objects(Dog.self).where { $0.age > 5 && $0.owner.name.starts(with: "A", options: .caseInsensitive) }
///
/// | on | operators |
/// |---|---|
/// | all properties | `==`, `!=` (a value, nil, or another property), `in(_:)` |
/// | numbers, dates, text | `>`, `>=`, `<`, `<=`, `contains(0 ..< 10)`, `contains(0 ... 10)` |
/// | text and data | `contains`, `starts(with:)`, `ends(with:)`, `equals`, `notEquals`, each with ``StringOptions`` |
/// | text | `like`: `*` stands for any text, `?` for one character |
/// | booleans and conditions | `!`, `&&`, `||`; a boolean property is a condition by itself |
/// | links | members of the linked object, to any depth; comparison with an object or nil |
/// | enums | all of the raw value's by `rawValue` |
///
/// Nil equals nil only, and is neither smaller nor greater than anything. What a nil link leads to is nil.
///
/// Thread rule: an expression is used where it is made, inside of the closure.
@dynamicMemberLookup
public struct Query<T> {
    let node: QueryNode

    init(_ node: QueryNode) { self.node = node }

    init() { node = .root }

    func appending<V>(_ member: AnyKeyPath, of root: ObjectBase.Type) -> Query<V> {
        let parent: QueryPath.Parent? = if case .property(let path) = node { QueryPath.Parent(path) } else { nil }
        return Query<V>(.property(QueryPath(parent: parent, keyPath: member, root: root)))
    }

    /// The property with a name. The key path only fills the place of one.
    func appending<V: _RealmSchemaDiscoverable>(_ name: String) -> Query<V> {
        let path: QueryPath? = if case .property(let path) = node { path } else { nil }
        let step = QueryPath.Parent(path, QueryPath.Parent.Name(name: name, type: V._rlmType))
        return Query<V>(.property(QueryPath(parent: step, keyPath: \DynamicObject.self, root: DynamicObject.self)))
    }
}

@available(*, unavailable, message: "A query expression is used inside of the closure that gets it.")
extension Query: Sendable {}

// MARK: - Members

extension Query where T: ObjectBase {
    /// A property of the object.
    public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> { appending(member, of: T.self) }
}

extension Query where T: OptionalProtocol {
    /// A property of the linked object; nil where the link is nil.
    public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> where T.Wrapped: ObjectBase {
        appending(member, of: T.Wrapped.self)
    }
}

// MARK: - Enums

extension Query where T: PersistableEnum {
    /// The enum's raw value, for conditions that no case of the enum can express.
    public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
    /// The enum's raw value, for conditions that no case of the enum can express.
    public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(node) }
}

extension Query where T: _HasPersistedType {
    /// The value as it is stored: an enum's raw value.
    public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}
