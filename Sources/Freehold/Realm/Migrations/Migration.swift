import Foundation
import FreeholdStorage

/// A file that moves to another version of the program's classes: what a ``MigrationBlock``
/// works on.
///
/// ```swift
/// let configuration = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, oldVersion in
///     if oldVersion < 2 {
///         migration.enumerateObjects(ofType: "Person") { old, new in
///             new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
///         }
///     }
/// })
/// ```
///
/// Properties were added, removed and converted before the block runs, so new objects have what
/// could be converted already. Old objects are of the file as it was, with all of its
/// properties, and can only be read. New objects are read and written, created and deleted as
/// in a write transaction; primary keys can be set, too, and have to be different when the
/// block has ended.
///
/// Functions that take the name of a class know the program's classes by their own names and by
/// those that they have in the file, and others by the latter.
///
/// What Realm throws as an exception (a property that cannot be renamed) is thrown by the
/// opening of the realm after the block has ended, and nothing of the migration remains.
///
/// Thread rule: only in the block, on its thread. Using a migration or its objects later traps.
public final class Migration {
    let run: SchemaMigration
    /// The file as it was. Ended with the migration.
    let old: RealmCore
    /// The file as it is becoming. Another one after each ``renameProperty(onType:from:to:)``:
    /// then properties are in other columns.
    private(set) var new: RealmCore
    /// The first thing that went wrong and that a function could not throw.
    private(set) var failure: (any Swift.Error)?
    private var isActive = true
    /// Columns that were renamed to something that the new classes do not have; they are to be
    /// renamed again.
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

    /// The classes of the file as it was, those that are not declared any more included.
    /// Properties have the names that they have in the file; the classes are ``DynamicObject``.
    public private(set) lazy var oldSchema = Schema(old.schema.set.classes)

    /// The classes that the program declares.
    public private(set) lazy var newSchema = Schema(run.set.classes)

    func check(_ operation: String) {
        if !isActive {
            violation(
                .misuse(
                    text: "Object has been deleted or invalidated.",
                    remedy:
                        """
                        \(operation) was called after the migration block had ended. Do \
                        everything inside of the block, and keep neither the migration nor \
                        its objects.
                        """
                ))
        }
        new.checkConfinement(operation)
    }

    /// Remembers what a function cannot throw; the first one counts.
    func fail(_ message: String) {
        fail(Realm.Error(.schemaMismatch, message, fileURL: URL(fileURLWithPath: run.store.path)))
    }

    private func fail(_ error: any Swift.Error) { if failure == nil { failure = error } }

    /// Ends the use of everything that was handed out.
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
    /// Gives the values of a property of the old class to a property of the new one. Links,
    /// indexes and everything else move along.
    ///
    /// ```swift
    /// migration.renameProperty(onType: "Person", from: "yearsOld", to: "age")
    /// ```
    ///
    /// O(1), however many objects there are; O(objects) where the new property can be nil and
    /// the old one could not. Call it outside of ``enumerateObjects(ofType:_:)``: new objects
    /// that were handed out before are invalid afterwards.
    ///
    /// A property that the new class lacks may be a step on the way: it has to be renamed again
    /// before the block ends.
    ///
    /// - Parameters:
    ///   - typeName: The class.
    ///   - oldName: The property's name in the old class, or what it was renamed to before in
    ///     this block. The new class must not have it any more.
    ///   - newName: The property's name in the new class. What it had got already is lost.
    ///
    /// Where that cannot be done, because a property does not exist or has another type,
    /// opening the realm throws ``Realm/Error/Code/schemaMismatch`` after the block.
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
                """
            )
        }
        let title = "Cannot rename property '\(typeName).\(oldName)'"
        if declared.properties.contains(where: { $0.name == oldName || $0.columnName == oldName }) {
            return fail("\(title) to '\(newName)' because the source property still exists.")
        }
        let step = intermediate.firstIndex { $0.table == table.id && $0.name == oldName }
        guard
            let source = step.map({ intermediate[$0].column })
                ?? run.writeSet.retiredColumn(named: oldName, of: table.id)
        else {
            return fail("\(title) because it does not exist.")
        }
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
                """
            )
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
