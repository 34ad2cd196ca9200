/// An entry as bytes, little-endian. Counts and lengths are LEB128, values as in
/// ``ArchivedEdits``:
///
///     format (UInt8, 1), mark (UInt64), previous mark (UInt64), time (Float64)
///     flags (UInt8: 1 author), author, name of the process, its id (UInt32)
///     targets, then for each: id (UInt32), name, flags (UInt8: 1 its primary key is its row key),
///       rows, then for each: key (Int64), type of the primary key (UInt8), primary key
///     tables, then for each:
///       name, flags (UInt8: 1 owned, 2 its primary key is its row key, 4 other primary key)
///       columns, then for each: name, type (UInt8), flags (UInt8: 1 nullable, 4 nullable
///         elements), shape (UInt8), type of the elements (UInt8), target (UInt32)
///       deleted keys, inserted keys
///       columns with modified rows, then for each: column, keys, flags (UInt8: 1 values, 2 the old
///         ones are of another column), that column, all old values and all new ones
///       with another primary key: its column, the primary keys of all rows
///       if owned, the owners of all rows: target (UInt32, 0 for none) and key (Int64)
///       columns with values of the deleted rows, then for each: column, values
///       columns with values of the inserted rows, likewise
///
/// A text is its length and its UTF-8 bytes.
extension HistoryEntry {
    private static let format: UInt8 = 1
    static let headSize = 25

    func encoded() -> ContiguousArray<UInt8> {
        var out = ArchiveWriter()
        out.put(Self.format)
        out.put(head.mark)
        out.put(head.previousMark)
        out.put(head.time.bitPattern)
        out.put(UInt8(author == nil ? 0 : 1))
        if let author { out.put(text: author) }
        out.put(text: processName)
        out.put(processID)
        out.put(number: targets.count)
        for (id, target) in targets.sorted(by: { $0.key < $1.key }) { out.put(target, id) }
        out.put(number: tables.count)
        for table in tables { out.put(table) }
        return out.bytes
    }

    init(decoding bytes: UnsafeRawBufferPointer, sequence: Int64) throws(ArchiveDamage) {
        var reader = ArchiveReader(bytes)
        head = try reader.head(sequence: sequence)
        let hasAuthor = try reader.flag()
        author = hasAuthor ? try reader.name() : nil
        processName = try reader.name()
        processID = try reader.integer()
        targets = [:]
        for _ in 0..<(try reader.number()) {
            let (id, target) = try reader.target()
            targets[id] = target
        }
        tables = []
        var changeCount = 0
        for _ in 0..<(try reader.number()) {
            let table = try reader.table(targets)
            changeCount += table.changeCount
            guard changeCount <= HistoryKeys.most else { throw ArchiveDamage() }
            tables.append(table)
        }
        guard reader.isAtEnd else { throw ArchiveDamage() }
    }

    /// The head of a row's first entry; nil if the bytes are damaged.
    static func head(ofRow bytes: UnsafeRawBufferPointer, _ sequence: Int64) -> Head? {
        var reader = ArchiveReader(bytes)
        guard (try? reader.number()) != nil else { return nil }
        return try? reader.head(sequence: sequence)
    }

    /// The first bytes of an entry.
    static func head(decoding bytes: UnsafeRawBufferPointer, sequence: Int64) -> Head? {
        var reader = ArchiveReader(bytes)
        return try? reader.head(sequence: sequence)
    }
}

extension ArchiveWriter {
    fileprivate mutating func put(_ target: HistoryEntry.Target, _ id: TableID) {
        put(id.rawValue)
        put(text: target.name)
        put(UInt8(target.usesPrimaryKeyAsRowKey ? 1 : 0))
        put(number: target.primaryKeys.count)
        for (row, key) in target.primaryKeys.sorted(by: { $0.key < $1.key }) {
            put(row)
            guard case .plain(let plain) = key, let type = plain.primaryKeyType else {
                put(0 as UInt8)
                continue
            }
            put(type.rawValue)
            put(plain)
        }
    }

    fileprivate mutating func put(_ table: HistoryEntry.Table) {
        put(text: table.name)
        put(
            UInt8(
                (table.isOwned ? 1 : 0) | (table.usesPrimaryKeyAsRowKey ? 2 : 0)
                    | (table.primaryKey == nil ? 0 : 4)))
        put(number: table.columns.count)
        for column in table.columns {
            let column = column.definition
            put(text: column.name)
            put(column.type.rawValue)
            put(
                UInt8(
                    (column.isNullable ? 1 : 0) | (column.collection?.isNullable ?? false ? 4 : 0)))
            put(column.collection?.shape.rawValue ?? 0)
            put(column.collection?.type.rawValue ?? 0)
            put(column.target?.rawValue ?? 0)
        }
        put(table.deleted)
        put(table.inserted)
        put(number: table.modified.count)
        for cells in table.modified {
            put(number: cells.column)
            put(cells.keys)
            put(UInt8((cells.new.isEmpty ? 0 : 1) | (cells.oldColumn == nil ? 0 : 2)))
            if let column = cells.oldColumn { put(number: column) }
            for value in cells.old { put(value) }
            for value in cells.new { put(value) }
        }
        if let primaryKey = table.primaryKey {
            put(number: primaryKey)
            for key in table.primaryKeys { put(key) }
        }
        for owner in table.owners {
            put(owner?.table.rawValue ?? 0)
            if let owner { put(owner.row) }
        }
        put(table.deletedValues)
        put(table.insertedValues)
    }

    private mutating func put(_ columns: [HistoryEntry.Values]) {
        put(number: columns.count)
        for column in columns {
            put(number: column.column)
            for value in column.values { put(value) }
        }
    }
}

