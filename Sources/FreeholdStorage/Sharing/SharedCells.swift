/// Sets values of rows in a transaction, and no more than what differs: rows of embedded objects
/// and elements of collections stay where they are.
struct SharedCells {
    private let writeSet: WriteSet

    init(_ writeSet: WriteSet) { self.writeSet = writeSet }

    private var catalog: Catalog { writeSet.catalog }

    // MARK: Rows

    /// Adds a row with a primary key that fits, and initial values else.
    func addRow(_ object: SharedReference, in table: TableDefinition) -> Int64 {
        let rows = writeSet.mutableTable(table.id)
        guard let column = table.sharedKey, let key = table.keyValue(object.key) else {
            preconditionFailure("The applier knows that the key fits.")
        }
        if table.usesPrimaryKeyAsRowKey, case .integer(let number) = key {
            return rows.insertRow(RowKey(rawValue: number)).key.rawValue
        }
        let rowKey = rows.nextRowKey()
        rows.insertRow(rowKey).set(column.id, of: column.type, to: .plain(key))
        rows.notePrimaryKey(key.indexKey, of: rowKey)
        if case .integer(let number) = key, table.hasOwnKeys { rows.raiseNextKey(above: number) }
        return rowKey.rawValue
    }

    private func addOwnedRow(in table: TableDefinition) -> Int64 {
        let rows = writeSet.mutableTable(table.id)
        return rows.insertRow(rows.nextRowKey()).key.rawValue
    }

    // MARK: Fitting

    /// Whether a value can be set in a column.
    func fits(_ value: SharedValue, _ column: ColumnDefinition) -> Bool {
        guard let kind = column.collection else {
            return fits(value, column.type, isNullable: column.isNullable, column)
        }
        func areFit(_ elements: some Sequence<SharedValue>) -> Bool {
            elements.allSatisfy { fits($0, kind.type, isNullable: kind.isNullable, column) }
        }
        switch (kind.shape, value) {
        case (.list, .list(let elements)):
            return areFit(elements) && !(kind.type == .link && elements.contains(.null))
        case (.set, .set(let elements)):
            return areFit(elements) && !(kind.type == .link && elements.contains(.null))
        case (.map, .map(let entries)):
            return areFit(entries.values)
                && entries.keys.allSatisfy { String(validating: $0, as: UTF8.self) != nil }
        default: return false
        }
    }

    private func fits(
        _ value: SharedValue, _ type: ColumnType, isNullable: Bool, _ column: ColumnDefinition
    ) -> Bool {
        switch (value, type) {
        case (.null, .link), (.null, .mixed): true
        case (.null, _): isNullable
        case (.boolean, .boolean), (.integer, .integer), (.float, .float), (.double, .double),
            (.double, .timestamp), (.decimal, .decimal), (.text, .text), (.bytes, .bytes):
            true
        case (.fixed(let value), _) where type != .mixed: value.kind == type
        case (.link(let target), .link):
            column.target.flatMap { catalog[$0] }
                .map { !$0.isOwned && $0.name == target.className } ?? false
        case (.object(let fields), .link):
            column.target.flatMap { catalog[$0] }.map { fits(fields, $0) } ?? false
        case (.object, .mixed), (.link, .mixed), (.set, .mixed): false
        case (_, .mixed):
            fitsMixed(value, 0) && value.mixedByteCount <= writeSet.layout.longestValue
        default: false
        }
    }

    private func fits(_ fields: [String: SharedValue], _ table: TableDefinition) -> Bool {
        table.isOwned
            && fields.allSatisfy { name, value in table[name].map { fits(value, $0) } ?? false }
    }

    private func fitsMixed(_ value: SharedValue, _ depth: Int) -> Bool {
        if depth > MixedValue.greatestDepth { return false }
        switch value {
        case .object, .link, .set: return false
        case .list(let elements): return elements.allSatisfy { fitsMixed($0, depth + 1) }
        case .map(let entries): return entries.values.allSatisfy { fitsMixed($0, depth + 1) }
        default: return true
        }
    }

    // MARK: Setting

