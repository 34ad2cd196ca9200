/// Text that matches a full-text query.
final class FullTextPredicate: TextPredicate {
    private let query: FullTextQuery
    private let matcher: FullTextMatcher

    init(table: TableView, column: ColumnID, query: FullTextQuery) {
        self.query = query
        matcher = FullTextMatcher(query)
        super.init(table: table, column: column, folding: nil, isInverted: false, rowCost: 2000)
    }

    override func test(_ bytes: UnsafeRawBufferPointer) -> Bool { matcher.matches(bytes) }

    override func access() -> AccessPath? {
        guard query.isListed, table.fullTextIndex(of: column) != nil else { return nil }
        return .words(column, query)
    }

    override var summary: String { "\(name(of: column)) has \(query)" }
}
