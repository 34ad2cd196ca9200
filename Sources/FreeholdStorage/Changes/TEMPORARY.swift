package final class VersionDifference: Sendable {
    package let old: Snapshot, new: Snapshot
    package init(from old: Snapshot, to new: Snapshot) throws(StorageError) { self.old = old; self.new = new }
    package var changedTables: Set<TableID> { [] }
    package func changes(of table: TableID) -> TableChanges { TableChanges(deletions: [], insertions: [], modifications: [:]) }
    package func isChanged(_ column: ColumnID, of row: RowKey, in table: TableID) -> Bool { false }
}
package struct TableChanges: Sendable {
    package let deletions: ContiguousArray<Int64>
    package let insertions: ContiguousArray<Int64>
    package let modifications: [ColumnID: ContiguousArray<Int64>]
    package var isEmpty: Bool { true }
    package func modifiedRows(in columns: Set<ColumnID>?) -> ContiguousArray<Int64> { [] }
    package func isModified(_ key: Int64, in columns: Set<ColumnID>?) -> Bool { false }
}
package final class CommitWatch: Sendable { package func stop() {} }
extension Store {
    package func watchCommits(_ heard: @escaping @Sendable () -> Void) -> CommitWatch { CommitWatch() }
    package func onCommit(_ call: @escaping @Sendable () -> Void) {}
}
