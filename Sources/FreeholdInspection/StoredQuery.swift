package import Freehold
package import FreeholdStorage

/// A query in a text, on one class of a file: `name BEGINSWITH "A" SORT(age DESC) LIMIT(20)`.
///
/// Confined like its realm.
package struct StoredQuery {
    package let className: String
    package let table: TableID
    package let results: Results<DynamicObject>
    private let snapshot: Snapshot

    /// Above this number of matches, a query without an order visits rows without making a list
    /// of their keys first.
    private static let mostKeys = 500_000

    /// - Parameters:
    ///   - text: A condition with clauses, or clauses alone; all objects if it is empty.
    /// - Throws: ``RealmPredicateError``, which shows the text with a caret under the mistake;
    ///   ``InspectionError`` without such a class.
    package init(_ text: String, of className: String, in realm: Realm) throws {
        let snapshot = realm.storedSnapshot
        let definition = try snapshot.catalog.inspected(className)
        self.className = className
        table = definition.id
        self.snapshot = snapshot
        let predicate = try StoredQuery.predicate(text)
        results = try realm.dynamicObjects(className, matching: predicate)
    }

    /// Parses a query. Clauses may stand alone.
    package static func predicate(_ text: String) throws(RealmPredicateError) -> RealmPredicate {
        let trimmed = text.drop { $0.isWhitespace }
        if trimmed.isEmpty { return RealmPredicate(value: true) }
        let first = trimmed.prefix { $0.isLetter }.uppercased()
        guard ["SORT", "DISTINCT", "LIMIT"].contains(first),
            trimmed.dropFirst(first.count).drop(while: \.isWhitespace).first == "("
        else { return try RealmPredicate(parsing: text) }
        return try RealmPredicate(parsing: "TRUEPREDICATE " + trimmed)
    }

    /// How the objects are found.
    ///
    /// - Parameter running: Whether to run it, for the numbers of rows found.
    package func plan(running: Bool) -> QueryPlan { results.explain(running: running) }

    package var count: Int { results.count }

    /// Calls `body` with each row, in order, until it returns false.
    ///
    /// Constant memory without SORT, DISTINCT and LIMIT; with them, 8 bytes for each match.
    package func forEach(
        options: RowEncoder.Options, _ body: (RowWalk.Row, inout RowEncoder) throws -> Bool
    ) throws {
        let walk = RowWalk(snapshot, table, options: options)
        guard let predicate = results.scanPredicate else {
            return try walk.forEach(keys: results.rowKeys, body)
        }
        if case .all = predicate { return try walk.forEach(.all, body) }
        if results.count > Self.mostKeys { return try walk.forEach(predicate, body) }
        try walk.forEach(keys: results.rowKeys, body)
    }
}
