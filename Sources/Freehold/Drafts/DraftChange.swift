import FreeholdStorage

/// What a draft did to one object: a copy, which any thread may use and which can be encoded.
public struct DraftChange: Sendable, Hashable, Codable {
    /// What happened to the object.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The draft added it.
        case added
        /// The draft changed some of its properties.
        case changed
        /// The draft deleted it.
        case deleted
    }

    /// One property with another value.
    public struct Property: Sendable, Hashable, Codable {
        /// The property's name.
        public let name: String
        /// The value in the draft's base; nil for an added object.
        public let old: DraftValue?
        /// The value in the draft; nil for a deleted object.
        public let new: DraftValue?
    }

    /// The object.
    public let object: DraftObject
    /// What happened to it.
    public let kind: Kind
    /// The changed properties, in the order of their declaration; of an added or deleted object
    /// all that have a value.
    public let properties: [Property]
}

extension DraftChange: CustomStringConvertible {
    /// One line for the object, and one for each property: `name: "Ada" -> "Eve"`.
    public var description: String {
        let lines = properties.map { property in
            let old = property.old.map { "\($0)" }
            let new = property.new.map { "\($0)" }
            return "  \(property.name): " + [old, new].compactMap { $0 }.joined(separator: " -> ")
        }
        return (["\(kind.rawValue) \(object)"] + lines).joined(separator: "\n")
    }
}

extension Draft {
    /// Whether the draft differs from what it began with. After an edit O(changes), else O(1).
    public var hasChanges: Bool {
        core.checkConfinement("Draft.hasChanges")
        return core.hasDraftChanges
    }

    /// What the draft changed, by objects: in the order of the classes' names, then of rows.
    /// Values that were changed and changed back are left out. Empty after ``discard()``.
    /// O(changes).
    public var changes: [DraftChange] {
        core.checkConfinement("Draft.changes")
        return core.draft?.isOver == true ? [] : core.draftChanges
    }
}

extension RealmCore {
    fileprivate var hasDraftChanges: Bool {
        do throws(StorageError) {
            return try findDraftChanges()
        } catch {
            violation(.storageFailed(self, operation: "Comparing a draft with its base", error))
        }
    }

    /// Whether a draft differs from its base: not if all was changed back. O(1) if nothing was
    /// edited since the last call, else it reads edits up to the first difference.
    func findDraftChanges() throws(StorageError) -> Bool {
        guard let draft, let writeSet else { return false }
        if draft.parentEdits == nil, !writeSet.hasChanges { return false }
        let moment = ResultsState.Moment(gate.pointee)
        if let known = draft.knownChanges, known.moment == moment { return known.hasAny }
        let hasAny = try VersionDifference(from: draftBase, to: savepoint()).hasChangedValues
        // The savepoint is another moment, with the same edits.
        draft.knownChanges = (ResultsState.Moment(gate.pointee), hasAny)
        return hasAny
    }

    /// The difference between the draft and its base.
    private var changeSet: ChangeSet {
        do throws(StorageError) {
            return ChangeSet(try VersionDifference(from: draftBase, to: savepoint()))
        } catch {
            violation(.storageFailed(self, operation: "Comparing a draft with its base", error))
        }
    }

    fileprivate var draftChanges: [DraftChange] {
        let (base, changes) = (draftBase, changeSet)
        let edits = savepoint()
        let names = ConflictReport(self, base: base, mine: edits, theirs: edits)
        var found: [DraftChange] = []
        for (id, table) in changes.tables.sorted(by: {
            $0.value.definition.name < $1.value.definition.name
        }) {
            let reader = ChangedRows(self, id, table, names, base, edits)
            found += reader.changes
        }
        return found
    }
}

/// The changes of one table as ``DraftChange``s.
private struct ChangedRows {
    let core: RealmCore
    let id: TableID
    let table: ChangeSet.Table
    let names: ConflictReport
    let base: TableSource
    let edits: TableSource

    init(
        _ core: RealmCore, _ id: TableID, _ table: ChangeSet.Table, _ names: ConflictReport,
        _ base: TableSource, _ edits: TableSource
    ) {
        self.core = core
        self.id = id
        self.table = table
        self.names = names
        self.base = base
        self.edits = edits
    }

    private var columns: [(name: String, definition: ColumnDefinition)] {
        if let bound = core.schema[id] {
            return zip(bound.schema.properties, bound.columns).compactMap { property, column in
                table.definition[column].map { (property.name, $0) }
            }
        }
        return table.definition.columns.map { ($0.name, $0) }
    }

    var changes: [DraftChange] {
        let columns = columns
        var rows: [Int64: DraftChange.Kind] = [:]
        for key in table.inserted.keys { rows[key] = .added }
        for key in table.deleted.keys { rows[key] = .deleted }
        for cells in table.columns.values { for key in cells.rows { rows[key] = .changed } }
        return rows.sorted { $0.key < $1.key }.map { key, kind in
            DraftChange(
                object: names.name(LinkTarget(table: id, key: key)), kind: kind,
                properties: columns.compactMap { name, column in
                    property(name, column, of: key, kind)
                })
        }
    }

    private func property(
        _ name: String, _ column: ColumnDefinition, of key: Int64, _ kind: DraftChange.Kind
    ) -> DraftChange.Property? {
        if kind == .changed, table.columns[column.id]?[key] == nil { return nil }
        let old = kind == .added ? nil : value(column, of: key, in: base)
        let new = kind == .deleted ? nil : value(column, of: key, in: edits)
        if kind != .changed, [old, new].allSatisfy({ $0.map(\.isNothing) ?? true }) { return nil }
        return DraftChange.Property(name: name, old: old, new: new)
    }

    private func value(_ column: ColumnDefinition, of key: Int64, in source: TableSource)
        -> DraftValue?
    {
        let view = source.table(id)
        guard let (cluster, row) = view.locate(RowKey(rawValue: key)) else { return nil }
        return DraftValue(StoredValue(column, cluster, row: row, of: view), column) {
            names.name($0)
        }
    }
}

extension DraftValue {
    fileprivate var isNothing: Bool {
        switch self {
        case .none: true
        case .list(let values), .set(let values): values.isEmpty
        case .map(let values): values.isEmpty
        default: false
        }
    }
}
