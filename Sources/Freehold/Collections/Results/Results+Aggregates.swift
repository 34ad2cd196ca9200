import FreeholdStorage

extension Results {
    /// The smallest value of a property, by its name, or of values with `"self"`; nil without
    /// one. O(elements), without making objects.
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType {
        state.check("min(ofProperty:)")
        if let values = state.values {
            return values.aggregate(.minimum, of: state.elements(in: values) as [Element], property)
                .value(as: T.self)
        }
        return state.aggregate(.minimum, of: property, as: T.self)
    }

    /// The greatest value of a property, by its name, or of values with `"self"`; nil without
    /// one. O(elements), without making objects.
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType {
        state.check("max(ofProperty:)")
        if let values = state.values {
            return values.aggregate(.maximum, of: state.elements(in: values) as [Element], property)
                .value(as: T.self)
        }
        return state.aggregate(.maximum, of: property, as: T.self)
    }

    /// The sum of a property, by its name, or of values with `"self"`; 0 without one.
    /// O(elements), without making objects.
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

    /// The mean of a property, by its name, or of values with `"self"`; nil without one.
    /// O(elements), without making objects.
    ///
    /// As an integer, the mean is truncated. Traps if there is no such property, or if it is
    /// not a number.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        state.check("average(ofProperty:)")
        if let values = state.values {
            return values.aggregate(.average, of: state.elements(in: values) as [Element], property)
                .value(as: T.self)
        }
        return state.aggregate(.average, of: property, as: T.self)
    }
}
