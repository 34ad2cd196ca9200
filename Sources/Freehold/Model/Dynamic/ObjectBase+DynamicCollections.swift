import FreeholdStorage

extension ObjectBase {
    /// The list that the property with a name holds, with its objects as dynamic ones.
    /// O(properties).
    ///
    /// A list of values can be counted, emptied and observed so, as in Realm; to read its
    /// elements, use the property's name: `object["ages"] as? List<Int>`.
    ///
    /// Traps if the class has no such property, if it is no list, if the object is unmanaged,
    /// and where an element that is no object is read.
    public final func dynamicList(_ propertyName: String) -> List<DynamicObject> {
        List(dynamicCollection(named: propertyName, .list))
    }

    /// The set that the property with a name holds, with its objects as dynamic ones.
    /// O(properties).
    ///
    /// Of values, and where it traps: as ``dynamicList(_:)``.
    public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
        MutableSet(dynamicCollection(named: propertyName, .set))
    }

    /// The map that the property with a name holds, with its objects as dynamic ones.
    /// O(properties).
    ///
    /// Of values, and where it traps: as ``dynamicList(_:)``.
    public final func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
        Map(dynamicCollection(named: propertyName, .map))
    }

    private final func dynamicCollection(named name: String, _ shape: CollectionKind)
        -> ManagedCollection
    {
        let property = property(named: name)
        guard property.shape == shape else {
            violation(
                .misuse(
                    text:
                        """
                        Property '\(reflectedSchema?.className ?? "").\(name)' is not a \
                        \(shape.className).
                        """,
                    remedy:
                        """
                        It is declared as '\(property.typeText)'. Read it with \
                        object["\(name)"].
                        """
                ))
        }
        if core == nil { shape.refuseUnmanaged("Reading '\(name)' dynamically") }
        let elements = dynamicCollection(of: property)
        if property.codec.elementTarget != nil { return elements }
        let (values, type) = (elements.descriptor, property.type)
        let descriptor: AnyElementDescriptor =
            shape == .map
            ? ElementDescriptor(
                shape, ValueAsObjectElementCodec<DynamicObject?>(values: values, type: type),
                values.kind.type)
            : ElementDescriptor(
                shape, ValueAsObjectElementCodec<DynamicObject>(values: values, type: type),
                values.kind.type)
        return ManagedCollection(
            core: elements.core, binding: elements.binding, column: elements.column,
            key: elements.key, descriptor, shape)
    }
}
