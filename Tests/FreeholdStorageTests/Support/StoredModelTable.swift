import FreeholdStorage
import FreeholdTestSupport
import Testing

/// A value of any column type, as a plain Swift value.
enum ModelValue: Hashable {
    case null
    case integer(Int64)
    case boolean(Bool)
    case float(UInt32)
    case double(UInt64)
    case fixed12(UInt64, UInt32)
    case fixed16(UInt64, UInt64)
    case bytes([UInt8])
}

/// A table with a column of every type, plain and nullable, half of them indexed, and a plain
/// dictionary beside it that says what the table should hold.
struct StoredModelTable {
    let id: TableID
    let columns: [ColumnDefinition]
    var rows: [Int64: [ColumnID: ModelValue]] = [:]

    static func create(
        in writeSet: WriteSet, named name: String, primaryKeyIsRowKey: Bool, target: TableID? = nil
    ) -> StoredModelTable {
        let id = writeSet.createTable(named: name)
        if primaryKeyIsRowKey {
            let key = writeSet.addColumn(
                to: id, named: "id", type: .integer, isNullable: false, isIndexed: false)
            writeSet.setPrimaryKey(key, of: id)
        }
        for type in ColumnType.allCases where type != .mixed {
            if type == .link, target == nil { continue }
            for isNullable in type == .link ? [true] : [false, true] {
                let isIndexed =
                    type != .float && type != .decimal && type.rawValue % 2 == (isNullable ? 0 : 1)
                _ = writeSet.addColumn(
                    to: id, named: "\(type)\(isNullable ? "?" : "")", type: type,
                    isNullable: isNullable, isIndexed: isIndexed,
                    target: type == .link ? target : nil)
            }
        }
        let definition = writeSet.catalog[id]!
        return StoredModelTable(
            id: id, columns: definition.columns.filter { $0.id != definition.primaryKey })
    }

    func randomValue(
        of column: ColumnDefinition, using random: inout SeededGenerator, targets: [Int64]
    ) -> ModelValue {
        if column.isNullable, Int.random(in: 0..<4, using: &random) == 0 { return .null }
        switch column.type {
        case .integer:
            let wide = [Int64.min, Int64.max, 0, -1]
            return .integer(
                Bool.random(using: &random)
                    ? Int64.random(in: -5...5, using: &random) : wide.randomElement(using: &random)!
            )
        case .boolean: return .boolean(Bool.random(using: &random))
        case .float: return .float(Float.random(in: -1...1, using: &random).bitPattern)
        case .double, .timestamp:
            return .double(
                [Double.random(in: -1...1, using: &random), 0, .infinity, .nan].randomElement(
                    using: &random)!.bitPattern)
        case .fixed12: return .fixed12(random.next() % 3, UInt32(random.next() % 3))
        case .fixed16, .decimal: return .fixed16(random.next() % 3, random.next() % 3)
        case .link: return targets.randomElement(using: &random).map { .integer($0) } ?? .null
        case .mixed: preconditionFailure("mixed values have models of their own")
        case .text, .bytes:
            let lengths = [0, 1, 5, 23, 24, 25, 60, 199, 200, 201, 600]
            let long =
                Int.random(in: 0..<200, using: &random) == 0
                ? 40_000 : lengths.randomElement(using: &random)!
            let alphabet: [UInt8] = column.type == .text ? [97, 98, 0] : [0, 1, 255]
            return .bytes((0..<long).map { _ in alphabet.randomElement(using: &random)! })
        }
    }

