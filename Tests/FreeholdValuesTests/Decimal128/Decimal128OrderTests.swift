import FreeholdRealmTestSupport
import Freehold
import FreeholdTestSupport
import Testing

@Suite struct Decimal128OrderTests {
    private let ascending: [[Decimal128]] = [
        ["NaN", "-NaN", "sNaN", "NaN99"],
        ["-Infinity"],
        [.min, "-9999999999999999999999999999999999E6111"],
        ["-1E6144"],
        ["-10", "-1E1", "-10.00"],
        ["-1.000000000000000000000000000000001"],
        ["-1", "-1.0", "-1.000000000000000000000000000000000"],
        ["-1E-6143", "-10E-6144"],
        ["-1E-6176"],
        ["0", "-0", "0E6111", "0E-6176", "-0.000"],
        ["1E-6176"],
        ["2E-6176"],
        ["9E-6176"],
        ["1E-6175", "10E-6176"],
        ["0.1", "0.10"],
        ["1", "1.0", "1.000000000000000000000000000000000"],
        ["9999999999999999999999999999999999"],
        ["1E34", "10000000000000000000000000000000000"],
        [.max],
        ["Infinity"],
    ]

    @Test func orderEqualityHashAndKeyAgree() {
        let ranked = ascending.enumerated().flatMap { rank, values in values.map { (rank, $0) } }
        for (lhsRank, lhs) in ranked {
            for (rhsRank, rhs) in ranked {
                #expect((lhs < rhs) == (lhsRank < rhsRank), "\(lhs) < \(rhs)")
                #expect((lhs <= rhs) == (lhsRank <= rhsRank), "\(lhs) <= \(rhs)")
                #expect((lhs == rhs) == (lhsRank == rhsRank), "\(lhs) == \(rhs)")
                #expect(
                    (lhs.sortKey < rhs.sortKey) == (lhsRank < rhsRank), "key of \(lhs) < \(rhs)")
                #expect(
                    (lhs.sortKey == rhs.sortKey) == (lhsRank == rhsRank), "key of \(lhs) == \(rhs)")
                if lhs == rhs {
                    #expect(lhs.hashValue == rhs.hashValue, "hash of \(lhs) and \(rhs)")
                }
            }
        }
    }

    @Test func ieeeComparisonsLeaveNaNUnordered() {
        let nan = Decimal128.nan
        #expect(
            !nan.isEqual(to: nan) && !nan.isLess(than: 1) && !(1 as Decimal128).isLess(than: nan))
        #expect(!nan.isLessThanOrEqualTo(nan))
        #expect(("1.0" as Decimal128).isEqual(to: "1.00"))
        #expect((1 as Decimal128).isLess(than: 2) && !(2 as Decimal128).isLess(than: 2))
        #expect((2 as Decimal128).isLessThanOrEqualTo(2))
    }

    @Test func setsHoldOneOfEachCohort() {
        let values: Set<Decimal128> = ["1", "1.0", "1.00", "0", "-0", "NaN", "sNaN"]
        #expect(values.count == 3)
    }

    @Test func orderOfDoublesIsKept() {
        var random = Seed.random()
        for _ in 0..<5_000 {
            let lhs = Double(bitPattern: random.next())
            let rhs = Bool.random(using: &random) ? lhs.nextUp : Double(bitPattern: random.next())
            guard lhs.isFinite, rhs.isFinite else { continue }
            let (left, right) = (Decimal128(lhs), Decimal128(rhs))
            random.expect(
                (left < right) == (lhs < rhs) && (left == right) == (lhs == rhs),
                "\(lhs) and \(rhs)")
        }
    }

    @Test func noncanonicalBitsAreValues() {
        // A significand of more than 34 digits, in each of the two forms, is zero.
        let plain = Decimal128(highBits: 0x3041_FFFF_FFFF_FFFF, lowBits: .max)
        let wide = Decimal128(highBits: 0x6C10_0000_0000_0000, lowBits: 1)
        #expect(plain == 0 && wide == 0)
        #expect(plain.isZero && wide.isZero)
        #expect(plain.stringValue == "0")
        #expect(plain + 1 == 1)
        #expect(plain.hashValue == wide.hashValue)
    }
}
