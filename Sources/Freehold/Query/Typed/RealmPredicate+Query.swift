extension RealmPredicate {
    /// Makes a predicate of the condition of a typed query: a value that can be kept, combined,
    /// printed, compared and sent to other threads.
    ///
    /// ```swift
    /// let old = RealmPredicate(Dog.self) { $0.age > 10 && $0.owner.name != "Ann" }
    /// print(old)   // age > 10 AND owner.name != "Ann"
    /// let dogs = realm.objects(Dog.self).filter(old)
    /// ```
    ///
    /// Traps as `where` does, if the query cannot be expressed as a predicate.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - isIncluded: The query.
    public init<Element: RealmCollectionValue>(
        _ type: Element.Type, where isIncluded: (Query<Element>) -> Query<Bool>
    ) {
        let query = isIncluded(Query<Element>())
        self.init(
            node: unwrapQuery { () throws(QueryError) in try query.form.resolved(isPlain: true) })
    }

    /// Returns the position of the first of some values for which the predicate holds, without a
    /// realm. Traps if it names properties that they do not have, or has clauses.
    func firstIndex(in values: some Sequence<Any?>) -> Int? {
        checkHasNoClauses("index(matching:)")
        var position = 0
        for value in values {
            if unwrapQuery({ () throws(QueryError) in
                try PredicateEvaluation().holds(node, for: value)
            }) {
                return position
            }
            position += 1
        }
        return nil
    }
}
