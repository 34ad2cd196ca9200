/// Reads one ordered index at one version.
///
/// Values are compared in their index encoding (``IndexKey``), whose byte order is the values' order; null comes first.
/// Row keys come in ascending order inside one value.
package struct IndexReader {
    package let transaction: ReadTransaction
    package let table: TableID
    package let column: ColumnID

    package init(transaction: ReadTransaction, table: TableID, column: ColumnID) {
        self.transaction = transaction
        self.table = table
        self.column = column
    }
}
