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
}
