import FreeholdStorage

extension ObjectBase {
    /// Returns the list in the property with a name, with dynamic objects as elements.
    /// O(properties).
    ///
    /// As in Realm, a list of values can be counted, emptied and observed this way. To read its
    /// elements, use the property's name: `object["ages"] as? List<Int>`.
    ///
    /// Traps if the class has no such property, if it is not a list, if the object is unmanaged,
    /// and when an element that is not an object is read.
    public final func dynamicList(_ propertyName: String) -> List<DynamicObject> {
        List(dynamicCollection(named: propertyName, .list))
    }

    /// Returns the set in the property with a name, with dynamic objects as elements.
    /// O(properties).
    ///
    /// For sets of values, and for when it traps, see ``dynamicList(_:)``.
    public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
        MutableSet(dynamicCollection(named: propertyName, .set))
    }

    /// Returns the map in the property with a name, with dynamic objects as values.
    /// O(properties).
    ///
    /// For maps of values, and for when it traps, see ``dynamicList(_:)``.
    public final func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
        Map(dynamicCollection(named: propertyName, .map))
    }

    private final func dynamicCollection(named name: String, _ shape: CollectionKind)
        -> ManagedCollection
    {
        let property = property(named: name)
        guard property.shape == shape else {
            misuse(
                """
                Property '\(reflectedSchema?.className ?? "").\(name)' is not a \
                \(shape.className).
                """,
                remedy: """
                    It is declared as '\(property.typeText)'. Read it with \
                    object["\(name)"].
                    """)
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
