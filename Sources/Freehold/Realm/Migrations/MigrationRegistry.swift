import Foundation
import FreeholdStorage

/// The files that threads of this process are migrating. A block that opens its own file would
/// wait for itself.
enum MigrationRegistry {
    private struct Entry: Hashable {
        let store: ObjectIdentifier
        let thread: UInt64
    }

    private static let running = Locked<Set<Entry>>(processWide: [])

    /// Runs a migration of a file's classes. Throws at once if called inside itself.
    static func withMigration<Result>(of store: Store, _ body: () throws -> Result) throws -> Result
    {
        let entry = Entry(store: ObjectIdentifier(store), thread: ThreadIdentity.current.number)
        guard running.withLock({ $0.insert(entry).inserted }) else {
            throw Realm.Error(
                .alreadyOpen,
                """
                Realm at path '\(store.path)' is being migrated by this thread: use the \
                functions of the Migration inside of the block, and open the realm when it \
                has ended.
                """, fileURL: URL(fileURLWithPath: store.path))
        }
        defer { running.withLock { _ = $0.remove(entry) } }
        return try body()
    }
}
