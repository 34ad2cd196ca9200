/// A record to sort: an unsigned rank and the row that it belongs to.
struct SortRecord: BitwiseCopyable {
    var rank: UInt64
    /// A row key, or a position in a list of rows.
    var payload: Int64
}

/// A stable sort by rank: least significant digit first, eleven bits at a time.
///
/// One pass counts all six digits; a digit that all ranks share costs nothing more. A
/// comparison sort mispredicts twenty branches for each of a million records; a pass here is
/// one read and one write for each record.
enum RadixSort {
    private static let digitBits = 11
    private static let buckets = 1 << 11
    private static let digits = 6
    /// Below this many records, the tables of counts cost more than comparisons.
    private static let smallest = 192

    /// Sorts ascending by rank; equal ranks keep their order. O(count).
    ///
    /// - Parameter scratch: Room for as many records.
    static func sort(
        _ records: UnsafeMutableBufferPointer<SortRecord>,
        scratch: UnsafeMutableBufferPointer<SortRecord>
    ) {
        let count = records.count
        guard count > 1, let first = records.baseAddress, let second = scratch.baseAddress else {
            return
        }
        if count < smallest { return merge(first, second, count) { $0.rank <= $1.rank } }
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: digits * buckets) { counts in
            guard let counts = counts.baseAddress else { return }
            counts.initialize(repeating: 0, count: digits * buckets)
            countDigits(first, count, counts)
            var from = first
            var to = second
            for digit in 0..<digits {
                let table = counts + digit * buckets
                let shift = UInt64(digit * digitBits)
                let shared = Int(truncatingIfNeeded: from[0].rank &>> shift) & (buckets - 1)
                if table[shared] == UInt32(truncatingIfNeeded: count) { continue }
                var start: UInt32 = 0
                for bucket in 0..<buckets {
                    let size = table[bucket]
                    table[bucket] = start
                    start &+= size
                }
                var index = 0
                while index < count {
                    let record = from[index]
                    let bucket = Int(truncatingIfNeeded: record.rank &>> shift) & (buckets &- 1)
                    to[Int(truncatingIfNeeded: table[bucket])] = record
                    table[bucket] &+= 1
                    index &+= 1
                }
                swap(&from, &to)
            }
            if from != first { first.update(from: from, count: count) }
        }
    }

    private static func countDigits(
        _ records: UnsafeMutablePointer<SortRecord>, _ count: Int,
        _ counts: UnsafeMutablePointer<UInt32>
    ) {
        let mask = UInt64(buckets - 1)
        var index = 0
        while index < count {
            let rank = records[index].rank
            counts[Int(truncatingIfNeeded: rank & mask)] &+= 1
            counts[buckets &+ Int(truncatingIfNeeded: rank &>> 11 & mask)] &+= 1
            counts[2 &* buckets &+ Int(truncatingIfNeeded: rank &>> 22 & mask)] &+= 1
            counts[3 &* buckets &+ Int(truncatingIfNeeded: rank &>> 33 & mask)] &+= 1
            counts[4 &* buckets &+ Int(truncatingIfNeeded: rank &>> 44 & mask)] &+= 1
            counts[5 &* buckets &+ Int(truncatingIfNeeded: rank &>> 55)] &+= 1
            index &+= 1
        }
    }

    /// A stable merge sort by comparisons, from runs of one record up. Sorts `first`; `second`
    /// is room for as many records.
    @inline(__always)
    static func merge(
        _ first: UnsafeMutablePointer<SortRecord>, _ second: UnsafeMutablePointer<SortRecord>,
        _ count: Int, _ isInOrder: (SortRecord, SortRecord) -> Bool
    ) {
        var from = first
        var to = second
        var width = 1
        while width < count {
            var start = 0
            while start < count {
                let middle = min(start &+ width, count)
                let end = min(middle &+ width, count)
                // Already in order: only the two middle elements are compared.
                if middle == end || isInOrder(from[middle &- 1], from[middle]) {
                    (to + start).update(from: from + start, count: end &- start)
                    start = end
                    continue
                }
                var left = start
                var right = middle
                for target in start..<end {
                    if left < middle && (right == end || isInOrder(from[left], from[right])) {
                        to[target] = from[left]
                        left &+= 1
                    } else {
                        to[target] = from[right]
                        right &+= 1
                    }
                }
                start = end
            }
            swap(&from, &to)
            width *= 2
        }
        if from != first { first.update(from: from, count: count) }
    }
}
