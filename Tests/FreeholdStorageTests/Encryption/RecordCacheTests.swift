@testable import FreeholdStorage
import Testing

/// The cache of decrypted records.
@Suite struct RecordCacheTests {
    private static let size = 808
    /// With the allowance that each record has.
    private static let cost = 1_000

    private func place(_ number: Int) -> RecordPlace {
        RecordPlace(
            database: 0, kind: .node, number: UInt64(number), version: 1,
            attempt: WriteAttempt(high: 1, low: 1))
    }

    private func insert(_ numbers: some Sequence<Int>, in cache: RecordCache) {
        let bytes = [UInt8](repeating: 1, count: Self.size)
        for number in numbers {
            _ = bytes.withUnsafeBytes {
                cache.insert(EncryptedRecord(copying: $0, place: place(number)))
            }
        }
    }

    /// In their order, without being used by that.
    private func cached(_ cache: RecordCache, of numbers: Range<Int>) -> [Int] {
        numbers.filter { cache.record(at: place($0)) != nil }
    }

    @Test func itKeepsNoMoreThanItMay() {
        let cache = RecordCache(capacity: 10 * Self.cost)
        for round in 0..<5 {
            insert(round * 100..<round * 100 + 100, in: cache)
            #expect(cached(cache, of: 0..<500) == Array(round * 100 + 90..<round * 100 + 100))
        }
    }

    @Test func whatWasUsedLastStays() {
        let cache = RecordCache(capacity: 3 * Self.cost)
        insert(0..<3, in: cache)
        #expect(cache.record(at: place(0)) != nil)
        #expect(cache.record(at: place(0)) != nil)
        insert([3], in: cache)
        #expect(cached(cache, of: 0..<4) == [0, 2, 3])
        // They were looked at in this order.
        insert([4, 5], in: cache)
        #expect(cached(cache, of: 0..<6) == [3, 4, 5])
        #expect(cache.record(at: place(3)) != nil)
        insert([6], in: cache)
        #expect(cached(cache, of: 0..<7) == [3, 5, 6])
    }

    @Test func aRecordThatIsThereIsTheOneThatIsUsed() {
        let cache = RecordCache(capacity: 10 * Self.cost)
        let first = [1, 2].withUnsafeBytes {
            cache.insert(EncryptedRecord(copying: $0, place: place(1)))
        }
        let second = [3, 4].withUnsafeBytes {
            cache.insert(EncryptedRecord(copying: $0, place: place(1)))
        }
        #expect(first === second)
        insert(2..<100, in: cache)
        #expect(cached(cache, of: 0..<100) == Array(90..<100))
        let tooLarge = [UInt8](repeating: 0, count: 20 * Self.cost)
        _ = tooLarge.withUnsafeBytes {
            cache.insert(EncryptedRecord(copying: $0, place: place(200)))
        }
        #expect(cache.record(at: place(200)) == nil && cached(cache, of: 0..<100).count == 10)
    }
}
