@testable import FreeholdStorage
import Testing

/// What storage computes of decimals, against sums that are known.
@Suite struct ScanTotalTests {
    private static func decimal(_ coefficient: Int64, _ exponent: Int) -> ScanValue {
        .decimal(
            coefficient.magnitude, UInt64(6176 + exponent) << 49 | (coefficient < 0 ? 1 << 63 : 0))
    }

    @Test(
        arguments: [
            // 0.1 + 0.2 is 0.3, and 1 / 3 has 34 digits.
            ([(1, -1), (2, -1)], (3, -1), (15, -2)),
            ([(1, 0), (0, 0), (0, 0)], (1, 0), nil),
            ([(10, 0), (-4, 0), (5, -1)], (65, -1), nil),
            ([(1, 30), (1, -3), (-1, 30)], (1, -3), nil),
            ([], (0, 0), nil),
        ] as [([(Int64, Int)], (Int64, Int), (Int64, Int)?)])
    func decimalsAddUp(values: [(Int64, Int)], sum: (Int64, Int), average: (Int64, Int)?) throws {
        try withTemporaryStore { store in
            let (column, snapshot) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Decimals")
                let column = writeSet.addColumn(
                    to: table, named: "list",
                    collection: StoredCollectionKind(.list, of: .decimal, isNullable: true))
                _ = writeSet.mutableTable(table).insertRow(RowKey(rawValue: 1))
                let tree = try #require(
                    writeSet.mutableTable(table).mutableCollection(
                        of: column, key: RowKey(rawValue: 1)))
                for (coefficient, exponent) in values {
                    tree.insert(.scalar(Self.decimal(coefficient, exponent)), at: tree.count)
                }
                tree.insert(.scalar(.null), at: 0)
                return column
            }
            let engine = ScanEngine(source: snapshot)
            let table = snapshot.table(TableID(rawValue: 1))
            func holds(_ aggregate: ScanAggregate, _ comparison: ScanComparison, _ value: ScanValue)
                throws -> Bool
            {
                let operand = ScanOperand.aggregate(
                    aggregate, ScanHop(.elements(column)), ScanPath(column: .element))
                return try engine.count(
                    .compareOperands(operand, comparison, .constant(value)), in: table) == 1
            }
            #expect(try holds(.sum, .equal, Self.decimal(sum.0, sum.1)))
            #expect(try !holds(.sum, .notEqual, Self.decimal(sum.0, sum.1)))
            if let average {
                #expect(try holds(.average, .equal, Self.decimal(average.0, average.1)))
            }
            if values.isEmpty {
                #expect(
                    try holds(.average, .equal, .null) && holds(.min, .equal, .null)
                        && holds(.max, .equal, .null))
            } else {
                #expect(
                    try holds(.min, .lessOrEqual, Self.decimal(sum.0, sum.1))
                        && !holds(.max, .equal, .null))
            }
        }
    }

    /// A third, rounded to 34 digits.
    @Test func averagesOfDecimalsAreRounded() throws {
        var total = DecimalTotal()
        total = total.adding(low: 1, high: 6176 << 49)
        guard case .decimal(let low, let high) = total.divided(by: 3) else {
            Issue.record("no decimal")
            return
        }
        let coefficient = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
        #expect(String(coefficient) == String(repeating: "3", count: 34))
        #expect(high >> 49 == 6176 - 34)
    }

    /// A coefficient has 34 digits at most; one of 35 would be read as zero.
    @Test func aSumOfOneDigitMore() throws {
        func words(_ coefficient: UInt128, _ exponent: Int) -> (low: UInt64, high: UInt64) {
            (
                UInt64(truncatingIfNeeded: coefficient),
                UInt64(6176 + exponent) << 49 | UInt64(truncatingIfNeeded: coefficient >> 64)
            )
        }
        let power33 = UInt128(10_000_000_000_000_000) * 100_000_000_000_000_000
        let largest = words(power33 * 10 - 1, 0), one = words(1, 0)
        let total = DecimalTotal().adding(low: largest.low, high: largest.high).adding(
            low: one.low, high: one.high
        ).divided(by: 1)
        guard case .decimal(let low, let high) = total else {
            Issue.record("\(total)")
            return
        }
        #expect(DecimalOrder.compare((low, high), words(power33, 1)) == 0)
    }
}
