/// The bytes of a row with entries: one after the other, each behind its length as LEB128. The
/// row's key is the number of the first one.
///
/// Entries share a row, so that few commits write the table's directory and its facts, which are
/// pages of their own. In a plain file they gather in the tail (``HistoryTail``), which becomes a
/// row when it is full. In an encrypted file, commits write the last row again.
struct HistoryRow {
    /// The number of the first entry.
    let first: Int64
    /// Where each entry is.
    private(set) var ranges: ContiguousArray<Range<Int>> = []
    private(set) var bytes: ContiguousArray<UInt8>

    /// How many bytes a row with several entries has at most: two rows fill a page of LMDB's.
    static func mostBytes(_ layout: StorageLayout) -> Int {
        min(1_600, 4 * layout.longestInlineValue)
    }

    /// The most bytes that the length of an entry takes that shares a row.
    static let lengthSize = 2

    /// An empty row.
    init(first: Int64) {
        self.first = first
        bytes = []
    }

    /// Nil if the bytes are damaged. O(entries).
    init?(first: Int64, decoding bytes: ContiguousArray<UInt8>) {
        self.first = first
        self.bytes = bytes
        let found = bytes.withUnsafeBytes { buffer -> ContiguousArray<Range<Int>>? in
            var ranges: ContiguousArray<Range<Int>> = []
            var start = 0
            while start < buffer.count {
                var reader = ArchiveReader(UnsafeRawBufferPointer(rebasing: buffer[start...]))
                guard let length = try? reader.number() else { return nil }
                let begin = start + reader.offset
                let (end, isHuge) = begin.addingReportingOverflow(length)
                guard length > 0, !isHuge, end <= buffer.count else { return nil }
                ranges.append(begin..<end)
                start = end
            }
            return ranges
        }
        guard let found, !found.isEmpty, Int64.max - first >= Int64(found.count) else {
            return nil
        }
        ranges = found
    }

    var count: Int { ranges.count }

    /// The number after those of the row.
    var end: Int64 { first + Int64(count) }

    mutating func append(_ entry: ContiguousArray<UInt8>) {
        Self.append(entry, to: &bytes)
        ranges.append(bytes.count - entry.count..<bytes.count)
    }

    /// Adds an entry to the bytes of a row.
    static func append(_ entry: ContiguousArray<UInt8>, to bytes: inout ContiguousArray<UInt8>) {
        var length = ArchiveWriter()
        length.put(number: entry.count)
        bytes.reserveCapacity(bytes.count + length.bytes.count + entry.count)
        bytes += length.bytes
        bytes += entry
    }

    /// The row without its first entries; not for all of them.
    func dropping(_ count: Int) -> HistoryRow {
        var row = HistoryRow(first: first + Int64(count))
        for range in ranges[count...] { row.append(ContiguousArray(bytes[range])) }
        return row
    }

    func head(of sequence: Int64) -> HistoryEntry.Head? {
        guard (first..<end).contains(sequence) else { return nil }
        return withBytes(of: sequence) { HistoryEntry.head(decoding: $0, sequence: sequence) }
    }

    /// Nil if the row does not have the entry, or the entry is damaged.
    func entry(_ sequence: Int64) -> HistoryEntry? {
        guard (first..<end).contains(sequence) else { return nil }
        return withBytes(of: sequence) { try? HistoryEntry(decoding: $0, sequence: sequence) }
    }

    /// - Precondition: The row has the entry.
    func withBytes<Result>(of sequence: Int64, _ body: (UnsafeRawBufferPointer) -> Result)
        -> Result
    {
        bytes.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[ranges[Int(sequence - first)]]))
        }
    }
}
