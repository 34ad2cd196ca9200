import Foundation
package import FreeholdStorage

// What FreeholdSharing needs of realms.

extension Realm.Configuration {
    /// The declared classes whose objects other machines could not find: the names of their tables,
    /// and whether realms assign their primary keys.
    package func classesWithoutSharedKey() throws -> [(name: String, isAutomatic: Bool)] {
        try SchemaSet.resolve(objectTypes).classOfEachTable.compactMap { declared in
            if declared.isEmbedded { return nil }
            guard let key = declared.primaryKeyProperty, !key.isNullableColumn else {
                return (declared.tableName, false)
            }
            return key.isAutoIncremented ? (declared.tableName, true) : nil
        }
    }
}

extension Realm {
    /// The file of the realm.
    package var sharedStore: Store { core.store }

    /// The names of the tables whose primary keys realms assign.
    package var classesWithAutomaticKeys: Set<String> {
        let tables = core.schema.tablesWithAutomaticKeys
        return Set(core.schema.catalog.tables.filter { tables.contains($0.id) }.map(\.name))
    }

    /// Calls a function after each commit of any process, until the result is released.
    package func onCommits(_ call: @escaping @Sendable () -> Void) -> CommitWaiter {
        CommitWaiter(core.coordinator, call)
    }
}

/// Keeps a file open, and a function called after its commits.
package final class CommitWaiter: Sendable {
    private let coordinator: RealmCoordinator
    private let number: UInt64

    init(_ coordinator: RealmCoordinator, _ call: @escaping @Sendable () -> Void) {
        self.coordinator = coordinator
        number = coordinator.notifier.addWaiter(call)
    }

    deinit { coordinator.notifier.removeWaiter(number) }
}

extension Realm.Configuration {
    /// The path of the file, and its key.
    package func sharedFile() throws -> (path: String, key: EncryptionKey?) {
        let options = try storeOptions()
        return (options.path, options.encryptionKey)
    }
}

extension Draft {
    /// What the draft would do to other machines' files; nil for nothing.
    package func sharedCommit() throws -> SharedCommit? {
        core.checkConfinement("Draft.sharedCommit()")
        let edits = core.savepoint()
        edits.increments = core.draft?.increments.ofRows ?? [:]
        edits.author = core.draft?.author
        return try mappingStorageErrors(SharedCapture(edits).capture()?.commit)
    }
}

extension Increments {
    /// By cells, as a write set notes them.
    var ofRows: [CellOfRow: Int64] {
        Dictionary(
            amounts.map { (CellOfRow(table: $0.table, row: $0.row, column: $0.column), $1) },
            uniquingKeysWith: { $1 })
    }
}
