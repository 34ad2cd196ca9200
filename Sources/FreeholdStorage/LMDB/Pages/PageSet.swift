/// A set of a file's pages, one bit each.
///
/// A walk collects the pages that it has visited. A page that occurs twice is damage; finding
/// it also keeps the walk from endless loops.
struct PageSet {
    private var words: [UInt64]
    private let count: UInt64
    /// The number of inserted pages, including those behind the end of the file.
    private(set) var insertedCount = 0
    /// The number of inserted pages behind the end of the file.
    private(set) var countBehindEnd = 0
    /// The number of inserted pages that the free list names.
    var freeCount = 0

    init(count: Int) {
        self.count = UInt64(count)
        words = Array(repeating: 0, count: count / 64 + 1)
    }

    /// - Returns: Whether the page was not yet in the set. Pages behind the end of the file are
    ///   not stored: only the free list may name them.
    mutating func insert(_ page: UInt64) -> Bool {
        if page < count {
            let (word, bit) = (Int(page / 64), UInt64(1) << (page % 64))
            if words[word] & bit != 0 { return false }
            words[word] |= bit
        } else {
            countBehindEnd += 1
        }
        insertedCount += 1
        return true
    }

    /// Adds the pages of another set of the same file's.
    ///
    /// - Returns: Whether none of them was in the set.
    mutating func formUnion(_ other: PageSet) -> Bool {
        var common: UInt64 = 0
        for index in words.indices {
            common |= words[index] & other.words[index]
            words[index] |= other.words[index]
        }
        insertedCount += other.insertedCount
        countBehindEnd += other.countBehindEnd
        freeCount += other.freeCount
        return common == 0
    }

    /// The number of pages in runs of at least `length` neighbours. O(pages of the file / 64 +
    /// runs).
    func pageCount(inRunsOf length: Int) -> Int {
        var total = 0
        forEachRun { if $0.count >= length { total += $0.count } }
        return total
    }

    /// Visits the pages of the set in maximal ranges, in ascending order.
    /// O(pages of the file / 64 + runs).
    func forEachRun(_ body: (Range<Int>) -> Void) {
        var run = 0
        for (index, word) in words.enumerated() {
            if word == .max {
                run += 64
                continue
            }
            var position = 0
            while position < 64 {
                let ones = min((~(word >> position)).trailingZeroBitCount, 64 - position)
                run += ones
                position += ones
                guard position < 64 else { break }
                let end = index * 64 + position
                if run > 0 { body(end - run..<end) }
                run = 0
                position += (word >> position).trailingZeroBitCount
            }
        }
        if run > 0 { body(words.count * 64 - run..<words.count * 64) }
    }
}
