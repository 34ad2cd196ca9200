import Foundation

extension Results {
    /// Returns the values of one property of all objects, as an array in the collection's order
    /// (`[Any?]`; nil where the property is nil).
    ///
    /// `"self"` gives the objects themselves. Traps if the class has no such property.
    public func value(forKey key: String) -> Any? {
        state.check("value(forKey:)")
        if let values = state.values {
            return values.shape.values(forKey: key, of: state.elements(in: values) as [Element])
        }
        return state.values(forKey: key)
    }

    /// Sets one property of all objects that the collection holds at this moment.
    ///
    /// O(objects). Traps outside of a write transaction, if the class has no such property, and
    /// if the value does not fit it.
    public func setValue(_ value: Any?, forKey key: String) {
        state.check("setValue(_:forKey:)")
        if let values = state.values {
            return values.shape.setValue(
                value, forKey: key, of: state.elements(in: values) as [Element])
        }
        state.setValue(value, forKey: key)
    }
}

extension ResultsState {
    /// Returns the values of one property of all objects, or with "self" the objects. The caller
    /// has checked confinement.
    func values(forKey key: String) -> [Any?] {
        let keys = keys()
        if key == "self" { return keys.map { object(key: $0) } }
        return keys.map { object(key: $0).value(forKey: key) }
    }

    /// Sets one property of all objects that the collection holds at this moment. The caller has
    /// checked confinement.
    func setValue(_ value: Any?, forKey key: String) {
        for row in keys() { object(key: row).setValue(value, forKey: key) }
    }
}

/// Returns the values of a collection by name as objects, with `NSNull` for null. A single value
/// becomes an array of one object.
func anyObjects(of value: Any?) -> [AnyObject] {
    guard let value = flattened(value) else { return [] }
    guard let values = CollectionLiteral.values(of: value) else { return [value as AnyObject] }
    return values.map { flattened($0).map { $0 as AnyObject } ?? NSNull() }
}
