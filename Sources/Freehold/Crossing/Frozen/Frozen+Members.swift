// The members of a frozen object. A key path reads them through the class's own getters,
// persisted or computed. The property's type decides what comes out: a Sendable value as it is,
// an object or results frozen. Properties of other types have no member.
//
// This is sound for two reasons. The getters run on an instance that no other code can write to
// (`unshared`). They write nothing themselves: a write to a persisted property of a frozen object
// traps.

extension Frozen where Value: ObjectBase {
    /// A property of the object: `frozen.name`. O(1), or O(length) for text and bytes.
    public subscript<Property: Sendable>(dynamicMember member: KeyPath<Value, Property>) -> Property
    { unshared[keyPath: member] }

    /// The object that a link points to, in the same version; nil if the link is nil. O(log
    /// objects).
    public subscript<Target: ObjectBase & ThreadConfined>(
        dynamicMember member: KeyPath<Value, Target?>
    ) -> Frozen<Target>? { unshared[keyPath: member].map { Frozen<Target>($0) } }

    /// An object that a computed property returns. Traps if it is unmanaged.
    public subscript<Target: ObjectBase & ThreadConfined>(
        dynamicMember member: KeyPath<Value, Target>
    ) -> Frozen<Target> { Frozen<Target>(unshared[keyPath: member]) }

    /// The objects that link to the object, in the same version.
    public subscript<Element>(dynamicMember member: KeyPath<Value, LinkingObjects<Element>>)
        -> Frozen<LinkingObjects<Element>>
    { Frozen<LinkingObjects<Element>>(unshared[keyPath: member]) }

    /// Results that a computed property returns.
    public subscript<Element>(dynamicMember member: KeyPath<Value, Results<Element>>) -> Frozen<
        Results<Element>
    > { Frozen<Results<Element>>(unshared[keyPath: member]) }
}
