import FreeholdStorage

extension Results {
    /// The values of one property of all objects, as an array in the collection's order (`[Any?]`; nil where the property is nil).
    ///
    /// `"self"` gives the objects themselves. Traps if the class has no such property.
    public func value(forKey key: String) -> Any? {
        state.check("value(forKey:)")
        if key == "self" { return Array(self) as [Any] }
        return map { ($0 as! Object).value(forKey: key) } as [Any?]
    }

    /// Sets one property of all objects that the collection holds now.
    ///
    /// O(objects). Traps outside of a write transaction, if the class has no such property, and if the value does not fit it.
    public func setValue(_ value: Any?, forKey key: String) {
        state.check("setValue(_:forKey:)")
        _ = state.core.requireWrite("Results<\(state.className)>.setValue(_:forKey:)")
        for element in self { (element as! Object).setValue(value, forKey: key) }
    }
}
