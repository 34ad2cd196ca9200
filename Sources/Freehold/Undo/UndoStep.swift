import FreeholdStorage

/// Something that can be undone, kept as changes and not as a version of the file.
struct UndoStep {
    var name: String?
    /// Leads back, part by part: the first one is applied first.
    private(set) var parts: [DetachedChanges]
    /// About how much memory the parts take.
    private(set) var byteCount: Int

    init(name: String?, parts: [DetachedChanges]) {
        self.name = name
        self.parts = parts
        byteCount = Self.byteCount(of: parts)
    }

    /// Forgets parts that are the first to be applied.
    mutating func removeFirstParts(_ count: Int) {
        parts.removeFirst(count)
        byteCount = Self.byteCount(of: parts)
    }

    private static func byteCount(of parts: [DetachedChanges]) -> Int {
        parts.reduce(0) { $0 + $1.byteCount }
    }

    /// Follows rows that were given other keys.
    mutating func moveRows(_ moves: [RowMoves]) {
        if moves.isEmpty { return }
        for index in parts.indices {
            for move in moves { parts[index].moveRows(move.moved, dropping: move.dropped) }
        }
        byteCount = Self.byteCount(of: parts)
    }

    /// Leaves out rows that the step would bring back, because a merge has.
    ///
    /// - Parameter rows: Becomes those that the step would not have brought back.
    mutating func forgetReturn(of rows: inout [TableID: Set<Int64>]) {
        for index in parts.indices {
            for (table, keys) in parts[index].forgetAdding(rows) { rows[table]?.subtract(keys) }
        }
        byteCount = Self.byteCount(of: parts)
    }
}

/// The rows that a merge gave other keys, left out, or kept.
struct RowMoves {
    let moved: [TableID: [Int64: Int64]]
    let dropped: [TableID: Set<Int64>]
    /// Rows that the merged edits had deleted, and that are there again.
    var kept: [TableID: Set<Int64>] = [:]

    /// Nil if all rows are where they were.
    init?(_ merge: ThreeWayMerge) {
        if merge.newRows.isEmpty, merge.droppedRows.isEmpty { return nil }
        (moved, dropped) = (merge.newRows, merge.droppedRows)
    }

    /// - Parameter absent: The new keys of rows that are gone.
    init(_ merge: ThreeWayMerge, absent: [TableID: [Int64: Int64]]) {
        moved = merge.newRows.merging(absent) { $0.merging($1) { $1 } }
        dropped = merge.droppedRows
        kept = merge.keptRows
    }

    /// Rows with keys that only absent rows have get keys for the state that they return to; nil
    /// if there are none. O(rows).
    init?(returning changes: ChangeSet, to target: WriteSet) {
        var keys: [TableID: [Int64: Int64]] = [:]
        for (id, table) in changes.tables where !table.definition.usesPrimaryKeyAsRowKey {
            var next = target.nextRowKey(of: id)
            for key in table.inserted.keys where key < 0 {
                keys[id, default: [:]][key] = next
                next += 1
            }
        }
        if keys.isEmpty { return nil }
        (moved, dropped) = (keys, [:])
    }

    var isEmpty: Bool { moved.isEmpty && dropped.isEmpty && kept.isEmpty }
}

extension RealmCore {
    /// Applies a step to a write set, which is useless afterwards if there are conflicts.
    ///
    /// Delete rules are not applied: what they deleted or changed is part of the step.
    ///
    /// - Parameter isRedo: Whether the rows that the step adds are those that a program added.
    ///   They get other keys if the realm had assigned these and others took them. Rows that a
    ///   program deleted return with their keys or not at all.
    /// - Returns: The conflicts that were not settled, and the rows of the step that are others
    ///   now.
    func apply(
        _ step: UndoStep, isRedo: Bool, to target: WriteSet, counters: Counters = Counters(),
        resolving resolve: @escaping ConflictResolver
    ) throws(StorageError) -> (conflicts: [FoundConflict], moves: [RowMoves]) {
        var conflicts: [FoundConflict] = []
        var moves: [RowMoves] = []
        let automaticKeys = isRedo ? schema.tablesWithAutomaticKeys : []
        for part in step.parts {
            guard part.fits(target.catalog) else { throw classesChangedSinceStep }
            var part = part
            for move in moves { part.moveRows(move.moved, dropping: move.dropped) }
            if let returned = RowMoves(returning: part.changes, to: target) {
                part.moveRows(returned.moved)
                moves.append(returned)
            }
            let merge = try part.merge(
                into: target, automaticKeys: automaticKeys, counters: counters,
                resolving: resolve)
            let report = ConflictReport(
                self, base: target, mine: target, theirs: target, rows: part.changes)
            conflicts += merge.conflicts.map {
                FoundConflict(stored: $0, conflict: report.conflict($0), report: report)
            }
            try target.apply(merge.changes)
            if let move = RowMoves(merge) { moves.append(move) }
        }
        return (conflicts, moves)
    }

    private var classesChangedSinceStep: StorageError {
        StorageError(
            .schemaChanged,
            """
            The classes in "\(store.path)" have changed since the step that is to be undone or \
            redone. Forget the steps after a migration.
            """, path: store.path)
    }

    /// Runs an operation until it has no conflicts, and lets a program decide about each.
    ///
    /// - Parameters:
    ///   - resolve: Called between the attempts.
    ///   - attempt: Changes nothing if it returns conflicts.
    /// - Throws: ``DraftConflict`` if a conflict is left.
    func settlingConflicts(
        _ resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?,
        _ attempt: (@escaping ConflictResolver) throws -> [FoundConflict]
    ) throws {
        var decisions: [Conflict: Resolution] = [:]
        var known: Set<Conflict> = []
        while true {
            let settled = decisions
            let conflicts = try attempt { settled[$0] }
            if conflicts.isEmpty { return }
            var isNew = false
            for found in conflicts where known.insert(found.stored).inserted {
                guard let decision = try resolve(found.conflict),
                    let resolution = try found.report.resolution(decision, of: found.stored)
                else { continue }
                decisions[found.stored] = resolution
                isNew = true
            }
            if isNew { continue }
            throw DraftConflict(
                path: store.path, conflicts: conflicts.map(\.conflict), hidesValues: hidesValues)
        }
    }
}
