import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct Decimal128TextTests {
    @Test(arguments: [
        "0", "-0", "1", "-1", "0.1", "12.50", "0.000001", "0.0000012", "1E-7", "1.2E-7", "0E-7",
        "0.000000", "1E1", "0E2",
        "1.50E10", "Infinity", "-Infinity", "NaN", "-NaN", "sNaN", "NaN123", "-sNaN9",
        "NaN999999999999999999999999999999999", "9.999999999999999999999999999999999E6144",
        "1E-6176",
    ])
    func canonicalTextIsKept(text: String) throws {
        #expect(try Decimal128(string: text).stringValue == text)
    }

    /// Realm's texts of its own tests, and their neighbours.
    @Test(arguments: [
        ("1234567890e123", "1.23456789E132"), ("11.111110", "11.11111"), ("-1.0", "-1"),
        ("12.50", "12.5"), ("100", "100"),
        ("100.00", "100"), ("0.000", "0"), ("-0.0", "-0"), ("0E-7", "0"), ("0E2", "0E2"),
        ("1.50E-9", "1.5E-9"), ("10E5", "1E6"),
        ("1.000000000000000000000000000000000E6144", "1E6144"), ("Infinity", "Infinity"),
        ("-NaN7", "-NaN7"), ("10", "10"),
    ])
    func descriptionsEndWithoutZeros(text: String, expected: String) throws {
        let number = try Decimal128(string: text)
        #expect("\(number)" == expected)
        #expect(try Decimal128(string: expected) == number)
        #expect(
            String(decoding: try JSONEncoder().encode([number]), as: UTF8.self)
                == "[\"\(expected)\"]")
    }

    @Test(arguments: [
        ("+1", "1"), (".5", "0.5"), ("5.", "5"), ("007", "7"), ("1e3", "1E3"), ("1E+03", "1E3"),
        ("-1.0e-2", "-0.010"),
        ("inf", "Infinity"), ("+iNfInItY", "Infinity"), ("nan", "NaN"), ("SNAN", "sNaN"),
        ("NaN007", "NaN7"),
        ("1e99999999999999999999999999", "Infinity"),
        ("-1e-99999999999999999999999999", "-0E-6176"),
        ("0e99999999999999999999999999", "0E6111"), ("0.00", "0.00"),
    ])
    func otherSpellingsAreRead(text: String, expected: String) throws {
        #expect(try Decimal128(string: text).stringValue == expected)
    }

    @Test func longTextsCountEveryDigit() throws {
        let zeros = String(repeating: "0", count: 10_000)
        #expect(try Decimal128(string: "0.\(zeros)1e10001").stringValue == "1")
        #expect(try Decimal128(string: "1\(zeros)e-10000") == 1)
        let half = "1000000000000000000000000000000000.5"
        #expect(
            try Decimal128(string: half + zeros).stringValue == "1000000000000000000000000000000000"
        )
        #expect(
            try Decimal128(string: half + zeros + "1").stringValue
                == "1000000000000000000000000000000001")
    }

    @Test(arguments: [
        "", "+", "-", ".", "e5", "1e", "1e+", "1.2.3", "1 ", " 1", "1_000", "1,5", "--1", "0x10",
        "1e5.0", "abc", "in", "infinit",
        "nan1a", "sinf", "s", "N", "NaN1000000000000000000000000000000000", "１", "1\0",
    ])
    func malformedTextsThrow(text: String) throws {
        let error = try #require(throws: ValueFormatError.self) { try Decimal128(string: text) }
        #expect(error.text == text)
        #expect(
            error.message.hasPrefix("Invalid Decimal128 string '\(text)': must be a decimal number")
        )
        #expect(error.localizedDescription == error.message)
    }

    @Test func malformedLiteralsTrap() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = "12,5" as Decimal128
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("Invalid Decimal128 string '12,5': must be a decimal number"))
    }

    @Test func textKeepsTheBitsOfRandomNumbers() throws {
        var random = Seed.random()
        for _ in 0..<5_000 {
            let number = random.number()
            let again = try Decimal128(string: number.stringValue)
            random.expect(
                again.highBits == number.highBits && again.lowBits == number.lowBits, "\(number)")
        }
    }

    @Test func textOfRandomBitsReadsBackAsAnEqualValue() throws {
        var random = Seed.random()
        for _ in 0..<5_000 {
            let number = Decimal128(highBits: random.next(), lowBits: random.next())
            let again = try Decimal128(string: number.stringValue)
            random.expect(
                again == number && again.isNegative == number.isNegative
                    && again.stringValue == number.stringValue, "\(number)")
        }
    }

    @Test func codableIsAString() throws {
        let values: [Decimal128] = ["1.50", "-Infinity", "NaN", "1E-6176"]
        let data = try JSONEncoder().encode(values)
        #expect(String(decoding: data, as: UTF8.self) == #"["1.5","-Infinity","NaN","1E-6176"]"#)
        #expect(
            try JSONDecoder().decode([Decimal128].self, from: data).map(\.description)
                == values.map(\.description))
    }

    @Test func jsonNumbersDecode() throws {
        let json =
            """
            [5, -9223372036854775808, 0.1, 12345678901234567890.123456789, 1e300, 1e-200, \
            18446744073709551615]
            """
        let expected: [Decimal128] = [
            5, "-9223372036854775808", "0.1", "12345678901234567890.123456789", "1e300", "1e-200",
            "18446744073709551615",
        ]
        #expect(try JSONDecoder().decode([Decimal128].self, from: Data(json.utf8)) == expected)
    }

    @Test func undecodableValuesThrow() throws {
        for json in [#"["x"]"#, "[true]", "[{}]", "[null]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([Decimal128].self, from: Data(json.utf8))
            }
        }
    }
}
