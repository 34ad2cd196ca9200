import FreeholdStorage
import Observation

/// Tracks the properties of one realm's objects that are read under `withObservationTracking`,
/// and reports their changes to it.
///
/// Objects of `Observable` classes have a gate that never lets a read pass on the fast path
/// (``RealmCore/trackedGate``), so each of their reads is noted here. Objects of other classes
/// have no extra cost.
///
/// Confined with its realm, except where "any thread" is stated.
final class PropertyTracking: Observable, @unchecked Sendable {
    // @unchecked: the variables are confined; the notifier's thread uses only constants and
    // `trackedTables`.

    /// With more tracked properties than this, all count as changed at the next delivery. This
    /// discards properties that no view waits for any more.
    static let limit = 65_536

    /// The tables that a property of an observable class can depend on.
    let tables: Set<TableID>
    /// The tables whose rows are tracked. Protected by its lock.
    let trackedTables = Locked<Set<TableID>>([])
    /// Registered while anything is tracked.
    private(set) var observer: TrackingObserver?

    private let registrar = ObservationRegistrar()
    private let probe = TrackingProbe()
    private let probePath: KeyPath<PropertyTracking, Void>
    /// The tracked columns of each row. Computed properties are in `computed`.
    private var rows: [TableID: [Int64: Set<ColumnID>]] = [:]
    /// Tracked backlink properties, with the table and the position of the backlinks.
    private var computed: Set<TrackedProperty> = []
    private var computedPaths: [ComputedName: SharedPaths] = [:]
    private var count = 0
    /// Properties that were read together with uncommitted changes.
    private var provisional: Set<TrackedProperty> = []

    private struct ComputedName: Hashable {
        let declaring: ObjectIdentifier
        let index: Int
    }

    init(_ schema: BoundSchema) {
        let observable = schema.classes.filter { $0.schema.type is any Observable.Type }
        tables = observable.reduce(into: []) { tables, bound in
            tables.insert(bound.table)
            for links in bound.backlinks {
                if let origin = links.flatMap({ schema[$0.origin] }) { tables.insert(origin.table) }
            }
        }
        probePath = \PropertyTracking.[probe.property]
    }

    /// The subscript that key paths use to name properties.
    subscript(property: TrackedProperty) -> Void { () }

    // MARK: Reads

    /// Whether the caller is inside `withObservationTracking`.
    var isTracking: Bool { probe.isNoted { registrar.access(self, keyPath: probePath) } }

    /// Notes a tracked read.
    ///
    /// - Parameter isProvisional: Whether uncommitted changes are visible to the read.
    func noteRead(_ property: TrackedProperty, isProvisional: Bool) {
        registrar.access(self, keyPath: \PropertyTracking.[property])
        if isProvisional { provisional.insert(property) }
        if ComputedPosition(wrapper: property.column.position) != nil {
            if computed.insert(property).inserted { count += 1 }
        } else {
            if rows[property.table] == nil {
                trackedTables.withLock { _ = $0.insert(property.table) }
            }
            if rows[property.table, default: [:]][property.key, default: []].insert(property.column)
                .inserted
            {
                count += 1
            }
        }
    }

    /// Creates the observer for registration; nil if there already is one.
    func makeObserver() -> TrackingObserver? {
        if observer != nil { return nil }
        let made = TrackingObserver(self)
        observer = made
        return made
    }

    // MARK: Changes

    /// Reports the changes. Returns whether nothing is tracked any more, so that the observer
    /// can be removed.
    func deliver(_ context: ChangeContext) -> Bool {
        tell(count > Self.limit ? all : changed(in: context))
        if count == 0 { observer = nil }
        return observer == nil
    }

    /// Reports all tracked properties as changed.
    func tellAll() {
        observer = nil
        tell(all)
    }

    /// Reports properties whose uncommitted changes were undone.
    func tellProvisional() {
        let undone = provisional
        provisional = []
        tell(undone.filter(isTracked))
    }

