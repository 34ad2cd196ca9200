// The members of a frozen projection: its projected properties, which read like those of a frozen
// object.

extension Frozen where Value: ProjectionObservable {
    /// The projection of an object instance that belongs to the caller: see `unshared` of
    /// objects. Made anew for each access, because the projection's class may have stored
    /// properties.
    private var unshared: Value {
        Value(projecting: Frozen<Value.Root>(frozen: value.rootObject).unshared)
    }

    /// The projected object, in the same version.
    public var rootObject: Frozen<Value.Root> { Frozen<Value.Root>(frozen: value.rootObject) }

    /// A property of the projection: `frozen.firstName`. Costs as much as reading it from the
    /// object.
    public subscript<Property: Sendable>(dynamicMember member: KeyPath<Value, Property>) -> Property
    { unshared[keyPath: member] }

    /// The object that a projected link points to, in the same version; nil if the link is nil.
    public subscript<Target: ObjectBase & ThreadConfined>(
        dynamicMember member: KeyPath<Value, Target?>
    ) -> Frozen<Target>? { unshared[keyPath: member].map { Frozen<Target>($0) } }

    /// The values of one property of a collection's objects, in the same version.
    public subscript<Element: Sendable>(
        dynamicMember member: KeyPath<Value, ProjectedCollection<Element>>
    ) -> FrozenValues<Element> { FrozenValues(frozen: unshared[keyPath: member].freeze()) }

    /// A projected list of objects, in the same version.
    public subscript<Element: ObjectBase & ThreadConfined & RealmCollectionValue>(
        dynamicMember member: KeyPath<Value, List<Element>>
    ) -> Frozen<List<Element>> { Frozen<List<Element>>(unshared[keyPath: member]) }

    /// A projected list of values, in the same version.
    public subscript<Element: Sendable>(dynamicMember member: KeyPath<Value, List<Element>>)
        -> FrozenValues<Element>
    { FrozenValues(frozen: unshared[keyPath: member].freeze()) }

    /// A projected set of objects, in the same version.
    public subscript<Element: ObjectBase & ThreadConfined & RealmCollectionValue>(
        dynamicMember member: KeyPath<Value, MutableSet<Element>>
    ) -> Frozen<MutableSet<Element>> { Frozen<MutableSet<Element>>(unshared[keyPath: member]) }

    /// A projected set of values, in the same version.
    public subscript<Element: Sendable>(dynamicMember member: KeyPath<Value, MutableSet<Element>>)
        -> FrozenValues<Element>
    { FrozenValues(frozen: unshared[keyPath: member].freeze()) }

    /// A projected map of values, in the same version.
    public subscript<Key: Sendable, Element: Sendable>(
        dynamicMember member: KeyPath<Value, Map<Key, Element>>
    ) -> FrozenMap<Key, Element> { FrozenMap(frozen: unshared[keyPath: member].freeze()) }

    /// A projected ``AnyRealmValue`` with its content, in the same version.
    public subscript(dynamicMember member: KeyPath<Value, AnyRealmValue>) -> AnyFrozenValue {
        AnyFrozenValue(frozen: unshared[keyPath: member])
    }

    /// The projected linking objects, in the same version.
    public subscript<Element>(dynamicMember member: KeyPath<Value, LinkingObjects<Element>>)
        -> Frozen<LinkingObjects<Element>>
    { Frozen<LinkingObjects<Element>>(unshared[keyPath: member]) }
}
