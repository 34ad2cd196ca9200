package import FreeholdStorage

/// The rows for the objects of an input, by their `"$key"`, in a class without a primary key of a
/// file that has rows.
///
/// A row's key is that of the input, moved behind all rows that the file had, so that millions of
/// objects need no list. Those whose places others took are listed.
package struct InputKeys {
    private let base: Int64
    /// Places behind `base` of rows that are not the input's, ascending.
    private var taken: [Range<Int64>] = []
    /// The rows of objects whose places are taken.
    private var moved: [Int64: Int64] = [:]
    /// The first key that the table did not use when it was last looked at.
    private var next: Int64

    package init(_ table: MutableTable) {
        base = max(0, table.nextRowKey().rawValue)
        next = base
    }

    /// The row of an object, which may not have been added yet; nil if it needs another place.
    package func row(of key: Int64) -> Int64? {
        if let row = moved[key] { return row }
        let (row, isTooGreat) = base.addingReportingOverflow(key)
        guard key >= 0, !isTooGreat, row < TableFacts.greatestNextRowKey - 1, !isTaken(row) else {
            return nil
        }
        return row
    }

    /// Notes that an object got another place.
    package mutating func note(_ key: Int64, at row: Int64) {
        moved[key] = row
        take(row..<row + 1)
    }

    /// Notes a row that was added for an object without a key.
    package mutating func take(_ row: Int64) { take(row..<row + 1) }

    /// Notes which keys the table has used when a transaction ends.
    package mutating func endTransaction(_ table: MutableTable) {
        next = table.nextRowKey().rawValue
    }

    /// Notes rows that others added since the last transaction.
    package mutating func beginTransaction(_ table: MutableTable) {
        let now = table.nextRowKey().rawValue
        if now > next { take(next..<now) }
        next = now
    }

    private mutating func take(_ rows: Range<Int64>) {
        if let last = taken.last, last.upperBound >= rows.lowerBound {
            taken[taken.count - 1] = last.lowerBound..<max(last.upperBound, rows.upperBound)
        } else {
            taken.append(rows)
        }
    }

    private func isTaken(_ row: Int64) -> Bool {
        var (low, high) = (0, taken.count)
        while low < high {
            let middle = (low + high) / 2
            if taken[middle].upperBound <= row { low = middle + 1 } else { high = middle }
        }
        return low < taken.count && taken[low].contains(row)
    }
}
