import Freehold
import FreeholdInspection
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Rows of large classes by position, which Studio shows.
@Suite struct LongResultsTests {
    @Test(arguments: [
        "name CONTAINS '1'", "SORT(name DESC)", "id < 500 SORT(name ASC, id DESC)",
        "DISTINCT(name)", "id > 10 LIMIT(77)", "name == 'none'", "id < -900 SORT(id ASC)",
    ]) func areThoseOfTheQuery(text: String) throws {
        let desk = try Desk()
        let random = Seed.random(8)
        try Shop.make(desk, "a.realm") { realm in
            var random = random
            for number in 0..<2_000 {
                realm.create(
                    Shop.Maker.self,
                    value: ["id": number * 3 - 900, "name": "\(random.next() % 50)"])
            }
        }
        let (path, key) = (desk.path("a.realm"), desk.key)
        try onNewThread {
            let realm = try InspectedFile(path: path, key: key).realm()
            let query = try StoredQuery(text, of: "Shop_Maker", in: realm)
            let expected = Array(query.results.rowKeys)
            let long = try #require(
                try LongResults(query, realm.storedSnapshot, leastCount: 100))
            #expect(long.count == expected.count)
            #expect(try long.keys(at: 0..<100_000) == expected)
            for start in stride(from: 0, to: expected.count, by: 313) {
                let range = start..<min(start + 40, expected.count)
                #expect(try long.keys(at: range) == Array(expected[range]))
                #expect(try long.position(ofRow: expected[start]) == start)
            }
            #expect(try long.position(ofRow: 1) == nil)
            #expect(
                try LongResults(query, realm.storedSnapshot, leastCount: 10_000) == nil)
        }
        desk.delete()
    }

    @Test(
        arguments: [
            [], [7], [-5, 3, 900], [Int64.min, 0, Int64.max], [Int64(UInt32.max), 0],
            [Int64(UInt32.max) + 1, 0], [Int64.max, Int64.max - 9], [Int64.min, Int64.min + 8],
        ] as [[Int64]]) func packedKeys(keys: [Int64])
    {
        let packed = PackedKeys(ContiguousArray(keys))
        #expect(packed.count == keys.count)
        #expect(packed[0..<keys.count] == keys)
        for (index, key) in keys.enumerated() { #expect(packed.firstIndex(of: key) == index) }
        #expect(packed.firstIndex(of: 12_345) == nil)
        let spread =
            keys.isEmpty
            ? 0
            : (keys.max() ?? 0).subtractingReportingOverflow(keys.min() ?? 0)
                .partialValue
        let isNarrow = !keys.isEmpty && UInt64(bitPattern: spread) <= UInt64(UInt32.max)
        #expect(packed.byteCount == keys.count * (isNarrow ? 4 : 8))
    }
}