    /// Sets a value in the table and in the model.
    mutating func set(
        _ column: ColumnDefinition, of key: Int64, to value: ModelValue, in writeSet: WriteSet
    ) throws {
        let row = try #require(writeSet.mutableTable(id).mutableRow(RowKey(rawValue: key)))
        switch value {
        case .null: row.setNull(column.id)
        case .integer(let value): row.setInteger(column.id, value)
        case .boolean(let value): row.setBoolean(column.id, value)
        case .float(let bits): row.setFloat(column.id, Float(bitPattern: bits))
        case .double(let bits): row.setDouble(column.id, Double(bitPattern: bits))
        case .fixed12(let a, let b): row.setFixed12(column.id, (a, b))
        case .fixed16(let a, let b): row.setFixed16(column.id, (a, b))
        case .bytes(let bytes): bytes.withUnsafeBytes { row.setBytes(column.id, $0) }
        }
        rows[key]![column.id] = value
    }

    mutating func insert(_ key: Int64, in writeSet: WriteSet) {
        _ = writeSet.mutableTable(id).insertRow(RowKey(rawValue: key))
        rows[key] = [:]
    }

    static func defaultValue(of column: ColumnDefinition) -> ModelValue {
        if column.isNullable { return .null }
        switch column.type {
        case .integer, .link: return .integer(0)
        case .boolean: return .boolean(false)
        case .float: return .float(0)
        case .double, .timestamp: return .double(0)
        case .fixed12: return .fixed12(0, 0)
        case .fixed16, .decimal: return .fixed16(0, 0)
        case .text, .bytes: return .bytes([])
        case .mixed: return .null
        }
    }

    static func read(
        _ column: ColumnDefinition, _ cluster: ClusterView, _ row: Int, of table: TableView
    ) -> ModelValue {
        let view = cluster.columns[column.id.position]
        if view.isNull(at: row) { return .null }
        switch column.type {
        case .integer, .link: return .integer(view.integer(at: row))
        case .boolean: return .boolean(view.boolean(at: row))
        case .float: return .float(view.float(at: row).bitPattern)
        case .double, .timestamp: return .double(view.double(at: row).bitPattern)
        case .fixed12: return .fixed12(view.fixed12(at: row).0, view.fixed12(at: row).1)
        case .fixed16, .decimal: return .fixed16(view.fixed16(at: row).0, view.fixed16(at: row).1)
        case .text, .bytes, .mixed:
            return table.withBytes(cluster, column.id, row) { .bytes(Array($0)) }
        }
    }

    /// Compares the table with the model, row by row in order, by key and by position.
    func expectEqual(to source: TableSource, sourceLocation: SourceLocation = #_sourceLocation) {
        let table = source.table(id)
        #expect(table.count == rows.count, sourceLocation: sourceLocation)
        var found: [Int64] = []
        for index in 0..<table.clusterCount {
            let cluster = table.cluster(at: index)
            for row in 0..<cluster.count {
                let key = cluster.key(at: row).rawValue
                found.append(key)
                guard let expected = rows[key] else {
                    Issue.record("row \(key) should not exist", sourceLocation: sourceLocation)
                    return
                }
                for column in columns {
                    let value = Self.read(column, cluster, row, of: table)
                    #expect(
                        value == expected[column.id] ?? Self.defaultValue(of: column),
                        "row \(key), \(column.name)",
                        sourceLocation: sourceLocation)
                }
            }
        }
        #expect(found == rows.keys.sorted(), sourceLocation: sourceLocation)
        for (position, key) in found.enumerated() where position % 7 == 0 {
            #expect(
                table.locate(position: position).map { $0.cluster.key(at: $0.row).rawValue } == key,
                sourceLocation: sourceLocation)
            #expect(table.contains(RowKey(rawValue: key)), sourceLocation: sourceLocation)
        }
    }

    /// Deletes rows in the table and in the model, where links to them in `others` become null.
    mutating func delete(
        _ keys: [Int64], in writeSet: WriteSet, linkedFrom source: inout StoredModelTable
    ) throws {
        try writeSet.mutableTable(id).deleteRows(keys)
        for key in keys { rows[key] = nil }
        guard let link = source.columns.first(where: { $0.type == .link && $0.target == id }) else {
            return
        }
        for (key, values) in source.rows {
            if case .integer(let target)? = values[link.id], rows[target] == nil {
                source.rows[key]![link.id] = .null
            }
        }
    }
}
