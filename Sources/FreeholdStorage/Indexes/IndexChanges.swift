import Glibc

/// The changes of one index, gathered in memory, then applied in key order.
///
/// Values stand one behind the other in `arena`; a change refers to its bytes. Sorting compares the first 8 bytes as an
/// integer and looks into the arena only where those are equal.
struct IndexChanges {
    private struct Change {
        var prefix: UInt64
        var offset: Int
        var length: Int32
        var isRemoval: Bool
        var rowKey: Int64
    }

    private var arena = ContiguousArray<UInt8>()
    private var changes = ContiguousArray<Change>()

    var isEmpty: Bool { changes.isEmpty }

    mutating func reserve(_ count: Int) {
        changes.reserveCapacity(count)
        arena.reserveCapacity(count * 12)
    }

    /// The same value for the same row twice, once added and once removed, cancels out: callers pass differences only.
    mutating func append(_ value: IndexKey, rowKey: Int64, isRemoval: Bool) {
        append(rowKey: rowKey, isRemoval: isRemoval) { arena in arena.append(contentsOf: value.bytes) }
    }

    /// For text without zero bytes that is short enough, the common case: no `IndexKey` is made.
    mutating func append(plainText text: UnsafeRawBufferPointer, rowKey: Int64, isRemoval: Bool) {
        append(rowKey: rowKey, isRemoval: isRemoval) { arena in
            arena.append(1)
            arena.append(contentsOf: text)
            arena.append(0)
            arena.append(0)
        }
    }

    @inline(__always)
    private mutating func append(rowKey: Int64, isRemoval: Bool, _ encode: (inout ContiguousArray<UInt8>) -> Void) {
        let offset = arena.count
        encode(&arena)
        let length = arena.count - offset
        var prefix: UInt64 = 0
        for index in 0..<8 { prefix = prefix << 8 | (index < length ? UInt64(arena[offset + index]) : 0) }
        changes.append(Change(prefix: prefix, offset: offset, length: Int32(length), isRemoval: isRemoval, rowKey: rowKey))
    }

    /// Calls `body` once per value in order of the values, with its removals and additions in ascending order of the row keys.
    mutating func forEachValue(
        _ body: (_ value: UnsafeRawBufferPointer, _ removed: ContiguousArray<Int64>, _ added: ContiguousArray<Int64>) throws(StorageError) -> Void
    ) throws(StorageError) {
        var changes = changes
        self.changes = []
        let arena = arena
        var failure: StorageError?
        arena.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            func order(_ a: Change, _ b: Change) -> Int {
                if a.prefix != b.prefix { return a.prefix < b.prefix ? -1 : 1 }
                let order = memcmp(start + a.offset, start + b.offset, Int(min(a.length, b.length)))
                return order != 0 ? Int(order) : Int(a.length) - Int(b.length)
            }
            changes.sort { a, b in
                if a.prefix != b.prefix { return a.prefix < b.prefix }
                let order = order(a, b)
                return order != 0 ? order < 0 : a.rowKey < b.rowKey
            }
            var removed = ContiguousArray<Int64>()
            var added = ContiguousArray<Int64>()
            var index = 0
            while index < changes.count {
                let first = changes[index]
                removed.removeAll(keepingCapacity: true)
                added.removeAll(keepingCapacity: true)
                while index < changes.count, order(first, changes[index]) == 0 {
                    if changes[index].isRemoval { removed.append(changes[index].rowKey) } else { added.append(changes[index].rowKey) }
                    index += 1
                }
                do throws(StorageError) {
                    try body(UnsafeRawBufferPointer(start: start + first.offset, count: Int(first.length)), removed, added)
                } catch {
                    failure = error
                    return
                }
            }
        }
        if let failure { throw failure }
    }
}
