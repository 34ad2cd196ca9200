import Foundation
import FreeholdStorage

/// The limits of a file's catalog.
enum SchemaLimits {
    /// Rejects classes that do not fit, before anything is changed.
    ///
    /// - Parameters:
    ///   - classes: The declared classes, one for each table.
    ///   - catalog: The file's catalog.
    ///   - isMigrating: Whether existing properties may get new columns.
    /// - Throws: `schemaMismatch`, with all problems.
    static func check(
        _ classes: [ClassSchema], in catalog: Catalog, isMigrating: Bool, path: String
    ) throws(Realm.Error) {
        var problems: [String] = []
        for declared in classes {
            for name in [declared.tableName] + declared.properties.map(\.columnName)
            where name.utf8.count > Catalog.longestName {
                problems.append(
                    """
                    The name '\(name.prefix(40))...' has \(name.utf8.count) bytes. A name \
                    has at most \(Catalog.longestName).
                    """)
            }
            if TableDefinition.isInternal(declared.tableName) {
                problems.append(
                    """
                    The name '\(declared.tableName)' is not that of a class: names that begin with \
                    '\(TableDefinition.internalPrefix)' are kept for the file's own tables.
                    """)
            }
            let table = catalog[declared.tableName]
            let new = declared.properties.count { isMigrating || table?[$0.columnName] == nil }
            let given = table.map { Int($0.nextColumnID) - 1 } ?? 0
            if new > 0, given + new > TableDefinition.mostColumns {
                problems.append(
                    """
                    Class '\(declared.tableName)' had \(given) properties in this file and \
                    needs up to \(new) new ones. A class has at most \
                    \(TableDefinition.mostColumns), those that were removed included.
                    """)
            }
        }
        if problems.isEmpty { return }
        throw Realm.Error(
            .schemaMismatch, problems.joined(separator: "\n"), fileURL: URL(fileURLWithPath: path))
    }
}