extension ScanValue {
    /// The type of a column of primary keys that has the value.
    fileprivate var primaryKeyType: ColumnType? {
        switch self {
        case .integer: .integer
        case .text: .text
        case .fixed(let value): value.kind
        default: nil
        }
    }
}

extension ArchiveReader {
    fileprivate mutating func head(sequence: Int64) throws(ArchiveDamage) -> HistoryEntry.Head {
        guard try integer(UInt8.self) == 1 else { throw ArchiveDamage() }
        return HistoryEntry.Head(
            sequence: sequence, mark: try integer(), previousMark: try integer(),
            time: Double(bitPattern: try integer()))
    }

    fileprivate mutating func target() throws(ArchiveDamage) -> (TableID, HistoryEntry.Target) {
        let id = TableID(rawValue: try integer())
        var target = HistoryEntry.Target(
            name: try name(), usesPrimaryKeyAsRowKey: try flag())
        for _ in 0..<(try number()) {
            let row = try integer(Int64.self)
            let type = try integer(UInt8.self)
            if type == 0 {
                target.primaryKeys[row] = .null
                continue
            }
            guard let type = ColumnType(rawValue: type), type.canBePrimaryKey else {
                throw ArchiveDamage()
            }
            target.primaryKeys[row] = .plain(try plain(type))
        }
        return (id, target)
    }

    fileprivate mutating func table(_ targets: [TableID: HistoryEntry.Target])
        throws(ArchiveDamage) -> HistoryEntry.Table
    {
        var table = HistoryEntry.Table(name: try name())
        let flags = try integer(UInt8.self)
        guard flags < 8 else { throw ArchiveDamage() }
        table.isOwned = flags & 1 != 0
        table.usesPrimaryKeyAsRowKey = flags & 2 != 0
        for place in 0..<(try number()) {
            table.columns.append(HistoryEntry.Column(definition: try column(at: place)))
        }
        table.deleted = try historyKeys()
        table.inserted = try historyKeys()
        var keyCount = table.deleted.count + table.inserted.count
        for _ in 0..<(try number()) {
            let column = try place(in: table)
            var cells = HistoryEntry.Cells(column: column, keys: try historyKeys())
            keyCount += cells.keys.count
            guard keyCount <= HistoryKeys.most else { throw ArchiveDamage() }
            let flags = try integer(UInt8.self)
            guard flags < 4 else { throw ArchiveDamage() }
            if flags & 2 != 0 { cells.oldColumn = try place(in: table) }
            if flags & 1 != 0 {
                let count = cells.keys.count
                cells.old = try values(count, of: table.columns[cells.oldColumn ?? column])
                cells.new = try values(count, of: table.columns[column])
            }
            table.modified.append(cells)
        }
        table.modifiedRows = HistoryKeys(union: table.modified.map(\.keys))
        if flags & 4 != 0 {
            let column = try place(in: table)
            table.primaryKey = column
            table.primaryKeys = try values(table.changeCount, of: table.columns[column])
        }
        if table.isOwned {
            for _ in 0..<table.changeCount {
                let target = TableID(rawValue: try integer())
                if target.rawValue == 0 {
                    table.owners.append(nil)
                } else {
                    guard targets[target] != nil else { throw ArchiveDamage() }
                    table.owners.append(HistoryEntry.Owner(table: target, row: try integer()))
                }
            }
        }
        table.deletedValues = try columnValues(table.deleted.count, table)
        table.insertedValues = try columnValues(table.inserted.count, table)
        return table
    }

    private mutating func column(at place: Int) throws(ArchiveDamage) -> ColumnDefinition {
        let name = try name()
        guard let id = UInt16(exactly: place + 1),
            let type = ColumnType(rawValue: try integer(UInt8.self))
        else { throw ArchiveDamage() }
        let flags = try integer(UInt8.self)
        let shape = try integer(UInt8.self)
        let elementType = try integer(UInt8.self)
        let target = try integer(UInt32.self)
        let targetID = target == 0 ? nil : TableID(rawValue: target)
        if shape == 0 {
            return ColumnDefinition(
                id: ColumnID(rawValue: id), name: name, type: type, isNullable: flags & 1 != 0,
                isIndexed: false, target: targetID)
        }
        guard let shape = StoredCollectionKind.Shape(rawValue: shape),
            let elementType = ColumnType(rawValue: elementType)
        else { throw ArchiveDamage() }
        return ColumnDefinition(
            id: ColumnID(rawValue: id), name: name,
            collection: StoredCollectionKind(shape, of: elementType, isNullable: flags & 4 != 0),
            target: targetID)
    }

    private mutating func place(in table: HistoryEntry.Table) throws(ArchiveDamage) -> Int {
        let place = try number()
        guard table.columns.indices.contains(place) else { throw ArchiveDamage() }
        return place
    }

    private mutating func values(_ count: Int, of column: HistoryEntry.Column)
        throws(ArchiveDamage) -> ContiguousArray<StoredValue>
    {
        var values: ContiguousArray<StoredValue> = []
        for _ in 0..<count { values.append(try value(of: column.definition)) }
        return values
    }

    private mutating func columnValues(_ count: Int, _ table: HistoryEntry.Table)
        throws(ArchiveDamage) -> [HistoryEntry.Values]
    {
        var columns: [HistoryEntry.Values] = []
        for _ in 0..<(try number()) {
            let column = try place(in: table)
            columns.append(
                HistoryEntry.Values(
                    column: column, values: try values(count, of: table.columns[column])))
        }
        return columns
    }
}
