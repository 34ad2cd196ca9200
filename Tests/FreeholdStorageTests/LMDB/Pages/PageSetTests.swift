import FreeholdTestSupport
import Testing

@testable import FreeholdStorage

@Suite("Page set")
struct PageSetTests {
    @Test(arguments: [0, 1, 63, 64, 65, 127, 128, 200, 1_000])
    func runsAreCounted(count: Int) {
        var generator = Seed.random(UInt64(count))
        for density in [0, 10, 50, 90, 99, 100] {
            var set = PageSet(count: count)
            var isIn = Array(repeating: false, count: count)
            for page in 0..<count where generator.int(0...99) < density {
                isIn[page] = true
                let (isNew, isNewAgain) = (set.insert(UInt64(page)), set.insert(UInt64(page)))
                #expect(isNew && !isNewAgain)
            }
            for length in [1, 2, 5, 16, 63, 64, 65, 200] {
                let runs = isIn.split(separator: false).map(\.count)
                #expect(
                    set.pageCount(inRunsOf: length) == runs.filter { $0 >= length }.reduce(0, +),
                    "\(density) %, runs of \(length)")
            }
        }
    }

    /// A page that both have is told, wherever it is; the counts are those of both.
    @Test func unions() {
        for shared in [nil, 0, 63, 64, 199] as [UInt64?] {
            var set = PageSet(count: 200), other = PageSet(count: 200)
            for page in 1..<63 as Range<UInt64> { _ = set.insert(page) }
            for page in 65..<199 as Range<UInt64> { _ = other.insert(page) }
            for page in [500, 501] as [UInt64] { _ = other.insert(page) }
            other.freeCount = 7
            if let shared {
                _ = set.insert(shared)
                _ = other.insert(shared)
            }
            let isDisjoint = set.formUnion(other)
            #expect(isDisjoint == (shared == nil), "\(String(describing: shared))")
            #expect(set.insertedCount == 62 + 136 + (shared == nil ? 0 : 2))
            #expect(set.countBehindEnd == 2 && set.freeCount == 7)
            let isNew = set.insert(100)
            #expect(!isNew)
        }
    }
}
