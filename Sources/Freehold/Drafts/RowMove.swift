import FreeholdStorage

/// The keys of rows that got other ones, when a draft's edits were merged into another version.
///
/// A row that the draft had added gets another key if others have used its key meanwhile. A row
/// that the draft has added and that is gone, because it was deleted, undone or left out of the
/// merge, gets a negative key, which no other row has: what refers to it must not find the row of
/// others that has its old key. Undo and redo may bring such a row back, with yet another key.
struct RowMove {
    /// What was located in an earlier generation has the old keys.
    let generation: UInt64
    /// The new keys by the old ones.
    let keys: [TableID: [Int64: Int64]]

    /// The new key of a row.
    func key(_ old: Int64, in table: TableID) -> Int64 { keys[table]?[old] ?? old }
}

extension Sequence<RowMove> {
    /// The newest key of a row.
    func key(_ old: Int64, in table: TableID) -> Int64 {
        reduce(old) { $1.key($0, in: table) }
    }
}

extension BidirectionalCollection<RowMove> {
    /// The key of a row before all moves; nil if another row had it. O(moved rows).
    func originalKey(_ key: Int64, in table: TableID) -> Int64? {
        var key = key
        for move in reversed() {
            guard let keys = move.keys[table] else { continue }
            if let origin = keys.first(where: { $0.value == key })?.key {
                key = origin
            } else if keys[key] != nil {
                return nil
            }
        }
        return key
    }
}

extension RealmCore {
    /// The key of a row that had another one in a generation.
    func key(_ old: Int64, since generation: UInt64, in table: TableID) -> Int64 {
        var (key, generation) = (old, generation)
        follow(&key, since: &generation, in: table)
        return key
    }

    /// Follows the moves of a row since a generation. O(1) if there are none since.
    func follow(_ key: inout Int64, since generation: inout UInt64, in table: TableID) {
        guard let moves = draft?.moves else { return }
        var first = moves.count
        while first > 0, generation < moves[first - 1].generation { first -= 1 }
        for move in moves[first...] {
            guard let moved = move.keys[table]?[key] else { continue }
            key = moved
            generation = move.generation
        }
    }

    /// Notes that rows have other keys from now on.
    func note(_ keys: [TableID: [Int64: Int64]]) {
        guard let draft, keys.contains(where: { !$0.value.isEmpty }) else { return }
        draft.increments.moveRows(keys)
        generation &+= 1
        draft.moves.append(RowMove(generation: generation, keys: keys))
    }

    /// New keys for the rows that the draft has added and that edits lack. O(keys that it has
    /// used).
    ///
    /// - Parameter base: What the edits are compared with.
    func absentKeys(in edits: WriteSet, since base: TableSource) -> [TableID: [Int64: Int64]] {
        guard let used = writeSet?.usedRowKeys(since: base) else { return [:] }
        var absent: [TableID: [Int64: Int64]] = [:]
        for (table, range) in used {
            let keys = edits.table(table).absentKeys(in: range)
            if !keys.isEmpty { absent[table] = newAbsentKeys(for: keys) }
        }
        return absent
    }

    func newAbsentKeys(for keys: some Sequence<Int64>) -> [Int64: Int64] {
        guard let draft else { return [:] }
        var new: [Int64: Int64] = [:]
        for key in keys {
            new[key] = draft.nextAbsentKey
            draft.nextAbsentKey -= 1
        }
        return new
    }
}
