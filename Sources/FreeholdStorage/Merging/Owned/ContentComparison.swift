/// Compares rows of two sides by their values.
///
/// Links to new rows are equal if these have equal values and are one row in the merged version:
/// owned rows, and rows with a primary key.
struct ContentComparison {
    let first: (TableID) -> ChangeSet.Rows?
    let second: (TableID) -> ChangeSet.Rows?
    let catalog: Catalog

    private struct Pair: Hashable {
        let table: TableID
        let key: Int64
        let other: Int64
    }

    /// Whether two rows have equal values. O(values).
    func areEqual(_ table: TableID, _ key: Int64, _ other: Int64) -> Bool {
        var compared: Set<Pair> = []
        return areEqual(table, key, other, &compared)
    }

    /// Whether two values are equal, or link to rows with equal values.
    func areEqual(_ value: StoredValue, _ other: StoredValue, _ column: ColumnDefinition) -> Bool {
        var compared: Set<Pair> = []
        return areEqual(value, other, column, &compared)
    }

    /// - Parameter compared: The pairs on the way to this one. Rows may link to each other.
    private func areEqual(
        _ table: TableID, _ key: Int64, _ other: Int64, _ compared: inout Set<Pair>
    ) -> Bool {
        guard let own = first(table), let others = second(table), let a = own.index(of: key),
            let b = others.index(of: other), let definition = catalog[table]
        else { return false }
        if !compared.insert(Pair(table: table, key: key, other: other)).inserted { return true }
        for column in definition.valueColumns {
            let value = own.columns[column.id]?[a] ?? column.initialValue
            let counterpart = others.columns[column.id]?[b] ?? column.initialValue
            if !areEqual(value, counterpart, column, &compared) { return false }
        }
        return true
    }

    private func areEqual(
        _ value: StoredValue, _ other: StoredValue, _ column: ColumnDefinition,
        _ compared: inout Set<Pair>
    ) -> Bool {
        switch (value, other) {
        case (.plain(.link(let a)), .plain(.link(let b))):
            guard let target = column.target else { return a == b }
            let isNew = first(target)?.contains(a.rawValue) ?? false
            guard isNew || second(target)?.contains(b.rawValue) ?? false else { return a == b }
            guard let table = catalog[target], table.isOwned || table.primaryKey != nil else {
                return false
            }
            return areEqual(target, a.rawValue, b.rawValue, &compared)
        case (.list(let a), .list(let b)), (.set(let a), .set(let b)):
            if a.count != b.count { return false }
            for (one, another) in zip(a, b) where !areEqual(one, another, column, &compared) {
                return false
            }
            return true
        case (.map(let a), .map(let b)):
            if a.count != b.count { return false }
            for (one, another) in zip(a, b)
            where one.key != another.key
                || !areEqual(one.value, another.value, column, &compared)
            {
                return false
            }
            return true
        case (.mixed(let one), .mixed):
            var linksToNewRow = false
            one.forEachTarget {
                if first($0.table)?.contains($0.key) ?? false { linksToNewRow = true }
            }
            return !linksToNewRow && value == other
        default: return value == other
        }
    }
}
