import FreeholdStorage
import FreeholdTestSupport
import Testing

/// A ``ModelWorld`` in a store: the same two tables in a file, most columns indexed, and the
/// model beside them.
///
/// Changes go to the open write set and to the model at once.
struct StoredWorld {
    private(set) var world: ModelWorld

    /// Columns of these types may be indexed; of links, all are.
    private static let indexable: Set<ColumnType> = [
        .integer, .boolean, .timestamp, .double, .text, .bytes, .fixed12, .fixed16,
    ]

    /// Texts that differ only behind the part of them that an index keeps, or at its end.
    private static let longTexts: [[UInt8]] = {
        let prefix = [UInt8](repeating: UInt8(ascii: "a"), count: 198)
        let tails = ["", "b", "bb", "bbb", "bbc", "b\u{0}b", "bé", "é", "éé"]
        return tails.map { prefix + Array($0.utf8) }
            + ["c", "d"].map { prefix + Array(String(repeating: $0, count: 600).utf8) }
    }()

    /// Creates and fills the tables. Some texts become long ones, in the model too.
    init(_ plain: ModelWorld, in writeSet: WriteSet, using random: inout SeededGenerator) throws {
        world = plain
        let ids = world.tables.keys.sorted()
        for id in ids {
            try #require(writeSet.createTable(named: world.tables[id]?.definition.name ?? "") == id)
        }
        for id in ids {
            guard var model = world.tables[id] else { continue }
            for (position, column) in model.definition.columns.enumerated() {
                let isIndexed =
                    Self.indexable.contains(column.type) && column.id != model.definition.primaryKey
                    && !random.once(in: 4)
                let made = writeSet.addColumn(
                    to: id, named: column.name, type: column.type, isNullable: column.isNullable,
                    isIndexed: isIndexed, target: column.target)
                try #require(made == column.id)
                guard column.type.isVariableLength else { continue }
                for row in model.rows.indices
                where model.rows[row][position] != .null && random.once(in: 6) {
                    model.rows[row][position] = Self.longText(column.type, using: &random)
                }
            }
            writeSet.setPrimaryKey(model.definition.primaryKey, of: id)
            world.tables[id] = model
        }
        for id in ids {
            guard let model = world.tables[id] else { continue }
            let order =
                random.once(in: 2)
                ? Array(model.keys.indices) : model.keys.indices.shuffled(using: &random)
            for row in order {
                try store(model.rows[row], key: model.keys[row], isNew: true, table: id, writeSet)
            }
        }
    }

    private static func longText(_ type: ColumnType, using random: inout SeededGenerator)
        -> ScanValue
    {
        let text = random.pick(longTexts)
        return type == .text ? .text(text) : .bytes(text)
    }

    private func store(
        _ values: [ScanValue], key: Int64, isNew: Bool, table: TableID, _ writeSet: WriteSet
    ) throws {
        guard let definition = world.tables[table]?.definition else { return }
        let target = writeSet.mutableTable(table)
        let row =
            isNew
            ? target.insertRow(RowKey(rawValue: key))
            : try #require(target.mutableRow(RowKey(rawValue: key)))
        for (column, value) in zip(definition.columns, values)
        where column.id != definition.primaryKey {
            switch value {
            case .null: row.setNull(column.id)
            case .integer(let integer): row.setInteger(column.id, integer)
            case .link(let key): row.setInteger(column.id, key.rawValue)
            case .boolean(let boolean): row.setBoolean(column.id, boolean)
            case .float(let float): row.setFloat(column.id, float)
            case .double(let double): row.setDouble(column.id, double)
            case .fixed(let value) where value.kind == .fixed12:
                row.setFixed12(column.id, value.fixed12)
            case .fixed(let value): row.setFixed16(column.id, value.fixed16)
            case .decimal(let low, let high): row.setFixed16(column.id, (low, high))
            case .text(let bytes), .bytes(let bytes):
                bytes.withUnsafeBytes { row.setBytes(column.id, $0) }
            case .object, .timestamp, .nested: fatalError("for mixed values only")
            }
        }
    }

    /// Changes rows of the first table in some stretches of it, so that some of its clusters
    /// stay as they are.
    mutating func change(in writeSet: WriteSet, using random: inout SeededGenerator) throws {
        guard let model = world.tables[ModelWorld.first], !model.keys.isEmpty else { return }
        var doomed: [Int64] = []
        for _ in 0..<random.int(1...3) {
            let start = random.int(0...model.keys.count - 1)
            for row in start..<min(model.keys.count, start + random.int(1...12)) {
                let key = model.keys[row]
                if random.once(in: 3) {
                    doomed.append(key)
                } else {
                    // The primary key stays.
                    let values = [model.rows[row][0]] + random.pick(model.rows).dropFirst()
                    try store(values, key: key, isNew: false, table: model.definition.id, writeSet)
                    world.tables[model.definition.id]?.rows[row] = values
                }
            }
        }
        try delete(Set(doomed), from: model.definition.id, in: writeSet)
        let key = (model.keys.last ?? 0) + Int64(random.int(1...50))
        // Its links lead to the second table, none of whose rows is deleted.
        let values = [.integer(key)] + random.pick(model.rows).dropFirst()
        try store(values, key: key, isNew: true, table: model.definition.id, writeSet)
        world.tables[model.definition.id]?.keys.append(key)
        world.tables[model.definition.id]?.rows.append(values)
    }

    private mutating func delete(_ doomed: Set<Int64>, from table: TableID, in writeSet: WriteSet)
        throws
    {
        try writeSet.mutableTable(table).deleteRows(doomed.sorted())
        guard var model = world.tables[table] else { return }
        let kept = model.keys.indices.filter { !doomed.contains(model.keys[$0]) }
        model.rows = kept.map { model.rows[$0] }
        model.keys = kept.map { model.keys[$0] }
        world.tables[table] = model
        for id in world.tables.keys {
            guard let columns = world.tables[id]?.definition.columns else { continue }
            for (position, column) in columns.enumerated() where column.target == table {
                for row in world.tables[id]?.rows.indices ?? 0..<0 {
                    if case .link(let key)? = world.tables[id]?.rows[row][position],
                        doomed.contains(key.rawValue)
                    {
                        world.tables[id]?.rows[row][position] = .null
                    }
                }
            }
        }
    }
}
