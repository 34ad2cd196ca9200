import FreeholdStorage

extension Results {
    /// The smallest value of a property, by its name; nil without objects that have one. O(objects), without making them.
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the value does not fit `T`.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        state.check("min(ofProperty:)")
        return convertAggregate(state.aggregate(.minimum, of: property), to: T.self)
    }

    /// The greatest value of a property, by its name; nil without objects that have one. O(objects), without making them.
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the value does not fit `T`.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        state.check("max(ofProperty:)")
        return convertAggregate(state.aggregate(.maximum, of: property), to: T.self)
    }

    /// The sum of a property, by its name; 0 without objects that have a value. O(objects), without making them.
    ///
    /// Traps if there is no such property, if it is not a number, and if the sum does not fit `T`.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
        state.check("sum(ofProperty:)")
        return convertSum(state.aggregate(.sum, of: property), to: T.self)
    }

    /// The mean of a property, by its name; nil without objects that have a value. O(objects), without making them.
    ///
    /// As an integer, the mean is truncated. Traps if there is no such property, or if it is not a number.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
        state.check("average(ofProperty:)")
        return convertAggregate(state.aggregate(.average, of: property), to: T.self)
    }
}
