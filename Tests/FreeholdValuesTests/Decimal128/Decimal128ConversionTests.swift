import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct Decimal128ConversionTests {
    @Test func constants() {
        #expect(Decimal128().stringValue == "0")
        #expect(Decimal128.zero == 0)
        #expect(Decimal128.max.stringValue == "9.999999999999999999999999999999999E6144")
        #expect(Decimal128.min.stringValue == "-9.999999999999999999999999999999999E6144")
        #expect(MemoryLayout<Decimal128>.size == 16)
    }

    @Test func interchangeBits() {
        // 1 is 1 * 10^0, the exponent biased by 6176 above 113 bits of significand.
        let one: Decimal128 = 1
        #expect(one.highBits == 0x3040_0000_0000_0000 && one.lowBits == 1)
        let amount: Decimal128 = "-12.50"
        #expect(amount.highBits == 0xB03C_0000_0000_0000 && amount.lowBits == 1250)
        #expect(
            Decimal128.max.highBits == 0x5FFF_ED09_BEAD_87C0
                && Decimal128.max.lowBits == 0x378D_8E63_FFFF_FFFF)
        #expect(Decimal128.infinity.highBits == 0x7800_0000_0000_0000)
        #expect(Decimal128.nan.highBits == 0x7C00_0000_0000_0000)
        #expect(Decimal128.signalingNaN.highBits == 0x7E00_0000_0000_0000)
    }

    @Test func classification() {
        let quiet = Decimal128.nan, signaling = Decimal128.signalingNaN,
            infinity = -Decimal128.infinity
        #expect(
            quiet.isNaN && !quiet.isSignalingNaN && !quiet.isSignaling && !quiet.isInfinite
                && !quiet.isFinite)
        #expect(
            signaling.isNaN && signaling.isSignalingNaN && signaling.isSignaling
                && !signaling.isInfinite)
        #expect(
            infinity.isInfinite && infinity.isNegative && !infinity.isNaN && !infinity.isFinite
                && !infinity.isZero)
        #expect(Decimal128.max.isFinite && !Decimal128.max.isNegative && !Decimal128.max.isZero)
        #expect(("-0.00" as Decimal128).isZero && ("-0" as Decimal128).isNegative)
    }

    @Test func literals() {
        let integer: Decimal128 = 42, fraction: Decimal128 = 0.1, text: Decimal128 = "1.10"
        #expect(integer.stringValue == "42")
        #expect(fraction.stringValue == "0.1")
        #expect(text.stringValue == "1.10")
        #expect(Decimal128(integerLiteral: .min).stringValue == "-9223372036854775808")
        #expect(Decimal128(floatLiteral: 1e22).stringValue == "1E22")
    }

    @Test func integers() throws {
        let nines: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999
        #expect(try #require(Decimal128(exactly: UInt64.max)).stringValue == "18446744073709551615")
        #expect(try #require(Decimal128(exactly: Int8.min)).stringValue == "-128")
        #expect(
            try #require(Decimal128(exactly: nines)).stringValue
                == "9999999999999999999999999999999999")
        #expect(
            try #require(Decimal128(exactly: (nines - 9) * 1000)).stringValue
                == "9.999999999999999999999999999999990E36")
        #expect(Decimal128(exactly: nines * 1000 + 1) == nil)
        #expect(Decimal128(exactly: UInt128.max) == nil)
        #expect(Decimal128(UInt128.max).stringValue == "3.402823669209384634633746074317682E38")
        #expect(Decimal128(Int128.min).stringValue == "-1.701411834604692317316873037158841E38")
        let count = 7
        #expect(Decimal128(count) == 7)
    }

    @Test func doubles() {
        #expect(Decimal128(1000.0).stringValue == "1000")
        #expect(Decimal128(-0.0).stringValue == "-0")
        #expect(Decimal128(Float(0.1)).stringValue == "0.1")
        #expect(Decimal128(Double.infinity).stringValue == "Infinity")
        #expect(Decimal128(-Double.nan).isNaN)
        #expect(("1E400" as Decimal128).doubleValue == .infinity)
        #expect(("-1E-400" as Decimal128).doubleValue.bitPattern == (-0.0 as Double).bitPattern)
        #expect(Decimal128.nan.doubleValue.isNaN)
        #expect(Decimal128.signalingNaN.doubleValue.isNaN)
        #expect((-Decimal128.infinity).doubleValue == -.infinity)
        var random = Seed.random()
        for _ in 0..<5_000 {
            let double = Double(bitPattern: random.next())
            guard double.isFinite else { continue }
            random.expect(
                Decimal128(double).doubleValue.bitPattern == double.bitPattern, "\(double)")
        }
    }

    @Test func decimals() throws {
        for text in [
            "0", "1.5", "-12345678901234567890.123", "1e127", "1e-128",
            "9999999999999999999999999999999999e-20",
        ] {
            let decimal = try #require(Decimal(string: text))
            #expect(try Decimal128(string: text).decimalValue == decimal)
            #expect(try Decimal128(decimal) == Decimal128(string: text))
        }
        #expect(Decimal128(Decimal.nan).isNaN)
        #expect(Decimal128.nan.decimalValue.isNaN)
        #expect(Decimal128.infinity.decimalValue.isNaN)
        #expect(Decimal128.max.decimalValue.isNaN)
        #expect(
            ("1E164" as Decimal128).decimalValue.description == "1"
                + String(repeating: "0", count: 164))
        #expect(("1E165" as Decimal128).decimalValue.isNaN)
        #expect(("1E-6176" as Decimal128).decimalValue == 0)
        #expect(("25E-129" as Decimal128).decimalValue == Decimal(string: "2e-128"))
        #expect(("35E-129" as Decimal128).decimalValue == Decimal(string: "4e-128"))
        let long = try #require(Decimal(string: "12345678901234567890123456789012345678"))
        #expect(Decimal128(long).stringValue == "1.234567890123456789012345678901235E37")
    }

    @Test func numbers() {
        #expect(Decimal128(number: 5).stringValue == "5")
        #expect(Decimal128(number: -5 as NSNumber).stringValue == "-5")
        #expect(
            Decimal128(number: NSNumber(value: UInt64.max)).stringValue == "18446744073709551615")
        #expect(
            Decimal128(number: NSNumber(value: Int64.min)).stringValue == "-9223372036854775808")
        #expect(Decimal128(number: NSNumber(value: 0.1)).stringValue == "0.1")
        #expect(Decimal128(number: NSNumber(value: Float(0.1))).stringValue == "0.1")
        #expect(Decimal128(number: NSNumber(value: true)).stringValue == "1")
        #expect(Decimal128(number: NSDecimalNumber(string: "12.25")).stringValue == "12.25")
        #expect(
            Decimal128(number: NSDecimalNumber(string: "0.1234567890123456789")).stringValue
                == "0.1234567890123456789")
    }

    @Test func values() throws {
        let optional: Int? = 9
        let cases: [(any Sendable, String)] = [
            (5, "5"), (Int8(-5), "-5"), (UInt64.max, "18446744073709551615"),
            (Int64.max, "9223372036854775807"),
            (UInt128.max, "3.402823669209384634633746074317682E38"),
            (0.1, "0.1"), (Float(0.1), "0.1"), ("1.50", "1.50"), (Substring("7"), "7"), (true, "1"),
            (false, "0"),
            (try #require(Decimal(string: "0.12345678901234567890")), "0.1234567890123456789"),
            ("1.0" as Decimal128, "1.0"), (optional, "9"),
        ]
        for (value, expected) in cases {
            #expect(Decimal128(value: value).stringValue == expected, "\(type(of: value))")
        }
        #expect(Decimal128(value: NSNumber(value: 12)).stringValue == "12")
        #expect(Decimal128(value: NSNumber(value: 1)).stringValue == "1")
        #expect(Decimal128(value: NSNumber(value: 2.5)).stringValue == "2.5")
        #expect(
            Decimal128(value: NSNumber(value: UInt64.max)).stringValue == "18446744073709551615")
        #expect(
            Decimal128(value: NSDecimalNumber(string: "0.1234567890123456789")).stringValue
                == "0.1234567890123456789")
        #expect(Decimal128(value: NSString("8.0")).stringValue == "8.0")
    }

    @Test func valuesOfOtherTypesTrap() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = Decimal128(value: [1])
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("Cannot convert value '[1]' of type 'Array<Int>' to decimal128"))
    }
}
