/// One end of a range of an index.
enum ScanBound {
    case unbounded
    case including(ScanValue)
    case excluding(ScanValue)
}

/// A way to find rows without scanning: by an ordered index, or by the row key.
indirect enum AccessPath {
    /// Rows by their keys, ascending. There may be no such rows.
    case rowKeys(ContiguousArray<Int64>)
    /// An index's rows with one of the values.
    case equal(ColumnID, [ScanValue])
    /// An index's rows in a range.
    case range(ColumnID, from: ScanBound, to: ScanBound)
    /// The rows that link to one of the rows of a table, by a column whose backlinks are
    /// counted. Knows what the open transaction changed.
    case backlinks(ColumnID, TableID, ContiguousArray<Int64>)
    /// The rows that a full-text index finds.
    case words(ColumnID, FullTextQuery)
    /// The rows of any of them.
    case union([AccessPath])
    /// More rows than those that match.
    case superset(AccessPath)

    /// The longest text that may bound a range: an index truncates values of more than 200 bytes.
    static let longestIndexedText = 199

    /// The rows with one of the texts. What an index finds of a long one must be compared.
    static func texts(_ texts: some Collection<[UInt8]>, _ column: ColumnID) -> AccessPath {
        let equal = AccessPath.equal(column, texts.map { .bytes($0) })
        return texts.contains { $0.count > longestIndexedText } ? .superset(equal) : equal
    }

    /// Whether the candidates, as far as they exist, are exactly the matches.
    var isExact: Bool {
        switch self {
        case .rowKeys, .equal, .range, .backlinks: true
        case .words(_, let query): query.isExact
        case .union(let parts): parts.allSatisfy(\.isExact)
        case .superset: false
        }
    }

    /// Whether it looks single values up.
    var isPoint: Bool {
        switch self {
        case .rowKeys, .equal, .backlinks: true
        case .range, .words: false
        case .union(let parts): parts.allSatisfy(\.isPoint)
        case .superset(let access): access.isPoint
        }
    }

    /// Whether all candidates come from indexes, so that they exist in a table that is not dirty.
    var usesIndexesOnly: Bool {
        switch self {
        case .rowKeys(let keys): keys.isEmpty
        case .equal, .range, .backlinks, .words: true
        case .union(let parts): parts.allSatisfy(\.usesIndexesOnly)
        case .superset(let access): access.usesIndexesOnly
        }
    }

    /// Whether no candidate comes from an index, so that an open transaction's changes are all
    /// seen.
    var isCurrent: Bool {
        switch self {
        case .rowKeys, .backlinks: true
        case .equal, .range, .words: false
        case .union(let parts): parts.allSatisfy(\.isCurrent)
        case .superset(let access): access.isCurrent
        }
    }

    /// What indexes are asked for, if that is single values only; nil if it is a range.
    var lookups: [ScanLookup]? {
        switch self {
        case .rowKeys, .backlinks: return []
        case .equal(let column, let values): return [ScanLookup(column: column, values: values)]
        case .range, .words: return nil
        case .union(let parts):
            var all: [ScanLookup] = []
            for part in parts {
                guard let lookups = part.lookups else { return nil }
                all += lookups
            }
            return all
        case .superset(let access): return access.lookups
        }
    }

    /// How many lookups it takes.
    var lookupCount: Int {
        switch self {
        case .rowKeys: 0
        case .backlinks(_, _, let targets): targets.count
        case .equal(_, let values): values.count
        case .range: 1
        case .words(_, let query): query.wordCount
        case .union(let parts): parts.reduce(0) { $0 + $1.lookupCount }
        case .superset(let access): access.lookupCount
        }
    }
}
