import FreeholdStorage
import Testing

/// Decides about the conflicts of a merge, and decides the same again.
final class Decisions {
    private let resolve: (Conflict) -> Resolution?
    private(set) var known: [Conflict: Resolution?] = [:]

    init(_ resolve: @escaping (Conflict) -> Resolution?) { self.resolve = resolve }

    func decide(_ conflict: Conflict) -> Resolution? {
        let decision = resolve(conflict)
        known[conflict] = .some(decision)
        return decision
    }
}

/// Merges once more with an excerpt of the base instead of its version, and expects the same.
func expectSameWithExcerpt(
    _ merge: ThreeWayMerge, base: TableSource, mine: TableSource, theirs: TableSource,
    into target: WriteSet, automaticKeys: Set<TableID> = [],
    counters: Counters = Counters(), _ decisions: Decisions, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let changes = ChangeSet(try VersionDifference(from: base, to: mine))
    let excerpt = try BaseExcerpt(of: base, for: changes)
    let detached = try ThreeWayMerge(
        mine: changes, theirs: ChangeSet(of: theirs, since: excerpt, for: changes), into: target,
        automaticKeys: automaticKeys, counters: counters
    ) { conflict in
        guard let decision = decisions.known[conflict] else {
            Issue.record(
                "The merge with three versions has no such conflict: \(conflict)",
                sourceLocation: sourceLocation)
            return nil
        }
        return decision
    }
    #expect(
        Set(detached.conflicts) == Set(merge.conflicts), comment, sourceLocation: sourceLocation)
    let found = detached.changes.contents
    var expected = merge.changes.contents
    if decisions.known.values.contains(.some(.mine)) {
        // Rows outside of the excerpt do not link again to a row that returns.
        expected.changed = expected.changed.filter { row, _ in
            found.changed[row] != nil
                || excerpt.tables[row.table]?.rows.contains(row.key) ?? false
        }
    }
    #expect(found == expected, comment, sourceLocation: sourceLocation)
    #expect(detached.newRows == merge.newRows, comment, sourceLocation: sourceLocation)
    #expect(detached.droppedRows == merge.droppedRows, comment, sourceLocation: sourceLocation)
}

/// All that is in a change set, to compare.
struct ChangeSetContents: Equatable {
    struct Row: Hashable {
        let table: TableID
        let key: Int64
    }

    var inserted: [Row: [ColumnID: StoredValue]] = [:]
    var deleted: Set<Row> = []
    var changed: [Row: [ColumnID: CellChange]] = [:]
}

extension ChangeSet {
    var contents: ChangeSetContents {
        var contents = ChangeSetContents()
        for (id, table) in tables {
            for (index, key) in table.inserted.keys.enumerated() {
                contents.inserted[.init(table: id, key: key)] = table.inserted.columns.mapValues {
                    $0[index]
                }
            }
            for key in table.deleted.keys { contents.deleted.insert(.init(table: id, key: key)) }
            for (column, cells) in table.columns {
                for (row, change) in zip(cells.rows, cells.changes) {
                    contents.changed[.init(table: id, key: row), default: [:]][column] = change
                }
            }
        }
        return contents
    }
}