    /// Sets a value that fits, and whose links lead to objects that are there.
    func set(
        _ row: Int64, _ column: ColumnDefinition, of table: TableDefinition,
        from old: SharedValue, to new: SharedValue
    ) throws(StorageError) {
        if let target = column.target.flatMap({ catalog[$0] }), target.isOwned {
            return try setOwned(row, column, of: table, target, to: new)
        }
        let rows = writeSet.mutableTable(table.id)
        let key = RowKey(rawValue: row)
        guard column.collection != nil else {
            let value = try stored(new, column.type, column)
            rows.mutableRow(key)?.set(column.id, of: column.type, to: value)
            return
        }
        guard let place = rows.locate(key) else { return }
        let before = StoredValue(column, place.cluster, row: place.row, of: rows)
        guard let change = CellChange(from: before, to: try stored(new, column)),
            let elements = rows.mutableCollection(of: column.id, key: key)
        else { return }
        elements.apply(change)
        rows.settleSmallElements(of: column.id, key: key)
    }

    private func stored(_ value: SharedValue, _ column: ColumnDefinition) throws(StorageError)
        -> StoredValue
    {
        let type = column.collection?.type ?? column.type
        switch value {
        case .list(let values):
            var elements = ContiguousArray<StoredValue>()
            for value in values { elements.append(try stored(value, type, column)) }
            return .list(elements)
        case .set(let values):
            var elements = ContiguousArray<StoredValue>()
            for value in values { elements.append(try stored(value, type, column)) }
            return .set(elements)
        case .map(let values):
            var entries = ContiguousArray<StoredValue.MapEntry>()
            for (key, value) in values {
                entries.append(
                    StoredValue.MapEntry(key: key, value: try stored(value, type, column)))
            }
            return .map(entries)
        default: return try stored(value, type, column)
        }
    }

    private func stored(_ value: SharedValue, _ type: ColumnType, _ column: ColumnDefinition)
        throws(StorageError) -> StoredValue
    {
        if type == .mixed { return try mixed(value).map { .mixed($0) } ?? .null }
        switch value {
        case .boolean(let value): return .plain(.boolean(value))
        case .integer(let value): return .plain(.integer(value))
        case .float(let bits): return .plain(.float(Float(bitPattern: bits)))
        case .double(let bits): return .plain(.double(Double(bitPattern: bits)))
        case .decimal(let low, let high): return .plain(.decimal(low, high))
        case .text(let bytes): return .plain(.text(Array(bytes)))
        case .bytes(let bytes): return .plain(.bytes(Array(bytes)))
        case .fixed(let value): return .plain(.fixed(value))
        case .link(let target):
            guard let row = try row(of: target) else { return .null }
            return .plain(.link(RowKey(rawValue: row.key)))
        default: return .null
        }
    }

    private func row(of object: SharedReference) throws(StorageError) -> LinkTarget? {
        guard let table = catalog[object.className], let key = table.keyValue(object.key),
            let row = try writeSet.rowKey(forPrimaryKey: key, in: table.id)
        else { return nil }
        return LinkTarget(table: table.id, key: row)
    }

