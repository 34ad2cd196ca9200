import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Which column becomes the primary key of rows that are there.
@Suite struct PrimaryKeyTests {
    /// Rows without a value get their keys as values, but not where a value may be null: two
    /// rows of null are duplicates.
    @Test(arguments: [false, true]) func rowKeysAsValues(isNullable: Bool) throws {
        try withTemporaryStore { store in
            let table = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Items")
                let rows = writeSet.mutableTable(table)
                for _ in 0..<2 { _ = rows.insertRow(rows.nextRowKey()) }
                return table
            }.0
            let writeSet = try store.beginWrite()
            defer { store.cancel(writeSet) }
            let column = writeSet.addColumn(
                to: table, named: "id", type: .integer, isNullable: isNullable, isIndexed: false)
            let refusal = writeSet.adoptPrimaryKey(column, of: table, takesRowKeys: true)
            #expect(refusal == (isNullable ? .duplicates : nil))
        }
    }
}
