import Foundation
import FreeholdStorage

/// The migration of a file to another version of the program's classes, passed to a
/// ``MigrationBlock``.
///
/// ```swift
/// let configuration = Realm.Configuration(
///     schemaVersion: 2,
///     migrationBlock: { migration, oldVersion in
///         if oldVersion < 2 {
///             migration.enumerateObjects(ofType: "Person") { old, new in
///                 new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
///             }
///         }
///     })
/// ```
///
/// Properties are added, removed and converted before the block runs, so new objects already
/// have the values that could be converted. Old objects have all properties of the old version
/// and are read-only. New objects can be read, written, created and deleted as in a write
/// transaction. Primary keys can be set, too, and must be unique when the block ends.
///
/// Functions that take a class name accept the program's name or the file's name of a declared
/// class, and the file's name of any other class.
///
/// Where Realm raises an exception (a property cannot be renamed), opening the realm throws
/// after the block ends, and the whole migration is undone.
///
/// Thread rule: only inside the block, on its thread. Using a migration or its objects later
/// traps.
public final class Migration {
    let run: SchemaMigration
    /// The old version of the file. Valid until the migration ends.
    let old: RealmCore
    /// The new version of the file. Replaced after each ``renameProperty(onType:from:to:)``,
    /// which moves properties to other columns.
    private(set) var new: RealmCore
    /// The first error of a function that cannot throw.
    private(set) var failure: (any Swift.Error)?
    private var isActive = true
    /// Columns that were renamed to a name that the new classes lack. They must be renamed
    /// again.
    private var intermediate: [IntermediateColumn] = []

    struct IntermediateColumn {
        let className: String
        var name: String
        let table: TableID
        let column: ColumnDefinition
    }

    init(_ run: SchemaMigration) {
        self.run = run
        let stored = run.writeSet.base
        old = RealmCore(
            coordinator: run.coordinator, confinement: run.confinement,
            configuration: run.configuration,
            schema: BoundSchema(SchemaSet(storedIn: stored.catalog), in: stored.catalog),
            snapshot: stored)
        new = run.makeCore()
    }

    /// The classes of the old version, including those that are not declared any more.
    /// Properties have their names in the file; the classes are ``DynamicObject``.
    public private(set) lazy var oldSchema = Schema(old.schema.set.classes)

    /// The classes that the program declares.
    public private(set) lazy var newSchema = Schema(run.set.classes)

    func check(_ operation: String) {
        if !isActive {
            misuse(
                "Object has been deleted or invalidated.",
                remedy: """
                    \(operation) was called after the migration block had ended. Do \
                    everything inside of the block, and keep neither the migration nor \
                    its objects.
                    """)
        }
        new.checkConfinement(operation)
    }

    /// Records an error that a function cannot throw. Only the first is kept.
    func fail(_ message: String) {
        fail(Realm.Error(.schemaMismatch, message, fileURL: URL(fileURLWithPath: run.store.path)))
    }

    private func fail(_ error: any Swift.Error) { if failure == nil { failure = error } }

    /// Invalidates everything that the block received.
    func end() {
        isActive = false
        new.endMigrating()
        old.invalidate()
        for column in intermediate {
            fail("Renamed property '\(column.className).\(column.name)' does not exist.")
        }
    }
}

@available(*, unavailable, message: "A migration belongs to the block that it was given to.")
extension Migration: Sendable {}

// MARK: - Renaming

extension Migration {
    /// Moves the values of an old property to a property of the new class, with its links and
    /// indexes.
    ///
    /// ```swift
    /// migration.renameProperty(onType: "Person", from: "yearsOld", to: "age")
    /// ```
    ///
    /// O(1), regardless of the number of objects; O(objects) if the new property can be nil and
    /// the old one could not. Call it outside of ``enumerateObjects(ofType:_:)``: it invalidates
    /// new objects that the block has received.
    ///
    /// The new name may be one that the new class lacks, as an intermediate step. The property
    /// must then be renamed again before the block ends.
    ///
    /// - Parameters:
    ///   - typeName: The class.
    ///   - oldName: The property's name in the old class, or the name that this block has given
    ///     it. The new class must not have it any more.
    ///   - newName: The property's name in the new class. Its current values are lost.
    ///
    /// If a property does not exist or has another type, opening the realm throws
    /// ``Realm/Error/Code/schemaMismatch`` after the block.
    public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
        check("Migration.renameProperty")
        let declared = run.set.declared(typeName)
        guard let table = run.writeSet.base.catalog[declared?.tableName ?? typeName] else {
            return fail(
                "Cannot rename properties for type '\(typeName)' because it does not exist.")
        }
        guard let declared else {
            return fail(
                """
                Cannot rename properties for type '\(typeName)' because it has been \
                removed from the Realm.
                """)
        }
        let title = "Cannot rename property '\(typeName).\(oldName)'"
        if declared.properties.contains(where: { $0.name == oldName || $0.columnName == oldName }) {
            return fail("\(title) to '\(newName)' because the source property still exists.")
        }
        let step = intermediate.firstIndex { $0.table == table.id && $0.name == oldName }
        guard
            let source = step.map({ intermediate[$0].column })
                ?? run.writeSet.retiredColumn(named: oldName, of: table.id)
                ?? run.retireKeptColumn(named: oldName, of: table.id)
        else { return fail("\(title) because it does not exist.") }
        if let step { intermediate.remove(at: step) }
        guard
            let property = declared.properties.first(where: {
                $0.name == newName || $0.columnName == newName
            })
        else {
            intermediate.append(
                IntermediateColumn(
                    className: typeName, name: newName, table: table.id, column: source))
            return
        }
        let catalog = run.writeSet.catalog
        let oldType = source.typeName(in: run.writeSet.base.catalog)
        if oldType != property.typeName {
            return fail(
                """
                \(title) to '\(newName)' because it would change from type '\(oldType)' to \
                '\(property.typeName)'.
                """)
        }
        if source.isNullable, !property.isNullableColumn {
            return fail(
                "\(title) to '\(newName)' because it would change from optional to required.")
        }
        guard let target = catalog[table.id]?[property.columnName] else {
            preconditionFailure("All declared properties have columns.")
        }
        if source.isNullable != target.isNullable {
            var progress = MigrationProgressCounter(
                run.configuration, typeName, .converting(property: newName),
                total: run.writeSet.table(table.id).count)
            ColumnConversion(source, to: target, of: table.id)?.carryOut(
                in: run.writeSet, &progress)
            progress.finish()
            run.writeSet.noteMove(of: source.id, to: target.id, in: table.id)
            new.noteLayoutChanges()
            return
        }
        new.endMigrating()
        run.writeSet.retireColumn(target.id, of: table.id)
        run.writeSet.restoreColumn(source.id, of: table.id, named: property.columnName)
        run.setIndexes(of: property, source.id, table.id)
        new = run.makeCore()
    }
}
