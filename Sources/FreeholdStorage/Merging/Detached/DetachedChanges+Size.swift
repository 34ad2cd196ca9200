extension DetachedChanges {
    /// About how much memory it takes. O(size).
    package var byteCount: Int {
        var size = MemoryLayout<DetachedChanges>.size
        for table in changes.tables.values {
            size += tableOverhead + table.inserted.byteCount + table.deleted.byteCount
            for cells in table.columns.values {
                size += arrayOverhead + cells.rows.count * MemoryLayout<Int64>.stride
                for change in cells.changes { size += change.byteCount }
            }
        }
        for table in base.tables.values { size += tableOverhead + table.rows.byteCount }
        return size
    }
}

/// The header of an array, as Swift's runtime allocates it.
private let arrayOverhead = 32
/// A table with its dictionaries. Its definition is shared with the catalog.
private let tableOverhead = 192

extension ChangeSet.Rows {
    fileprivate var byteCount: Int {
        if isEmpty { return 0 }
        var size = arrayOverhead + keys.count * MemoryLayout<Int64>.stride
        for values in columns.values { size += values.byteCount }
        return size
    }
}

extension CellChange {
    /// Its place, and what its values take beside it.
    fileprivate var byteCount: Int {
        var size = MemoryLayout<CellChange>.stride
        switch self {
        case .value(let old, let new): size += old.heapByteCount + new.heapByteCount
        case .list(let changes):
            for edit in changes.edits {
                size += MemoryLayout<ListChanges.Edit>.stride
                size += edit.removed.byteCount + edit.inserted.byteCount
            }
        case .set(let changes): size += changes.removed.byteCount + changes.added.byteCount
        case .map(let changes):
            for entry in changes.entries {
                size += MemoryLayout<MapChanges.Entry>.stride + arrayOverhead + entry.key.count
                size += (entry.old?.heapByteCount ?? 0) + (entry.new?.heapByteCount ?? 0)
            }
        }
        return size
    }
}

extension ContiguousArray<StoredValue> {
    fileprivate var byteCount: Int {
        reduce(arrayOverhead + count * MemoryLayout<StoredValue>.stride) { $0 + $1.heapByteCount }
    }
}

extension StoredValue {
    /// What the value takes beside its own place.
    fileprivate var heapByteCount: Int {
        switch self {
        case .plain(.text(let bytes)), .plain(.bytes(let bytes)): arrayOverhead + bytes.count
        case .plain: 0
        case .mixed(let value): value.heapByteCount
        case .list(let elements), .set(let elements): elements.byteCount
        case .map(let entries):
            entries.reduce(arrayOverhead) {
                $0 + MemoryLayout<MapEntry>.stride + arrayOverhead + $1.key.count
                    + $1.value.heapByteCount
            }
        }
    }
}

extension MixedValue {
    /// A mixed value is a box on the heap.
    fileprivate var heapByteCount: Int {
        switch self {
        case .text(let bytes), .bytes(let bytes): 2 * arrayOverhead + bytes.count
        case .list(let values, _):
            values.reduce(2 * arrayOverhead) { $0 + 8 + ($1?.heapByteCount ?? 0) }
        case .map(let entries, _):
            entries.reduce(2 * arrayOverhead) {
                $0 + 24 + arrayOverhead + $1.key.count + ($1.value?.heapByteCount ?? 0)
            }
        default: arrayOverhead
        }
    }
}
