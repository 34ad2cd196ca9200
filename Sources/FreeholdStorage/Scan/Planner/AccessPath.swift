/// One end of a range of an index.
enum ScanBound {
    case unbounded
    case including(ScanValue)
    case excluding(ScanValue)
}

/// An access path: finds rows without a scan, through an index or row keys.
indirect enum AccessPath {
    /// Rows by their keys, ascending. Such rows may not exist.
    case rowKeys(ContiguousArray<Int64>)
    /// The rows that an index finds for one of the values.
    case equal(ColumnID, [ScanValue])
    /// The rows that an index finds in a range.
    case range(ColumnID, from: ScanBound, to: ScanBound)
    /// The rows that link to one of a table's rows, by a column with counted backlinks.
    /// Includes the open transaction's changes.
    case backlinks(ColumnID, TableID, ContiguousArray<Int64>)
    /// The rows that a full-text index finds.
    case words(ColumnID, FullTextQuery)
    /// The rows of any of them.
    case union([AccessPath])
    /// A superset of the matching rows.
    case superset(AccessPath)

    /// The greatest length of a text that may bound a range: an index truncates values of more
    /// than 200 bytes.
    static let longestIndexedText = 199

    /// The rows with one of the texts. Index results for a long text must be verified.
    static func texts(_ texts: some Collection<[UInt8]>, _ column: ColumnID) -> AccessPath {
        let equal = AccessPath.equal(column, texts.map { .bytes($0) })
        return texts.contains { $0.count > longestIndexedText } ? .superset(equal) : equal
    }

    /// Whether the candidates that exist are exactly the matches.
    var isExact: Bool {
        switch self {
        case .rowKeys, .equal, .range, .backlinks: true
        case .words(_, let query): query.isExact
        case .union(let parts): parts.allSatisfy(\.isExact)
        case .superset: false
        }
    }

    /// Whether it looks up single values.
    var isPoint: Bool {
        switch self {
        case .rowKeys, .equal, .backlinks: true
        case .range, .words: false
        case .union(let parts): parts.allSatisfy(\.isPoint)
        case .superset(let access): access.isPoint
        }
    }

    /// Whether all candidates come from indexes, so that they exist in a clean table.
    var usesIndexesOnly: Bool {
        switch self {
        case .rowKeys(let keys): keys.isEmpty
        case .equal, .range, .backlinks, .words: true
        case .union(let parts): parts.allSatisfy(\.usesIndexesOnly)
        case .superset(let access): access.usesIndexesOnly
        }
    }

    /// Whether no candidate comes from an index, so that all changes of an open transaction are
    /// included.
    var isCurrent: Bool {
        switch self {
        case .rowKeys, .backlinks: true
        case .equal, .range, .words: false
        case .union(let parts): parts.allSatisfy(\.isCurrent)
        case .superset(let access): access.isCurrent
        }
    }

    /// The index look-ups, if all are for single values; nil if one is for a range.
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

    /// The number of index look-ups.
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
