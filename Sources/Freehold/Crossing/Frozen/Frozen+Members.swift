// The members of a frozen object. A key path reads them through the class's own getters,
// persisted or computed; which of them there are is decided by types: what is Sendable comes
// out as it is, objects and results come out frozen, and there is no member for anything else.
//
// Sound because the getters run on an instance that nobody else can write to (`unshared`), and
// write nothing themselves: a write to a persisted property of a frozen object traps.

extension Frozen where Value: ObjectBase {
    /// A property of the object: `frozen.name`. O(1), or O(length) for text and bytes.
    public subscript<Property: Sendable>(dynamicMember member: KeyPath<Value, Property>) -> Property
    { unshared[keyPath: member] }

    /// The object that a link points to, in the same version; nil if the link is nil. O(log
    /// objects).
    public subscript<Target: ObjectBase & ThreadConfined>(
        dynamicMember member: KeyPath<Value, Target?>
    ) -> Frozen<Target>? {
        unshared[keyPath: member].map { Frozen<Target>($0) }
    }

    /// An object that a computed property gives. Traps if it is unmanaged.
    public subscript<Target: ObjectBase & ThreadConfined>(
        dynamicMember member: KeyPath<Value, Target>
    ) -> Frozen<Target> {
        Frozen<Target>(unshared[keyPath: member])
    }

    /// The objects that link to the object, in the same version.
    public subscript<Element>(dynamicMember member: KeyPath<Value, LinkingObjects<Element>>)
        -> Frozen<LinkingObjects<Element>>
    {
        Frozen<LinkingObjects<Element>>(unshared[keyPath: member])
    }

    /// A collection that a computed property gives.
    public subscript<Element>(dynamicMember member: KeyPath<Value, Results<Element>>) -> Frozen<
        Results<Element>
    > {
        Frozen<Results<Element>>(unshared[keyPath: member])
    }
}
