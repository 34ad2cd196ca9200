/// Finds what a transaction changed, for other machines: before anything is written.
///
/// Rows without a primary key that can be shared, and without an owner that has one, are left
/// out. What only follows from a deletion, a link that became null, is no change of its own: the
/// deletion does it everywhere.
package struct SharedCapture {
    private let writeSet: WriteSet
    private let old: SharedRows
    private let new: SharedRows
    private var commit = SharedCommit()
    private var undo = SharedCommit()
    private var gone: Set<SharedReference> = []
    private var touched: [TableID: [Int64: Set<ColumnID>]] = [:]

    package init(_ writeSet: WriteSet) {
        self.writeSet = writeSet
        old = SharedRows(writeSet.base)
        new = SharedRows(writeSet)
    }

    /// The changes, and what takes them back; nil without any.
    ///
    /// - Throws: `valueTooLarge` for what other machines could not take: embedded objects that are
    ///   too deep in each other.
    package consuming func capture(path: String) throws(StorageError) -> (
        commit: SharedCommit, undo: SharedCommit
    )? {
        let difference = try VersionDifference(from: writeSet.base, to: writeSet)
        var embedded: [TableID: [ColumnID: ContiguousArray<Int64>]] = [:]
        for id in difference.changedTables.sorted() {
            let (before, now) = (writeSet.base.catalog[id], writeSet.catalog[id])
            guard let definition = now ?? before, !definition.isInternal else { continue }
            let changes = difference.changes(of: id)
            if definition.isOwned {
                embedded[id] = changes.modifications
                continue
            }
            noteRows(changes, before, now)
        }
        try noteOwners(of: embedded)
        for (id, rows) in touched {
            guard let table = writeSet.catalog[id] else { continue }
            for (row, columns) in rows { note(row, columns, of: table) }
        }
        if commit.isEmpty, undo.isEmpty { return nil }
        try commit.checkDepths(path: path)
        commit.author = writeSet.author
        commit.nonce = .random(in: .min ... .max)
        commit.define(by: writeSet.catalog)
        undo.define(by: writeSet.catalog)
        for (name, definition) in undo.defined(by: writeSet.base.catalog)
        where undo.classes[name] == nil { undo.classes[name] = definition }
        return (commit, undo)
    }

    private mutating func noteRows(
        _ changes: TableChanges, _ before: TableDefinition?, _ now: TableDefinition?
    ) {
        var replaced: ContiguousArray<Int64> = []
        if let now, let key = now.sharedKey, !now.usesPrimaryKeyAsRowKey {
            replaced = changes.modifications[key.id] ?? []
        }
        if let before {
            for row in changes.deletions + replaced {
                guard let object = old.object(row, of: before) else { continue }
                gone.insert(object)
                commit.deleted.append(object)
                undo.inserted.append(.init(object, old.values(row, of: before)))
            }
        }
        guard let now, now.sharedKey != nil else { return }
        for row in changes.insertions + replaced {
            guard let object = new.object(row, of: now) else { continue }
            commit.inserted.append(.init(object, new.values(row, of: now)))
            undo.deleted.append(object)
        }
        for (column, rows) in changes.modifications where now[column] != nil {
            for row in rows where !replaced.containsSorted(row) {
                touched[now.id, default: [:]][row, default: []].insert(column)
            }
        }
    }

    /// Notes the properties that changed embedded rows belong to.
    private mutating func noteOwners(of changed: [TableID: [ColumnID: ContiguousArray<Int64>]])
        throws(StorageError)
    {
        var work: [TableID: Set<Int64>] = [:]
        for (id, modifications) in changed {
            for rows in modifications.values { work[id, default: []].formUnion(rows) }
        }
        let owners = SharedOwners(writeSet)
        var depth = 0
        while !work.isEmpty, depth < SharedValue.greatestDepth {
            depth += 1
            var next: [TableID: Set<Int64>] = [:]
            for (id, rows) in work {
                for cell in try owners.owners(of: rows, in: id) {
                    if cell.table.isOwned {
                        next[cell.table.id, default: []].insert(cell.row)
                    } else {
                        touched[cell.table.id, default: [:]][cell.row, default: []].insert(
                            cell.column.id)
                    }
                }
            }
            work = next
        }
    }

    private mutating func note(_ row: Int64, _ columns: Set<ColumnID>, of table: TableDefinition) {
        guard let object = new.object(row, of: table), let before = old.table(table.name),
            old.object(row, of: before) == object
        else { return }
        var changes: [String: SharedCommit.Change] = [:]
        var values: [String: SharedCommit.Change] = [:]
        for id in columns {
            guard let column = table[id], id != table.primaryKey else { continue }
            let (was, now) = (
                old.value(row, column, of: before), new.value(row, column, of: table)
            )
            let left = was.withoutLinks { gone.contains($0) }
            // A link to an object that was deleted and added again with its key is a change.
            if was == now, left == now { continue }
            values[column.name] = .assign(was)
            let place = CellOfRow(table: table.id, row: row, column: id)
            if let amount = writeSet.increments[place], case .integer(let first) = left,
                case .integer(let second) = now, second &- first == amount
            {
                changes[column.name] = .add(amount)
            } else if column.collection == nil {
                // Also a list or a dictionary in a property of any value: it is one value.
                if left != now { changes[column.name] = .assign(now) }
            } else if let change = SharedCommit.Change(from: left, to: now) {
                changes[column.name] = change
            }
        }
        if !changes.isEmpty { commit.updated.append(.init(object, changes)) }
        if !values.isEmpty { undo.updated.append(.init(object, values)) }
    }
}

/// A commit that waits to be pushed, as the outbox has it:
///
///     format (UInt8, 1), commit (length, bytes), undo (length, bytes),
///     reported objects, then for each: UInt64
///
/// An entry without bytes only reserves its number.
package struct SharedOutboxEntry: Sendable {
    package var commit: ContiguousArray<UInt8>
    /// Takes the commit back from the local state.
    package var undo: ContiguousArray<UInt8>
    /// Hashes of what the program was told of: ``SharedApplier/LeftOut``.
    package var reported: Set<UInt64>

    package init(
        commit: ContiguousArray<UInt8>, undo: ContiguousArray<UInt8>, reported: Set<UInt64> = []
    ) {
        self.commit = commit
        self.undo = undo
        self.reported = reported
    }

    package func encoded() -> ContiguousArray<UInt8> {
        var out = ArchiveWriter()
        out.put(1 as UInt8)
        out.put(number: commit.count)
        out.put(raw: commit)
        out.put(number: undo.count)
        out.put(raw: undo)
        out.put(number: reported.count)
        for hash in reported.sorted() { out.put(hash) }
        return out.bytes
    }

    /// Nil for other bytes.
    package init?(decoding bytes: UnsafeRawBufferPointer) {
        var reader = ArchiveReader(bytes)
        do throws(ArchiveDamage) {
            guard try reader.integer(UInt8.self) == 1 else { return nil }
            commit = ContiguousArray(try reader.raw(try reader.number()))
            undo = ContiguousArray(try reader.raw(try reader.number()))
            reported = []
            for _ in 0..<(try reader.number()) { reported.insert(try reader.integer()) }
        } catch {
            return nil
        }
        if !reader.isAtEnd { return nil }
    }
}
