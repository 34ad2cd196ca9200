/// Some of a file's pages, a bit each.
///
/// A walk keeps those that it has accounted for: a page that occurs twice is damage, also what
/// keeps a walk from going round in circles.
struct PageSet {
    private var words: [UInt64]
    private let count: UInt64
    /// How many pages were put in, those behind the end of the file included.
    private(set) var insertedCount = 0
    /// How many of them are behind the end of the file.
    private(set) var countBehindEnd = 0
    /// How many of them the free list names.
    var freeCount = 0

    init(count: Int) {
        self.count = UInt64(count)
        words = Array(repeating: 0, count: count / 64 + 1)
    }

    /// - Returns: Whether the page was not in the set. Pages behind the end of the file are not
    ///   kept: only the free list may name them.
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

    /// How many pages of the set lie beside others of it, `length` or more in a row. O(pages of
    /// the file / 64 + runs).
    func pageCount(inRunsOf length: Int) -> Int {
        var total = 0
        forEachRun { if $0.count >= length { total += $0.count } }
        return total
    }

    /// Visits the pages of the set in ranges as long as possible, in ascending order.
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
