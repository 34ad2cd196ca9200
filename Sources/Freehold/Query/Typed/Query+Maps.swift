// Maps. Members other than `keys` are about the values.

extension Query where T: RealmKeyedCollection {
    /// The number of entries.
    public var count: Query<Int> { Query<Int>(form.appendingOperation(.count)) }

    /// The values. A condition on them holds if it holds for any of them.
    public var values: Query<T.Value> { Query<T.Value>(form.appendingOperation(.allValues)) }

    /// The value of a key; nil if the map does not have the key.
    public subscript(member: T.Key) -> Query<T.Value> {
        Query<T.Value>(form.appendingSubscript(.key(member._rlmMapKey)))
    }

    /// Whether the map contains the value.
    public func contains(_ value: T.Value) -> Query<Bool> {
        form.contains(PredicateConstant(value))
    }

    /// Whether the map contains at least one of the values.
    public func containsAny<Values: Sequence>(in collection: Values) -> Query<Bool>
    where Values.Element == T.Value { isIn(collection) }
}

extension Query where T: RealmKeyedCollection, T.Key == String {
    /// The keys. A condition on them holds if it holds for any of them.
    public var keys: Query<String> { Query<String>(form.appendingOperation(.allKeys)) }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
    /// Whether all values lie in the range, the upper bound excluded; false if there are none.
    public func contains(_ range: Range<T.Value>) -> Query<Bool> {
        Query<Bool>(form.allBetween(range.lowerBound, range.upperBound, includesUpper: false))
    }

    /// Whether all values lie in the range, the upper bound included; false if there are none.
    public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
        Query<Bool>(form.allBetween(range.lowerBound, range.upperBound, includesUpper: true))
    }
}

extension Query
where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
    /// Whether all values that are not nil lie in the range, the upper bound excluded; false if
    /// there are none.
    public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> {
        Query<Bool>(form.allBetween(range.lowerBound, range.upperBound, includesUpper: false))
    }

    /// Whether all values that are not nil lie in the range, the upper bound included; false if
    /// there are none.
    public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> {
        Query<Bool>(form.allBetween(range.lowerBound, range.upperBound, includesUpper: true))
    }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric {
    /// The least value; nil without values.
    public var min: Query<T.Value> { Query<T.Value>(form.aggregated(.min)) }
    /// The greatest value; nil without values.
    public var max: Query<T.Value> { Query<T.Value>(form.aggregated(.max)) }
    /// The mean of the values; nil without values.
    public var avg: Query<T.Value> { Query<T.Value>(form.aggregated(.avg)) }
    /// The sum of the values; 0 without values.
    public var sum: Query<T.Value> { Query<T.Value>(form.aggregated(.sum)) }
}
