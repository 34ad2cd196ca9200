/// A text whose memory is stable during the sort: in a cluster's heap, or in a copy of a blob.
struct TextReference {
    var start: UnsafeRawPointer?
    var count: Int

    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// The eight bytes from `depth` on as a number that sorts like them; zero bytes after the
    /// end of the text.
    @inline(__always)
    func prefix(from depth: Int) -> UInt64 {
        let remaining = count &- depth
        guard remaining > 0, let start else { return 0 }
        if remaining >= 8 {
            return UInt64(bigEndian: start.loadUnaligned(fromByteOffset: depth, as: UInt64.self))
        }
        var prefix: UInt64 = 0
        var index = 0
        while index < 8 {
            prefix =
                prefix &<< 8
                | (index < remaining
                    ? UInt64(start.load(fromByteOffset: depth &+ index, as: UInt8.self)) : 0)
            index &+= 1
        }
        return prefix
    }
}

/// A stable sort of texts by their bytes: a radix sort by eight bytes, then by the next eight
/// for equal ones.
///
/// Comparisons finish runs of few texts, and runs in which a text ends, because its padding
/// could be mistaken for zero bytes.
struct TextSort {
    /// By position.
    let texts: UnsafePointer<TextReference>
    let scratch: UnsafeMutableBufferPointer<SortRecord>
    let ascending: Bool

    private static let fewest = 48

    /// Sorts records by the texts at their payloads. O(bytes that tell the texts apart).
    func sort(_ records: UnsafeMutableBufferPointer<SortRecord>) { sort(records, depth: 0) }

    private func sort(_ records: UnsafeMutableBufferPointer<SortRecord>, depth: Int) {
        if records.count < TextSort.fewest { return compare(records, depth: depth) }
        let flip: UInt64 = ascending ? 0 : .max
        for index in records.indices {
            records[index].rank =
                texts[Int(truncatingIfNeeded: records[index].payload)].prefix(from: depth) ^ flip
        }
        RadixSort.sort(
            records, scratch: UnsafeMutableBufferPointer(rebasing: scratch[..<records.count]))
        var start = 0
        while start < records.count {
            let rank = records[start].rank
            var end = start + 1
            var allGoOn = texts[Int(truncatingIfNeeded: records[start].payload)].count > depth + 8
            while end < records.count && records[end].rank == rank {
                if texts[Int(truncatingIfNeeded: records[end].payload)].count <= depth + 8 {
                    allGoOn = false
                }
                end += 1
            }
            if end - start > 1 {
                let run = UnsafeMutableBufferPointer(rebasing: records[start..<end])
                if allGoOn { sort(run, depth: depth + 8) } else { compare(run, depth: depth) }
            }
            start = end
        }
    }

    /// A merge sort by comparisons, of texts that share their first `depth` bytes.
    private func compare(_ records: UnsafeMutableBufferPointer<SortRecord>, depth: Int) {
        let count = records.count
        guard count > 1, let first = records.baseAddress, let second = scratch.baseAddress else {
            return
        }
        RadixSort.merge(first, second, count) { isInOrder($0, $1, depth) }
    }

    @inline(__always)
    private func isInOrder(_ a: SortRecord, _ b: SortRecord, _ depth: Int) -> Bool {
        let x = texts[Int(truncatingIfNeeded: a.payload)].buffer
        let y = texts[Int(truncatingIfNeeded: b.payload)].buffer
        let order = ByteComparison.compare(
            UnsafeRawBufferPointer(rebasing: x[min(depth, x.count)...]),
            UnsafeRawBufferPointer(rebasing: y[min(depth, y.count)...]))
        return ascending ? order <= 0 : order >= 0
    }
}
