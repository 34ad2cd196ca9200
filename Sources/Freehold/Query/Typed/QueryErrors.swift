/// The errors of a query expression that need no class to be found.
enum QueryErrors {
    static let valueInsteadOfCondition = QueryError(
        "Predicate expressions must compare a keypath and another keypath or a constant value",
        remedy: "The closure gave a value. Compare it with something.")

    static let orderOfConditions = QueryError(
        "Predicate expressions must compare a keypath and another keypath or a constant value",
        remedy: "Conditions can be compared with == and != only.")

    static let subqueryWithoutCollection = QueryError(
        "Subqueries must contain a keypath starting with a collection.",
        remedy:
            "'(condition).count' counts the elements of the collection that the condition names.")

    static let subqueryOfSeveral = QueryError(
        "Subqueries must contain a keypath starting with a collection.",
        remedy: """
            The condition names several collections. Count the elements of one collection \
            for each subquery.
            """)

    static let subqueryWithKey = QueryError(
        "Subqueries do not support map subscripts.",
        remedy: "Take the condition on the map's key out of the subquery.")

    static let subqueryInsideOfAny = QueryError(
        "Subqueries do not support AnyRealmValue subscripts.",
        remedy: "Take the condition on what is inside of the value out of the subquery.")

    static func notPersisted(_ keyPath: AnyKeyPath) -> QueryError {
        QueryError(
            "Key path '\(keyPath)' does not lead to a persisted property",
            remedy: """
                Only persisted properties can be queried: mark it with @Persisted, or \
                filter a Swift array.
                """)
    }
}

/// Whether a property of a type has several values.
func isCollection(_ type: Any.Type) -> Bool {
    type is any RealmCollection.Type || type is any RealmKeyedCollection.Type
}