    private func mixed(_ value: SharedValue) throws(StorageError) -> MixedValue? {
        switch value {
        case .null, .link, .object, .set: return nil
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .float(let bits): return .float(Float(bitPattern: bits))
        case .double(let bits): return .double(Double(bitPattern: bits))
        case .timestamp(let bits): return .timestamp(Double(bitPattern: bits))
        case .decimal(let low, let high): return .decimal(low, high)
        case .text(let bytes): return .text(bytes)
        case .bytes(let bytes): return .bytes(bytes)
        case .fixed(let value): return .fixed(value)
        case .anyLink(let target): return try row(of: target).map { .link($0) }
        case .list(let elements):
            var values: ContiguousArray<MixedValue?> = []
            for element in elements { values.append(try mixed(element)) }
            return .list(values, identity: .random(in: 1 ... .max))
        case .map(let entries):
            var values: ContiguousArray<(key: ContiguousArray<UInt8>, value: MixedValue?)> = []
            for (key, value) in entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                values.append((key, try mixed(value)))
            }
            return .map(values, identity: .random(in: 1 ... .max))
        }
    }

    // MARK: Embedded objects

    private func setOwned(
        _ row: Int64, _ column: ColumnDefinition, of table: TableDefinition,
        _ target: TableDefinition, to new: SharedValue
    ) throws(StorageError) {
        let key = RowKey(rawValue: row)
        switch new {
        case .list(let elements): try setOwned(elements, key, column, of: table, target)
        case .map(let entries):
            let known = ownedEntries(key, column, of: table)
            for (name, value) in entries {
                try set(value, in: known[name] ?? nil, target) { owned in
                    writeSet.mutableTable(table.id).mutableCollection(of: column.id, key: key)?
                        .set(Self.link(owned), forKey: name)
                }
            }
            for (name, owned) in known where entries[name] == nil {
                writeSet.mutableTable(table.id).mutableCollection(of: column.id, key: key)?
                    .set(nil, forKey: name)
                if let owned { try delete([owned], target) }
            }
            writeSet.mutableTable(table.id).settleSmallElements(of: column.id, key: key)
        default:
            let rows = writeSet.mutableTable(table.id)
            var known: Int64?
            rows.forEachLink(of: column.id, in: [row]) { known = $0 }
            try set(new, in: known, target) { owned in
                writeSet.mutableTable(table.id).mutableRow(key)?
                    .set(column.id, of: .link, to: Self.link(owned))
            }
        }
    }

    private static func link(_ row: Int64?) -> StoredValue {
        row.map { .plain(.link(RowKey(rawValue: $0))) } ?? .null
    }

    /// Makes an embedded object of a row, or of a new one, or deletes it for null.
    private func set(
        _ value: SharedValue, in known: Int64?, _ target: TableDefinition,
        link: (Int64?) -> Void
    ) throws(StorageError) {
        guard case .object(let fields) = value else {
            link(nil)
            if let known { try delete([known], target) }
            return
        }
        let row = known ?? addOwnedRow(in: target)
        if known == nil { link(row) }
        try fill(row, with: fields, target)
    }

    private func fill(_ row: Int64, with fields: [String: SharedValue], _ table: TableDefinition)
        throws(StorageError)
    {
        let rows = SharedRows(writeSet)
        for column in table.columns {
            let (old, new) = (
                rows.value(row, column, of: table), fields[column.name] ?? column.initialShared
            )
            if old != new { try set(row, column, of: table, from: old, to: new) }
        }
    }

    private func delete(_ rows: [Int64], _ table: TableDefinition) throws(StorageError) {
        if !rows.isEmpty { try writeSet.deleteRows(rows, of: table.id, areUnlinked: true) }
    }

    private func setOwned(
        _ new: [SharedValue], _ key: RowKey, _ column: ColumnDefinition, of table: TableDefinition,
        _ target: TableDefinition
    ) throws(StorageError) {
        var known: [Int64] = []
        writeSet.mutableTable(table.id).forEachLink(of: column.id, in: [key.rawValue]) {
            known.append($0)
        }
        let rows = SharedRows(writeSet)
        let old = known.map { SharedValue.object(rows.values($0, of: target)) }
        var doomed: [Int64] = []
        // From the end, so that the positions before stay right.
        for edit in SharedListEdits(from: old, to: new).edits.reversed() {
            let common = min(edit.removed.count, edit.inserted.count)
            let place = edit.position + common
            let end = edit.position + edit.removed.count
            let list = {
                writeSet.mutableTable(table.id).mutableCollection(of: column.id, key: key)
            }
            if end > place {
                list()?.remove(place..<end)
                doomed += known[place..<end]
            }
            for (offset, value) in edit.inserted[common...].enumerated() {
                guard case .object(let fields) = value else { continue }
                let row = addOwnedRow(in: target)
                list()?.insert(Self.link(row), at: place + offset)
                try fill(row, with: fields, target)
            }
            for offset in 0..<common {
                guard case .object(let fields) = edit.inserted[offset] else { continue }
                try fill(known[edit.position + offset], with: fields, target)
            }
        }
        try delete(doomed.sorted(), target)
        writeSet.mutableTable(table.id).settleSmallElements(of: column.id, key: key)
    }

    private func ownedEntries(_ key: RowKey, _ column: ColumnDefinition, of table: TableDefinition)
        -> [ContiguousArray<UInt8>: Int64?]
    {
        let rows = writeSet.mutableTable(table.id)
        guard let place = rows.locate(key),
            case .map(let entries) = StoredValue(column, place.cluster, row: place.row, of: rows)
        else { return [:] }
        var known: [ContiguousArray<UInt8>: Int64?] = [:]
        for entry in entries {
            if case .plain(.link(let row)) = entry.value {
                known.updateValue(row.rawValue, forKey: entry.key)
            } else {
                known.updateValue(nil, forKey: entry.key)
            }
        }
        return known
    }
}
