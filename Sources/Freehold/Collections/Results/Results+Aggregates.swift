extension Results {
    /// Returns the smallest value of a property, by its name, or with `"self"` the smallest value
    /// of results of values; nil without values. O(elements), without making objects.
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType { aggregate(.minimum, of: property, "min(ofProperty:)") }

    /// Returns the greatest value of a property, by its name, or with `"self"` the greatest value
    /// of results of values; nil without values. O(elements), without making objects.
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType { aggregate(.maximum, of: property, "max(ofProperty:)") }

    /// Returns the sum of a property, by its name, or with `"self"` the sum of results of values;
    /// 0 without values. O(elements), without making objects.
    ///
    /// Traps if there is no such property, if it is not a number, and if the sum does not fit `T`.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T
    where T.PersistedType: AddableType {
        state.check("sum(ofProperty:)")
        if let values = state.values {
            return values.aggregate(.sum, of: state.elements(in: values) as [Element], property)
                .sum(as: T.self)
        }
        return state.sum(of: property, as: T.self)
    }

    /// Returns the mean of a property, by its name, or with `"self"` the mean of results of
    /// values; nil without values. O(elements), without making objects.
    ///
    /// As an integer, the mean is truncated. Traps if there is no such property, or if it is
    /// not a number.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType { aggregate(.average, of: property, "average(ofProperty:)") }

    private func aggregate<T>(_ aggregate: Aggregate, of property: String, _ operation: String)
        -> T?
    {
        state.check(operation)
        if let values = state.values {
            return values.aggregate(
                aggregate, of: state.elements(in: values) as [Element], property
            ).value(as: T.self)
        }
        return state.aggregate(aggregate, of: property, as: T.self)
    }
}
