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

    /// The names of the declared classes' properties in the file, by those of the classes.
    package func declaredColumns() throws -> [String: Set<String>] {
        let classes = try SchemaSet.resolve(objectTypes).classOfEachTable
        return Dictionary(
            classes.map { ($0.tableName, Set($0.properties.map(\.columnName))) },
            uniquingKeysWith: { $0.union($1) })
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
    ///
    /// - Throws: ``Realm/Error`` with `valueTooLarge`, as a write does: the commit may reach this
    ///   file, and others, only after it is in the log.
    package func sharedCommit() throws -> SharedCommit? {
        core.checkConfinement("Draft.sharedCommit()")
        let edits = core.savepoint()
        edits.increments = core.draft?.increments.ofRows ?? [:]
        edits.author = core.draft?.author
        let path = core.store.path
        try mappingStorageErrors(edits.checkValueLengths(path: path))
        let captured = try mappingStorageErrors(SharedCapture(edits).capture(path: path))
        guard let commit = captured?.commit else { return nil }
        let limit = edits.layout.longestSharedCommit
        _ = try mappingStorageErrors(commit.encoded(upTo: limit, path: path))
        return commit
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
