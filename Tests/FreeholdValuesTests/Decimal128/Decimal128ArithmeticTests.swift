import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct Decimal128ArithmeticTests {
    private let least: Decimal128 = "1E-6176"
    private let leastNormal: Decimal128 = "1E-6143"

    @Test func resultsKeepThePreferredExponent() {
        #expect(("1.20" + "1.3" as Decimal128).stringValue == "2.50")
        #expect(("1.20" * "1.30" as Decimal128).stringValue == "1.5600")
        #expect(("2.40" / "2" as Decimal128).stringValue == "1.20")
        #expect(("6E3" / "2E1" as Decimal128).stringValue == "3E2")
        #expect(("1" / "8" as Decimal128).stringValue == "0.125")
        #expect(("1E3" + "1E3" as Decimal128).stringValue == "2E3")
    }

    @Test func inexactQuotientsRoundToEven() {
        #expect((1 / 3 as Decimal128).stringValue == "0.3333333333333333333333333333333333")
        #expect((2 / 3 as Decimal128).stringValue == "0.6666666666666666666666666666666667")
    }

    @Test(arguments: [
        // The last digit that fits is even, odd, and the tail is less than, equal to, or more
        // than a half.
        ("1000000000000000000000000000000000", "0.5", "1000000000000000000000000000000000"),
        ("1000000000000000000000000000000001", "0.5", "1000000000000000000000000000000002"),
        (
            "1000000000000000000000000000000000", "0.5000000000000000000000000000000001",
            "1000000000000000000000000000000001"
        ),
        (
            "1000000000000000000000000000000001", "0.4999999999999999999999999999999999",
            "1000000000000000000000000000000001"
        ),
        ("9999999999999999999999999999999999", "0.5", "1.000000000000000000000000000000000E34"),
        ("1000000000000000000000000000000000", "-1E-6176", "1000000000000000000000000000000000"),
    ])
    func sumsRoundHalvesToEven(lhs: String, rhs: String, expected: String) throws {
        let sum = try Decimal128(string: lhs) + Decimal128(string: rhs)
        #expect(sum.stringValue == expected)
    }

    @Test func overflowIsInfinite() {
        #expect((Decimal128.max + Decimal128.max).stringValue == "Infinity")
        #expect((Decimal128.min * 10).stringValue == "-Infinity")
        #expect((Decimal128.max / least).stringValue == "Infinity")
        // Half of the last place of the greatest number rounds to infinity, less does not.
        #expect((Decimal128.max + "5E6110").isInfinite)
        #expect(Decimal128.max + "4.999E6110" == .max)
    }

    @Test func underflowIsSubnormalThenZero() {
        #expect((leastNormal / 10).stringValue == "1E-6144")
        #expect((least / 2).stringValue == "0E-6176")
        #expect((least * "0.51").stringValue == "1E-6176")
        #expect((least * 3 / 2).stringValue == "2E-6176")
        #expect((-least / 3).stringValue == "-0E-6176")
        #expect((least * least).stringValue == "0E-6176")
        #expect((leastNormal - least).stringValue == "9.99999999999999999999999999999999E-6144")
    }

    @Test func largeExponentsAreClampedByAddingZeros() {
        #expect(("1E6144" as Decimal128).stringValue == "1.000000000000000000000000000000000E6144")
        #expect(("0E9999" as Decimal128).stringValue == "0E6111")
        #expect(("0E-9999" as Decimal128).stringValue == "0E-6176")
        #expect(("1E6145" as Decimal128).isInfinite)
    }

    @Test func zerosHaveSigns() {
        #expect((1 - 1 as Decimal128).stringValue == "0")
        #expect(("-0" + "-0" as Decimal128).stringValue == "-0")
        #expect(("-0" + "0" as Decimal128).stringValue == "0")
        #expect((-Decimal128.zero).stringValue == "-0")
        #expect((0 * -5 as Decimal128).stringValue == "-0")
        #expect((1 / -Decimal128.zero).stringValue == "-Infinity")
    }

    @Test func operationsWithoutMeaningAreNaN() {
        let infinity = Decimal128.infinity
        #expect((0 / 0 as Decimal128).isNaN)
        #expect((infinity - infinity).isNaN)
        #expect((infinity * 0).isNaN)
        #expect((infinity / infinity).isNaN)
        #expect((1 / infinity).isZero)
        #expect((infinity + 1).isInfinite)
        #expect((-infinity * infinity).stringValue == "-Infinity")
    }

    @Test func nansPropagateQuietlyTheSignalingFirst() {
        #expect(("NaN5" + "1" as Decimal128).stringValue == "NaN5")
        #expect(("1" - "-NaN5" as Decimal128).stringValue == "-NaN5")
        #expect(("NaN5" * "sNaN6" as Decimal128).stringValue == "NaN6")
        #expect(("sNaN7" / "NaN" as Decimal128).stringValue == "NaN7")
    }

    @Test func signsAndCompoundAssignment() {
        var number: Decimal128 = 10
        number += 5
        number -= 3
        number *= 4
        number /= 6
        #expect(number == 8)
        number.negate()
        #expect(number == -8)
        #expect(number.magnitude == 8)
        #expect((-Decimal128.infinity).magnitude == .infinity)
        #expect(number.distance(to: 2) == 10)
        #expect(number.advanced(by: 9) == 1)
        #expect([1, 2, 3.5].reduce(Decimal128.zero, +) == 6.5)
    }

    @Test func identitiesHoldForRandomNumbers() {
        var random = Seed.random()
        for _ in 0..<5_000 {
            let (a, b) = (random.number(), random.number())
            random.expect(a + b == b + a, "\(a) + \(b)")
            random.expect(a * b == b * a, "\(a) * \(b)")
            random.expect(a - b == -(b - a), "\(a) - \(b)")
            random.expect((a - a).isZero || !a.isFinite, "\(a)")
            random.expect(a * 1 == a && a / 1 == a && a + 0 == a, "\(a)")
        }
    }
}
