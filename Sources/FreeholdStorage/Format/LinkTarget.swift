/// The target row of a link.
package struct LinkTarget: Hashable, Sendable {
    package let table: TableID
    package let key: Int64

    package init(table: TableID, key: Int64) {
        self.table = table
        self.key = key
    }
}
