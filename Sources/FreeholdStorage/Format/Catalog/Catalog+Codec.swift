/// The catalog as stored in the `meta` database under the key `catalog`.
///
///     format (UInt8, 1), next table id (UInt32), has schema version (UInt8),
///     schema version (UInt64), tables (UInt32), then for each:
///       id (UInt32), name, primary key (UInt16, 0 for none),
///       flags (UInt8: 1 owned, 2 own keys), next column id (UInt16), columns (UInt16),
///       then for each:
///         id (UInt16), name, type (UInt8),
///         flags (UInt8: 1 nullable, 2 indexed, 4 nullable elements, 8 full-text index),
///         shape (UInt8, 0 for no collections), type of the elements (UInt8, 0 for none),
///         target (UInt32, 0 for none)
///     XXH64 of all of the above
///
/// Little-endian; a name is its length (UInt16) and its UTF-8 bytes. Tables and columns ascend
/// by id. Names are unique, those of columns within their table. Each target is a table of the
/// catalog, and a primary key is a column of a type that can be one.
extension Catalog {
    private static let format: UInt8 = 1

    package func encoded() -> ContiguousArray<UInt8> {
        var out = ContiguousArray<UInt8>()
        func put<Value: FixedWidthInteger>(_ value: Value) {
            withUnsafeBytes(of: value.littleEndian) { out.append(contentsOf: $0) }
        }
        func put(_ name: String) {
            put(UInt16(name.utf8.count))
            out.append(contentsOf: name.utf8)
        }
        put(Self.format)
        put(nextTableID)
        put(UInt8(schemaVersion == nil ? 0 : 1))
        put(schemaVersion ?? 0)
        put(UInt32(tables.count))
        for table in tables {
            put(table.id.rawValue)
            put(table.name)
            put(table.primaryKey?.rawValue ?? 0)
            put(UInt8((table.isOwned ? 1 : 0) | (table.hasOwnKeys ? 2 : 0)))
            put(table.nextColumnID)
            put(UInt16(table.columns.count))
            for column in table.columns {
                put(column.id.rawValue)
                put(column.name)
                put(column.type.rawValue)
                put(
                    UInt8(
                        (column.isNullable ? 1 : 0) | (column.isIndexed ? 2 : 0)
                            | (column.collection?.isNullable ?? false ? 4 : 0)
                            | (column.isFullText ? 8 : 0)))
                put(column.collection?.shape.rawValue ?? 0)
                put(column.collection?.type.rawValue ?? 0)
                put(column.target?.rawValue ?? 0)
            }
        }
        let hash = out.withUnsafeBytes { Checksum.xxh64($0) }
        put(hash)
        return out
    }

    /// Nil if the bytes are damaged.
    package init?(decoding bytes: UnsafeRawBufferPointer) {
        self.init()
        guard bytes.count > 8 else { return nil }
        let body = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 8)])
        let stored = UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: body.count, as: UInt64.self))
        guard stored == Checksum.xxh64(body) else { return nil }
        var reader = FieldReader(body)
        guard reader.integer(UInt8.self) == Self.format, let next = reader.integer(UInt32.self),
            let hasVersion = reader.integer(UInt8.self),
            let version = reader.integer(UInt64.self), let tableCount = reader.integer(UInt32.self)
        else { return nil }
        nextTableID = next
        schemaVersion = hasVersion == 0 ? nil : version
        var names: Set<String> = []
        for _ in 0..<tableCount {
            guard let table = reader.table(), table.id > tables.last?.id ?? TableID(rawValue: 0),
                table.id.rawValue < next, names.insert(table.name).inserted
            else { return nil }
            tables.append(table)
        }
        let targets = Set(tables.flatMap { $0.columns.compactMap(\.target) })
        guard reader.isAtEnd, targets.allSatisfy({ self[$0] != nil }) else { return nil }
    }
}

extension FieldReader {
    fileprivate mutating func table() -> TableDefinition? {
        guard let id = integer(UInt32.self), let name = name(),
            let primaryKey = integer(UInt16.self),
            let flags = integer(UInt8.self), flags <= 3,
            let nextColumnID = integer(UInt16.self), let count = integer(UInt16.self),
            nextColumnID >= 1
        else { return nil }
        var columns: [ColumnDefinition] = []
        var names: Set<String> = []
        for _ in 0..<count {
            guard let column = column(), column.id.rawValue > columns.last?.id.rawValue ?? 0,
                column.id.rawValue < nextColumnID,
                names.insert(column.name).inserted
            else { return nil }
            columns.append(column)
        }
        let key = primaryKey == 0 ? nil : ColumnID(rawValue: primaryKey)
        if let key {
            guard let column = columns.first(where: { $0.id == key }), column.canBePrimaryKey
            else { return nil }
        }
        var table = TableDefinition(
            id: TableID(rawValue: id), name: name, columns: columns, primaryKey: key,
            isOwned: flags & 1 != 0, nextColumnID: nextColumnID)
        table.hasOwnKeys = flags & 2 != 0
        return table
    }

    fileprivate mutating func column() -> ColumnDefinition? {
        guard let id = integer(UInt16.self).map(ColumnID.init(rawValue:)), let name = name(),
            let type = integer(UInt8.self).flatMap(ColumnType.init(rawValue:)),
            let flags = integer(UInt8.self), let shape = integer(UInt8.self),
            let elementType = integer(UInt8.self),
            let target = integer(UInt32.self).map({ $0 == 0 ? nil : TableID(rawValue: $0) })
        else { return nil }
        var column: ColumnDefinition
        if shape == 0 {
            guard elementType == 0 else { return nil }
            column = ColumnDefinition(
                id: id, name: name, type: type, isNullable: flags & 1 != 0,
                isIndexed: flags & 2 != 0, target: target)
        } else {
            guard type == .bytes, let shape = StoredCollectionKind.Shape(rawValue: shape),
                let elementType = ColumnType(rawValue: elementType)
            else { return nil }
            column = ColumnDefinition(
                id: id, name: name,
                collection: StoredCollectionKind(
                    shape, of: elementType, isNullable: flags & 4 != 0), target: target)
        }
        column.isFullText = flags & 8 != 0
        if column.isFullText, column.type != .text || column.isIndexed { return nil }
        return column.hasTarget == (target != nil) ? column : nil
    }
}
