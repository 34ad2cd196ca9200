import FreeholdStorage

extension Query {
    private func between<Bound>(_ lower: Bound, _ upper: Bound, includesUpper: Bool) -> Query<Bool>
    {
        Query<Bool>(
            .between(node, QueryConstant(lower), QueryConstant(upper), includesUpper: includesUpper)
        )
    }
}

extension Query where T: Comparable {
    /// Whether the property lies in the range, the upper bound excluded.
    public func contains(_ range: Range<T>) -> Query<Bool> {
        between(range.lowerBound, range.upperBound, includesUpper: false)
    }

    /// Whether the property lies in the range, the upper bound included.
    public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
        between(range.lowerBound, range.upperBound, includesUpper: true)
    }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable {
    /// Whether the property lies in the range, the upper bound excluded; false if it is nil.
    public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
        between(range.lowerBound, range.upperBound, includesUpper: false)
    }

    /// Whether the property lies in the range, the upper bound included; false if it is nil.
    public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
        between(range.lowerBound, range.upperBound, includesUpper: true)
    }
}
