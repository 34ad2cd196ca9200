import FreeholdStorage
import FreeholdTestSupport

/// A table as plain values, from which a ``MemoryTable`` is made and against which its answers
/// are checked.
struct ModelTable {
    var definition: TableDefinition
    var keys: [Int64]
    /// The values of the definition's columns, row by row.
    var rows: [[ScanValue]]

    var rowOfKey: [Int64: Int] {
        var rows: [Int64: Int] = [:]
        for (row, key) in keys.enumerated() { rows[key] = row }
        return rows
    }

    func position(of column: ColumnID) -> Int? { definition.columns.firstIndex { $0.id == column } }

    /// Cuts the rows into clusters of random sizes.
    func table(using random: inout SeededGenerator) -> MemoryTable {
        var sizes: [Int] = []
        var left = keys.count
        while left > 0 {
            let size = min(
                left,
                random.pick([
                    1, 2, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, random.int(1...200),
                    random.int(200...700),
                ]))
            sizes.append(size)
            left -= size
        }
        return MemoryTable(
            definition: definition, keys: keys, rows: rows, sizes: sizes, using: &random)
    }
}

/// Two tables with links between them, with columns of every type.
struct ModelWorld {
    var tables: [TableID: ModelTable] = [:]
    static let first = TableID(rawValue: 1)
    static let second = TableID(rawValue: 2)

    static let types: [ColumnType] = [
        .integer, .boolean, .float, .double, .timestamp, .text, .bytes, .fixed12, .fixed16,
        .decimal, .link,
    ]

    init(rows: Int, others: Int, using random: inout SeededGenerator) {
        let firstKeys = ModelWorld.keys(rows, using: &random)
        let secondKeys = ModelWorld.keys(others, using: &random)
        tables[ModelWorld.first] = ModelWorld.table(
            ModelWorld.first, "First", keys: firstKeys, target: ModelWorld.second,
            targetKeys: secondKeys, using: &random)
        tables[ModelWorld.second] = ModelWorld.table(
            ModelWorld.second, "Second", keys: secondKeys, target: ModelWorld.first,
            targetKeys: firstKeys, using: &random)
    }

    func source(using random: inout SeededGenerator) -> (MemorySource, [TableID: MemoryTable]) {
        let source = MemorySource()
        var made: [TableID: MemoryTable] = [:]
        for id in tables.keys.sorted() {
            guard let model = tables[id] else { continue }
            let table = model.table(using: &random)
            source.add(table)
            made[id] = table
        }
        return (source, made)
    }

    private static func keys(_ count: Int, using random: inout SeededGenerator) -> [Int64] {
        var keys: [Int64] = []
        var next = Int64(random.int(-1000...1000))
        let isDense = random.once(in: 2)
        for _ in 0..<count {
            keys.append(next)
            next += isDense ? 1 : Int64(random.pick([1, 1, 1, 2, random.int(1...1000)]))
        }
        return keys
    }

    private static func table(
        _ id: TableID, _ name: String, keys: [Int64], target: TableID, targetKeys: [Int64],
        using random: inout SeededGenerator
    ) -> ModelTable {
        var columns = [
            ColumnDefinition(
                id: ColumnID(rawValue: 1), name: "id", type: .integer, isNullable: false,
                isIndexed: false)
        ]
        var next: UInt16 = 2
        for type in types {
            for isNullable in type == .link ? [true] : [false, true] {
                columns.append(
                    ColumnDefinition(
                        id: ColumnID(rawValue: next), name: "\(type)\(isNullable ? "?" : "")",
                        type: type, isNullable: isNullable, isIndexed: false,
                        target: type == .link ? target : nil
                    ))
                next += 1
            }
        }
        let definition = TableDefinition(
            id: id, name: name, columns: columns, primaryKey: ColumnID(rawValue: 1),
            nextColumnID: next)
        var rows: [[ScanValue]] = keys.map { _ in [] }
        for column in columns {
            if column.id == definition.primaryKey {
                for row in rows.indices { rows[row].append(.integer(keys[row])) }
                continue
            }
            // Stretches of one kind each, so that every encoding turns up.
            var row = 0
            while row < rows.count {
                let end = min(rows.count, row + random.int(1...400))
                let style = random.int(0...6)
                let start = Int64(random.int(-100...100))
                for index in row..<end {
                    let value: ScanValue =
                        if column.isNullable && (style == 0 || random.once(in: 5)) {
                            .null
                        } else if column.type == .link {
                            targetKeys.isEmpty
                                ? .null : .link(RowKey(rawValue: random.pick(targetKeys)))
                        } else if column.type == .integer && style == 1 {
                            .integer(start + Int64(index))
                        } else if column.type == .integer && style == 2 {
                            .integer(start)
                        } else {
                            ModelValues.value(column.type, using: &random)
                        }
                    rows[index].append(value)
                }
                row = end
            }
        }
        return ModelTable(definition: definition, keys: keys, rows: rows)
    }
}
