extension ObjectBase {
    /// The list that the property with a name holds, with its objects as dynamic ones. O(properties).
    ///
    /// Traps if the class has no such property, if it is no list of objects, and if the object is unmanaged.
    public final func dynamicList(_ propertyName: String) -> List<DynamicObject> { List(dynamicElements(named: propertyName, .list)) }

    /// The set that the property with a name holds, with its objects as dynamic ones. O(properties).
    ///
    /// Traps if the class has no such property, if it is no set of objects, and if the object is unmanaged.
    public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> { MutableSet(dynamicElements(named: propertyName, .set)) }

    /// The map that the property with a name holds, with its objects as dynamic ones. O(properties).
    ///
    /// Traps if the class has no such property, if it is no map of objects, and if the object is unmanaged.
    public final func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> { Map(dynamicElements(named: propertyName, .map)) }

    private final func dynamicElements(named name: String, _ shape: CollectionKind) -> ManagedElements {
        let property = property(named: name)
        guard property.shape == shape, property.codec.elementTarget != nil else {
            violation(.misuse(
                text: "Property '\(reflectedSchema?.className ?? "").\(name)' is not a \(shape.className) of objects.",
                remedy: "It is declared as '\(property.typeText)'. Read it with object[\"\(name)\"]."))
        }
        if core == nil { shape.refuseUnmanaged("Reading '\(name)' dynamically") }
        return dynamicElements(of: property)
    }
}
