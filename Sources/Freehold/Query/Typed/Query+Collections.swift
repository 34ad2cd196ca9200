// Lists, sets, linking objects. A comparison with an element holds if any element satisfies it.

extension Query where T: RealmCollection {
    /// A property of the collection's objects. A condition on it holds if it holds for any of
    /// them.
    public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V>
    where T.Element: ObjectBase { appending(member, of: T.Element.self) }

    /// The number of elements.
    public var count: Query<Int> { Query<Int>(form.appendingOperation(.count)) }

    /// Whether the collection contains the element.
    public func contains(_ value: T.Element) -> Query<Bool> {
        form.contains(PredicateConstant(value))
    }

    /// Whether the collection contains at least one of the elements.
    public func containsAny<Values: Sequence>(in collection: Values) -> Query<Bool>
    where Values.Element == T.Element { isIn(collection) }

    /// Whether any element equals the value.
    public static func == (lhs: Query, rhs: T.Element) -> Query<Bool> {
        Query<Bool>(lhs.form.compared(.equal, PredicateConstant(rhs)))
    }
    /// Whether any element differs from the value.
    public static func != (lhs: Query, rhs: T.Element) -> Query<Bool> {
        Query<Bool>(lhs.form.compared(.notEqual, PredicateConstant(rhs)))
    }
}

extension Query where T: RealmCollection, T.Element: Comparable {
    /// Whether all elements lie in the range, the upper bound excluded; false if there are none.
    public func contains(_ range: Range<T.Element>) -> Query<Bool> {
        Query<Bool>(form.allBetween(range.lowerBound, range.upperBound, includesUpper: false))
    }

    /// Whether all elements lie in the range, the upper bound included; false if there are none.
    public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
        Query<Bool>(form.allBetween(range.lowerBound, range.upperBound, includesUpper: true))
    }
}

extension Query
where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
    /// Whether all elements that are not nil lie in the range, the upper bound excluded; false
    /// if there are none.
    public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> {
        Query<Bool>(form.allBetween(range.lowerBound, range.upperBound, includesUpper: false))
    }

    /// Whether all elements that are not nil lie in the range, the upper bound included; false
    /// if there are none.
    public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> {
        Query<Bool>(form.allBetween(range.lowerBound, range.upperBound, includesUpper: true))
    }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
    /// Whether any element is greater than the value.
    public static func > (lhs: Query, rhs: T.Element) -> Query<Bool> {
        Query<Bool>(lhs.form.compared(.greater, PredicateConstant(rhs)))
    }
    /// Whether any element is at least the value.
    public static func >= (lhs: Query, rhs: T.Element) -> Query<Bool> {
        Query<Bool>(lhs.form.compared(.greaterOrEqual, PredicateConstant(rhs)))
    }
    /// Whether any element is less than the value.
    public static func < (lhs: Query, rhs: T.Element) -> Query<Bool> {
        Query<Bool>(lhs.form.compared(.less, PredicateConstant(rhs)))
    }
    /// Whether any element is at most the value.
    public static func <= (lhs: Query, rhs: T.Element) -> Query<Bool> {
        Query<Bool>(lhs.form.compared(.lessOrEqual, PredicateConstant(rhs)))
    }

    /// The least element; nil without elements.
    public var min: Query<T.Element> { Query<T.Element>(form.aggregated(.min)) }
    /// The greatest element; nil without elements.
    public var max: Query<T.Element> { Query<T.Element>(form.aggregated(.max)) }
    /// The mean of the elements; nil without elements.
    public var avg: Query<T.Element> { Query<T.Element>(form.aggregated(.avg)) }
    /// The sum of the elements; 0 without elements.
    public var sum: Query<T.Element> { Query<T.Element>(form.aggregated(.sum)) }
}

extension QueryForm {
    /// Whether a collection contains an element.
    func contains(_ element: PredicateConstant) -> Query<Bool> {
        Query<Bool>(
            .condition(
                .comparison(
                    PredicateComparison(
                        left: PredicateExpression(element), operation: .isIn, right: expression)),
                depth: depth))
    }
}

// MARK: - Aggregates of what is behind a collection

extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
    /// The least value of the property among the objects of the collection before it:
    /// `$0.dogs.age.min`; nil without values.
    public var min: Query { Query(form.aggregated(.min)) }
    /// The greatest value of the property among the objects of the collection before it; nil
    /// without values.
    public var max: Query { Query(form.aggregated(.max)) }
    /// The mean of the property over the objects of the collection before it; nil without values.
    public var avg: Query { Query(form.aggregated(.avg)) }
    /// The sum of the property over the objects of the collection before it; 0 without values.
    public var sum: Query { Query(form.aggregated(.sum)) }
}

// MARK: - Subqueries

extension Query where T == Bool {
    /// The number of elements of a collection that satisfy the condition:
    /// `($0.dogs.age > 5 && $0.dogs.name == "Rex").count > 1`.
    ///
    /// Unlike in other conditions on collections, all parts are about the same element. The
    /// condition names one collection. It may
    /// - compare its elements with properties of the query's object:
    ///   `($0.dogs.name == $0.name).count`;
    /// - compare them with an aggregate of all elements:
    ///   `($0.dogs.age == $0.dogs.age.max).count`;
    /// - count the elements of a collection inside of it:
    ///   `(($0.people.dogs.age > 5).count > 1).count`.
    ///
    /// An inner subquery that names no further collection counts the same one again:
    /// `($0.dogs.age > 5 && ($0.dogs.age < 2).count > 0).count`.
    public var count: Query<Int> {
        Query<Int>(.count(of: form.condition, depth: QueryForm.depth(around: form.depth)))
    }
}