    /// Reports all tracked properties of a draft whose rows got other keys.
    func tellMoved() { tell(all) }

    /// Reports a property that is about to change.
    func tellEdit(_ property: TrackedProperty) { if isTracked(property) { tell([property]) } }

    /// Called when uncommitted changes were committed.
    func forgetProvisional() { provisional = [] }

    private var all: [TrackedProperty] {
        rows.flatMap { table, rows in
            rows.flatMap { key, columns in
                columns.map { TrackedProperty(table: table, key: key, column: $0) }
            }
        } + computed
    }

    private func isTracked(_ property: TrackedProperty) -> Bool {
        computed.contains(property)
            || rows[property.table]?[property.key]?.contains(property.column) ?? false
    }

    private func tell(_ changed: [TrackedProperty]) {
        // Forgotten before the callbacks, which may track them again.
        for property in changed { forget(property) }
        for property in changed {
            let path = \PropertyTracking.[property]
            registrar.willSet(self, keyPath: path)
            registrar.didSet(self, keyPath: path)
        }
    }

    private func forget(_ property: TrackedProperty) {
        provisional.remove(property)
        if computed.remove(property) != nil {
            count -= 1
        } else if rows[property.table]?[property.key]?.remove(property.column) != nil {
            count -= 1
            if rows[property.table]?[property.key]?.isEmpty ?? false {
                rows[property.table]?[property.key] = nil
            }
            if rows[property.table]?.isEmpty ?? false {
                rows[property.table] = nil
                trackedTables.withLock { _ = $0.remove(property.table) }
            }
        }
    }

    // MARK: What changed

    private func changed(in context: ChangeContext) -> [TrackedProperty] {
        var changed: [TrackedProperty] = []
        for (table, rows) in rows where context.difference.changedTables.contains(table) {
            let changes = context.difference.changes(of: table)
            for key in affectedKeys(of: rows, changes) {
                guard let columns = rows[key] else { continue }
                let isDeleted = changes.deletions.containsSorted(key)
                for column in columns where isDeleted || changes.isModified(key, in: [column]) {
                    changed.append(TrackedProperty(table: table, key: key, column: column))
                }
            }
        }
        for property in computed where isComputedChanged(property, context) {
            changed.append(property)
        }
        return changed
    }

    /// The rows that may have changed: all tracked rows or all changed rows, whichever are
    /// fewer.
    private func affectedKeys(of rows: [Int64: Set<ColumnID>], _ changes: TableChanges) -> Set<
        Int64
    > {
        if rows.count <= changes.modificationCount + changes.deletions.count {
            return Set(rows.keys)
        }
        return changes.modifications.values.reduce(into: Set(changes.deletions)) {
            $0.formUnion($1)
        }
    }

    private func isComputedChanged(_ property: TrackedProperty, _ context: ChangeContext) -> Bool {
        if context.difference.changedTables.contains(property.table),
            context.difference.changes(of: property.table).deletions.containsSorted(property.key)
        {
            return true
        }
        guard let position = ComputedPosition(wrapper: property.column.position),
            let declaring = property.declaring,
            let paths = paths(to: position, of: declaring, in: context.new.schema)
        else { return false }
        return paths.changedRows(in: context).containsSorted(property.key)
    }

    /// The paths from the objects of a class to the objects that link to them.
    private func paths(
        to position: ComputedPosition, of declaring: ObjectIdentifier, in schema: BoundSchema
    ) -> SharedPaths? {
        let name = ComputedName(declaring: declaring, index: position.index)
        if let known = computedPaths[name] { return known }
        guard let bound = schema[declaring] else { return nil }
        // The name belongs to the class, so the path is valid.
        guard
            let paths = try? ObservedPaths(
                [bound.schema.computed[position.index].name], of: bound, in: schema)
        else { return nil }
        let made = SharedPaths(paths)
        computedPaths[name] = made
        return made
    }
}
