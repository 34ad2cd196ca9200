// Operations on maps of objects by key paths of the objects.

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// Returns the objects in the order of one property: `sorted(by: \.age)`. Stable; nil comes
    /// first in ascending order. O(1): sorted when it is used. Traps for maps that no realm
    /// manages.
    ///
    /// - Parameters:
    ///   - keyPath: The property, also over to-one links.
    ///   - ascending: Whether the smallest value comes first.
    public func sorted<T: _HasPersistedType>(
        by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool = true
    ) -> Results<Value> where T.PersistedType: SortableType {
        sorted(byKeyPath: name(of: keyPath), ascending: ascending)
    }

    /// The smallest value of a property; nil without objects that have one. O(count).
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: MinMaxType { min(ofProperty: name(of: keyPath)) }

    /// The greatest value of a property; nil without objects that have one. O(count).
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: MinMaxType { max(ofProperty: name(of: keyPath)) }

    /// Returns the sum of a property over all objects; 0 without objects. Nil is left out.
    /// O(count). Traps if the sum does not fit.
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T
    where T.PersistedType: AddableType { sum(ofProperty: name(of: keyPath)) }

    /// The mean of a property over the objects that have a value; nil without such objects.
    /// O(count).
    public func average<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: AddableType { average(ofProperty: name(of: keyPath)) }

    private func name(of keyPath: PartialKeyPath<Value.Wrapped>) -> String {
        KeyPathNames.names(of: keyPath, from: Value.Wrapped.self).joined(separator: ".")
    }
}
