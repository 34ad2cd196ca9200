// The collections and ``AnyRealmValue``s of a frozen object. Collections of objects come as
// `Frozen` ones, with all operations of results; collections of values as `FrozenValues` and
// `FrozenMap`.

extension Frozen where Value: ObjectBase {
    /// A list of objects, in the same version.
    public subscript<Element: ObjectBase & ThreadConfined & RealmCollectionValue>(
        dynamicMember member: KeyPath<Value, List<Element>>
    ) -> Frozen<List<Element>> { Frozen<List<Element>>(unshared[keyPath: member]) }

    /// A list of values, in the same version.
    public subscript<Element: Sendable>(dynamicMember member: KeyPath<Value, List<Element>>)
        -> FrozenValues<Element>
    { FrozenValues(frozen: unshared[keyPath: member].freeze()) }

    /// A list of ``AnyRealmValue``s, in the same version.
    public subscript(dynamicMember member: KeyPath<Value, List<AnyRealmValue>>) -> FrozenValues<
        AnyFrozenValue
    > { FrozenValues(anyValues: unshared[keyPath: member].freeze()) }

    /// A set of objects, in the same version.
    public subscript<Element: ObjectBase & ThreadConfined & RealmCollectionValue>(
        dynamicMember member: KeyPath<Value, MutableSet<Element>>
    ) -> Frozen<MutableSet<Element>> { Frozen<MutableSet<Element>>(unshared[keyPath: member]) }

    /// A set of values, in the same version.
    public subscript<Element: Sendable>(dynamicMember member: KeyPath<Value, MutableSet<Element>>)
        -> FrozenValues<Element>
    { FrozenValues(frozen: unshared[keyPath: member].freeze()) }

    /// A set of ``AnyRealmValue``s, in the same version.
    public subscript(dynamicMember member: KeyPath<Value, MutableSet<AnyRealmValue>>)
        -> FrozenValues<AnyFrozenValue>
    { FrozenValues(anyValues: unshared[keyPath: member].freeze()) }

    /// A map of objects, in the same version.
    public subscript<Key: Sendable, Target: ObjectBase & ThreadConfined>(
        dynamicMember member: KeyPath<Value, Map<Key, Target?>>
    ) -> FrozenMap<Key, Frozen<Target>?> { FrozenMap(objects: unshared[keyPath: member].freeze()) }

    /// A map of values, in the same version.
    public subscript<Key: Sendable, Element: Sendable>(
        dynamicMember member: KeyPath<Value, Map<Key, Element>>
    ) -> FrozenMap<Key, Element> { FrozenMap(frozen: unshared[keyPath: member].freeze()) }

    /// A map of ``AnyRealmValue``s, in the same version.
    public subscript<Key: Sendable>(dynamicMember member: KeyPath<Value, Map<Key, AnyRealmValue>>)
        -> FrozenMap<Key, AnyFrozenValue>
    { FrozenMap(anyValues: unshared[keyPath: member].freeze()) }

    /// An ``AnyRealmValue`` with its content, in the same version.
    public subscript(dynamicMember member: KeyPath<Value, AnyRealmValue>) -> AnyFrozenValue {
        AnyFrozenValue(frozen: unshared[keyPath: member])
    }

    /// Results of values that a computed property returns, frozen.
    public subscript<Element: Sendable>(dynamicMember member: KeyPath<Value, Results<Element>>)
        -> FrozenValues<Element>
    { FrozenValues(frozen: unshared[keyPath: member].freeze()) }
}

// MARK: - Frozen collections and maps

extension Frozen where Value: RealmCollection, Value.Element: Sendable {
    /// The values of a frozen collection, in its order. They are read on use; nothing is copied.
    ///
    ///     let scores = Frozen(person.scores.sorted())
    ///     Task.detached { for score in scores.elements { print(score) } }
    public var elements: FrozenValues<Value.Element> { FrozenValues(frozen: value) }
}

extension Frozen where Value: RealmCollection, Value.Element == AnyRealmValue {
    /// The values of a frozen collection of ``AnyRealmValue``s, in its order. They are read on
    /// use; nothing is copied.
    public var elements: FrozenValues<AnyFrozenValue> { FrozenValues(anyValues: value) }
}

extension Frozen {
    /// The entries of a map of values, in the order of their keys.
    public func entries<Key, Element: Sendable>() -> FrozenMap<Key, Element>
    where Value == Map<Key, Element> { FrozenMap(frozen: value) }

    /// The entries of a map of objects, in the order of their keys.
    public func entries<Key, Target: ObjectBase & ThreadConfined>() -> FrozenMap<
        Key, Frozen<Target>?
    > where Value == Map<Key, Target?> { FrozenMap(objects: value) }

    /// The entries of a map of ``AnyRealmValue``s, in the order of their keys.
    public func entries<Key>() -> FrozenMap<Key, AnyFrozenValue>
    where Value == Map<Key, AnyRealmValue> { FrozenMap(anyValues: value) }
}
