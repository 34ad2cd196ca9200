import FreeholdStorage

/// A change of one object, as the history has it.
///
/// Thread rule: a plain value; use it anywhere, but for ``object(in:)``.
public struct HistoryChange: Sendable {
    /// What happened to the object.
    public enum Kind: Sendable {
        /// The transaction added it.
        case inserted
        /// The transaction changed these properties, in the order in which the file got them.
        case updated(properties: [String])
        /// The transaction deleted it. Has the values that the object had of properties declared
        /// with `@Persisted(preservedInHistory: true)`, and of all where values are kept.
        case deleted(tombstone: [String: HistoryValue])
    }

    private let table: HistoryTableReader
    /// The place among the table's changes.
    private let index: Int
    private let row: Int64
    private let step: Step

    enum Step: Sendable {
        case deleted
        case inserted
        case updated([Int])
    }

    init(_ table: HistoryTableReader, at index: Int, row: Int64, _ step: Step) {
        self.table = table
        self.index = index
        self.row = row
        self.step = step
    }

    /// The name of the object's class: of this program's class where it has one for the data,
    /// otherwise as the transaction knew it.
    public var className: String { table.className }

    /// What happened.
    public var kind: Kind {
        switch step {
        case .inserted: .inserted
        case .updated(let columns): .updated(properties: columns.map { table.propertyNames[$0] })
        case .deleted: .deleted(tombstone: table.values(table.changes.deletedValues, at: index))
        }
    }

    /// Whether the transaction added the object.
    public var isInsertion: Bool { if case .inserted = step { true } else { false } }

    /// Whether the transaction deleted the object.
    public var isDeletion: Bool { if case .deleted = step { true } else { false } }

    /// The object: its class, its primary key and its row.
    public var object: HistoryObject {
        HistoryObject(className: table.className, primaryKey: primaryKey, row: row)
    }

    /// The object's primary key; nil if its class has none.
    public var primaryKey: HistoryValue? { table.primaryKey(of: row, at: index) }

    /// The object that an embedded object belongs to, or belonged to; nil for others. Its own
    /// change is recorded only if it was changed itself.
    public var owner: HistoryObject? { table.owner(at: index) }

    /// The values before the transaction, by property: of the changed properties of an updated
    /// object, and of all properties of a deleted one. Empty where values are not kept.
    public var oldValues: [String: HistoryValue] {
        switch step {
        case .inserted: [:]
        case .deleted: table.values(table.changes.deletedValues, at: index)
        case .updated(let columns):
            table.cells(columns, of: row) { ($0.oldColumn ?? $0.column, $0.old) }
        }
    }

    /// The values after the transaction, by property: of the changed properties of an updated
    /// object, and of all properties of an added one. Empty where values are not kept.
    public var newValues: [String: HistoryValue] {
        switch step {
        case .inserted:
            table.values(table.changes.insertedValues, at: index - table.changes.deleted.count)
        case .deleted: [:]
        case .updated(let columns): table.cells(columns, of: row) { ($0.column, $0.new) }
        }
    }

    /// The object in a realm, if it is there and the realm has its class. O(log n).
    ///
    /// Thread rule: that of the realm.
    public func object(in realm: Realm) -> DynamicObject? {
        found(in: realm)?.dynamic
    }

    /// The object in a realm as one of a class; nil if it is gone, or of another class.
    ///
    /// Thread rule: that of the realm.
    public func object<Element: Object>(ofType type: Element.Type, in realm: Realm) -> Element? {
        guard className == type.className() else { return nil }
        return found(in: realm) as? Element
    }

    private func found(in realm: Realm) -> ObjectBase? {
        let core = realm.core
        core.checkConfinement("HistoryChange.object(in:)")
        guard let bound = core.schema[className] else { return nil }
        let binding = core.binding(for: bound.schema.type)
        if let primaryKey {
            // The class may have got another primary key since.
            guard binding.schema.primaryKey != nil,
                let key = try? binding.indexKey(ofPrimaryKeyValue: primaryKey.plain)
            else { return nil }
            return core.object(binding, forPrimaryKey: key)
        }
        return binding.usesPrimaryKeyAsRowKey ? nil : core.accessor(row, of: binding)
    }
}

/// What the changes of one table share.
final class HistoryTableReader: Sendable {
    let changes: HistoryEntry.Table
    let className: String
    let propertyNames: [String]
    private let targets: [TableID: HistoryEntry.Target]
    private let names: HistoryNames

    init(
        _ changes: HistoryEntry.Table, _ targets: [TableID: HistoryEntry.Target],
        _ names: HistoryNames
    ) {
        self.changes = changes
        self.targets = targets
        self.names = names
        className = names.className(changes.name)
        propertyNames = names.propertyNames(changes)
    }

    func primaryKey(of row: Int64, at index: Int) -> HistoryValue? {
        if changes.usesPrimaryKeyAsRowKey { return .int(Int(row)) }
        guard let column = changes.primaryKey else { return nil }
        return value(changes.primaryKeys[index], column)
    }

    func owner(at index: Int) -> HistoryObject? {
        guard changes.isOwned, let owner = changes.owners[index] else { return nil }
        return object(LinkTarget(table: owner.table, key: owner.row))
    }

    func values(_ columns: [HistoryEntry.Values], at index: Int) -> [String: HistoryValue] {
        Dictionary(
            columns.map { (propertyNames[$0.column], value($0.values[index], $0.column)) },
            uniquingKeysWith: { first, _ in first })
    }

    func cells(
        _ columns: [Int], of row: Int64,
        _ side: (HistoryEntry.Cells) -> (column: Int, values: ContiguousArray<StoredValue>)
    ) -> [String: HistoryValue] {
        var found: [String: HistoryValue] = [:]
        for cells in changes.modified where columns.contains(cells.column) {
            let (column, values) = side(cells)
            if values.isEmpty { continue }
            guard let place = cells.keys.place(of: row) else { continue }
            found[propertyNames[cells.column]] = value(values[place], column)
        }
        return found
    }

    private func value(_ value: StoredValue, _ column: Int) -> HistoryValue {
        HistoryValue(value, changes.columns[column].definition, naming: object)
    }

    private func object(_ link: LinkTarget) -> HistoryObject {
        guard let target = targets[link.table] else {
            return HistoryObject(className: "", primaryKey: nil, row: link.key)
        }
        let key: HistoryValue? =
            if target.usesPrimaryKeyAsRowKey { .int(Int(link.key)) } else {
                switch target.primaryKeys[link.key] {
                case .plain(let plain): HistoryValue(primaryKey: plain)
                default: nil
                }
            }
        return HistoryObject(
            className: names.className(target.name), primaryKey: key, row: link.key)
    }
}
