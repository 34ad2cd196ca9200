/// One file, opened: its environment, its newest snapshot and its writer. Shared by all realms of the process on that file.
package final class Store: @unchecked Sendable {
    package struct Options: Hashable, Sendable {
        package var path: String
        package var isReadOnly = false
        package var isTemporary = false          // in-memory realms
        package var rowsPerCluster = 500
        package init(path: String) { self.path = path }
    }
    package static func open(_ options: Options) throws(StorageError) -> Store { fatalError() }
    package var path: String { fatalError() }
    /// The newest version. Shares the snapshot that exists already for it.
    package func newestSnapshot() throws(StorageError) -> Snapshot { fatalError() }
    /// Whether a newer version than `snapshot` exists; may be late by one commit of another process.
    package func isNewest(_ snapshot: Snapshot) -> Bool { fatalError() }
    /// Waits for the write lock; first in, first out.
    package func beginWrite() throws(StorageError) -> WriteSet { fatalError() }
    /// Writes everything and syncs. Either all of it is durable, or the error is thrown and nothing is.
    package func commit(_ writeSet: WriteSet) throws(StorageError) -> Snapshot { fatalError() }
    package func cancel(_ writeSet: WriteSet) { fatalError() }
    package func check(_ snapshot: Snapshot) throws(StorageError) -> [String] { fatalError() }
}
extension Snapshot {
    /// The row of a primary key that is not the row key itself. One index lookup.
    package func rowKey(forPrimaryKey value: IndexKey, in table: TableID) throws(StorageError) -> RowKey? { fatalError() }
}
