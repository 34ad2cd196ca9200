/// The newest entries of the history, in a record of the unnamed main database: those that would
/// be the last row (``HistoryRow``) of the table.
///
/// Every commit writes the one page of that database anyway. In the table, the last row costs each
/// commit two pages more. A full tail becomes a row.
///
/// Little-endian:
///
///     checksum (UInt64: XXH64 of the rest, its seed the table), number of the first entry (Int64),
///     number of the next one (Int64), mark of the last one (UInt64, 0 if there is none or it is
///     unknown), time (Float64), then the bytes of a row
///
/// Encrypted files have none: LMDB's databases have nothing but records of trees there.
struct HistoryTail {
    /// The number of the first entry of the tail; of the next one if the tail is empty.
    private(set) var first: Int64
    private(set) var next: Int64
    /// The mark of the entry before the next one.
    private(set) var lastMark: UInt64
    /// A time at or before that of the first entry of the whole history, so that most commits
    /// need not look whether it has expired.
    var oldest: Double
    /// As those of a ``HistoryRow``.
    private(set) var bytes: ContiguousArray<UInt8>

    private static let headSize = 40

    /// An empty tail.
    init(next: Int64, lastMark: UInt64) {
        first = next
        self.next = next
        self.lastMark = lastMark
        oldest = -.infinity
        bytes = []
    }

    /// Nil unless ``encoded(of:)`` can have made the bytes for the table.
    init?(decoding stored: UnsafeRawBufferPointer, of table: TableID) {
        guard stored.count >= Self.headSize else { return nil }
        func word(_ index: Int) -> UInt64 {
            UInt64(
                littleEndian: stored.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        let rest = UnsafeRawBufferPointer(rebasing: stored[8...])
        guard word(0) == Checksum.xxh64(rest, seed: UInt64(table.rawValue)) else { return nil }
        first = Int64(bitPattern: word(1))
        next = Int64(bitPattern: word(2))
        lastMark = word(3)
        oldest = Double(bitPattern: word(4))
        bytes = ContiguousArray(stored[Self.headSize...])
        guard first > 0, next >= first, next <= TableFacts.greatestNextRowKey,
            (next == first) == bytes.isEmpty
        else { return nil }
    }

    func encoded(of table: TableID) -> ContiguousArray<UInt8> {
        var out = ContiguousArray<UInt8>()
        out.reserveCapacity(Self.headSize + bytes.count)
        let head = (
            0 as UInt64, first.littleEndian, next.littleEndian, lastMark.littleEndian,
            oldest.bitPattern.littleEndian
        )
        withUnsafeBytes(of: head) { out.append(contentsOf: $0) }
        out.append(contentsOf: bytes)
        out.withUnsafeMutableBytes { out in
            let checksum = Checksum.xxh64(
                UnsafeRawBufferPointer(rebasing: out[8...]), seed: UInt64(table.rawValue))
            out.storeBytes(of: checksum.littleEndian, as: UInt64.self)
        }
        return out
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// The entries; nil without one, or if the bytes contradict their number. O(entries).
    var row: HistoryRow? {
        guard let row = HistoryRow(first: first, decoding: bytes), row.end == next else {
            return nil
        }
        return row
    }

    mutating func append(_ entry: ContiguousArray<UInt8>, mark: UInt64) {
        HistoryRow.append(entry, to: &bytes)
        lastMark = mark
        next += 1
    }

    /// Counts an entry that is in a row, like all before it.
    mutating func skip(mark: UInt64) {
        removeAll()
        lastMark = mark
        next += 1
        first = next
    }

    /// Removes the entries, which are in a row.
    mutating func removeAll() {
        first = next
        bytes = []
    }

    /// Replaces the entries by the last ones of them.
    ///
    /// - Precondition: The row ends with the tail.
    mutating func keep(_ row: HistoryRow) {
        first = row.first
        bytes = row.bytes
    }
}
