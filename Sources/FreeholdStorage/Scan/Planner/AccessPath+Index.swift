/// The index reads of an access path. All calls to ``IndexReader`` are here.
extension AccessPath {
    /// Estimates the number of candidates, up to about `limit`. A few descents of the index.
    func estimate(in table: TableView, limit: Int) throws(StorageError) -> Int {
        switch self {
        case .rowKeys(let keys): return keys.count
        case .equal(let column, let values):
            guard let index = table.index(of: column) else { return table.count }
            // Of many values, only the first ones are sampled.
            let sample = values.prefix(32)
            var total = 0
            for value in sample {
                total += try index.count(equalTo: value.indexKey)
                if total >= limit { return total }
            }
            return sample.isEmpty ? 0 : total * values.count / sample.count
        case .range(let column, let from, let to):
            guard let index = table.index(of: column) else { return table.count }
            return try index.estimatedCount(from: from.indexBound, to: to.indexBound, limit: limit)
        case .backlinks(let column, let linked, let targets):
            guard let definition = table.definition[column] else { return table.count }
            let sample = targets.prefix(32)
            var total = 0
            for key in sample {
                total += try table.estimatedBacklinks(
                    of: definition, to: LinkTarget(table: linked, key: key))
                if total >= limit { return total }
            }
            return sample.isEmpty ? 0 : total * targets.count / sample.count
        case .words(let column, let query):
            guard let index = table.fullTextIndex(of: column) else { return table.count }
            return try FullTextReader(index: index).estimate(query, limit: limit)
        case .union(let parts):
            var total = 0
            for part in parts where total < limit {
                total += try part.estimate(in: table, limit: limit - total)
            }
            return total
        case .superset(let access): return try access.estimate(in: table, limit: limit)
        }
    }

    /// Appends the candidates, in any order; a union may repeat them. O(candidates).
    func appendKeys(in table: TableView, to keys: inout [Int64]) throws(StorageError) {
        switch self {
        case .rowKeys(let list): keys.append(contentsOf: list)
        case .equal(let column, let values):
            guard let index = table.index(of: column) else { return }
            for value in values { try index.appendKeys(equalTo: value.indexKey, to: &keys) }
        case .range(let column, let from, let to):
            guard let index = table.index(of: column) else { return }
            try index.appendKeys(from: from.indexBound, to: to.indexBound, to: &keys)
        case .backlinks(let column, let target, let targets):
            guard let definition = table.definition[column] else { return }
            for key in targets {
                try table.appendBacklinks(
                    of: definition, to: LinkTarget(table: target, key: key), to: &keys)
            }
        case .words(let column, let query):
            guard let index = table.fullTextIndex(of: column) else { return }
            keys += try FullTextReader(index: index).keys(query)
        case .union(let parts):
            for part in parts { try part.appendKeys(in: table, to: &keys) }
        case .superset(let access): try access.appendKeys(in: table, to: &keys)
        }
    }

    /// The number of candidates, if the index can count them without listing; else nil.
    func directCount(in table: TableView) throws(StorageError) -> Int? {
        guard case .equal(let column, let values) = self, values.count == 1,
            let index = table.index(of: column)
        else { return nil }
        return try index.count(equalTo: values[0].indexKey)
    }
}

extension ScanBound {
    fileprivate var indexBound: IndexBound {
        switch self {
        case .unbounded: .unbounded
        case .including(let value): .including(value.indexKey)
        case .excluding(let value): .excluding(value.indexKey)
        }
    }
}
