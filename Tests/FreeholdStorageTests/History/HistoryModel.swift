@testable import FreeholdStorage
import Testing

/// The rows of all tables as plain values, made by replaying a history, or by reading a version.
struct HistoryModel: Equatable {
    /// By the names of tables and columns.
    var tables: [String: [Int64: [String: StoredValue]]] = [:]

    init() {}

    /// What a version has.
    init(of source: TableSource) {
        for definition in source.currentCatalog.classTables {
            let table = source.table(definition.id)
            for key in table.allKeys {
                guard let place = table.locate(RowKey(rawValue: key)) else { continue }
                for column in definition.columns {
                    tables[definition.name, default: [:]][key, default: [:]][column.name] =
                        StoredValue(column, place.cluster, row: place.row, of: table)
                }
            }
        }
    }

    /// Repeats a transaction whose values were kept. Its old values must be those of the model.
    mutating func replay(_ entry: HistoryEntry, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        for changes in entry.tables {
            func name(_ column: Int) -> String { changes.columns[column].definition.name }
            var rows = tables[changes.name] ?? [:]
            for (index, key) in changes.deleted.enumerated() {
                let removed = rows.removeValue(forKey: key)
                let row = try #require(removed, sourceLocation: sourceLocation)
                for values in changes.deletedValues {
                    #expect(
                        row[name(values.column)] == values.values[index],
                        sourceLocation: sourceLocation)
                }
            }
            for (index, key) in changes.inserted.enumerated() {
                #expect(rows[key] == nil, sourceLocation: sourceLocation)
                rows[key] = [:]
                for values in changes.insertedValues {
                    rows[key]?[name(values.column)] = values.values[index]
                }
            }
            for cells in changes.modified {
                for (index, key) in cells.keys.enumerated() {
                    #expect(
                        rows[key]?[name(cells.column)] == cells.old[index],
                        sourceLocation: sourceLocation)
                    rows[key]?[name(cells.column)] = cells.new[index]
                }
            }
            tables[changes.name] = rows.isEmpty ? nil : rows
        }
    }
}

/// The entries that a version has, from the first one.
func history(of snapshot: Snapshot) throws -> [HistoryEntry] {
    guard let reader = try HistoryReader(snapshot) else { return [] }
    var mark = try reader.oldestToken().mark
    return try (reader.firstSequence..<reader.nextSequence).map { sequence in
        let entry = try reader.entry(sequence)
        try reader.checkOrder(entry.head, after: mark)
        mark = entry.head.mark
        return entry
    }
}
