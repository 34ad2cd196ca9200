extension Query {
    private func between<Bound>(_ lower: Bound, _ upper: Bound, includesUpper: Bool) -> Query<Bool>
    {
        let (lower, upper) = (PredicateConstant(lower), PredicateConstant(upper))
        if includesUpper { return Query<Bool>(form.compared(.between, .list([lower, upper]))) }
        // A node of its own, which lowering turns into one condition.
        let bounds = [
            form.compared(.greaterOrEqual, .constant(lower)),
            form.compared(.less, .constant(upper)),
        ]
        return Query<Bool>(
            .condition(.and(bounds.map(\.condition)), depth: QueryForm.depth(around: form.depth)))
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
