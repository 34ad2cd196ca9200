import Foundation
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@testable import Freehold

/// The engine of MATCHES against that of Foundation, which is ICU's.
@Suite struct RegularExpressionTests {
    /// Whether ICU matches the whole text; nil if it refuses the pattern.
    private static func reference(_ pattern: String, ignoresCase: Bool) -> ((String) -> Bool)? {
        guard
            let expression = try? NSRegularExpression(
                pattern: "\\A(?:\(pattern))\\z", options: ignoresCase ? .caseInsensitive : [])
        else { return nil }
        return {
            expression.firstMatch(in: $0, range: NSRange(location: 0, length: $0.utf16.count))
                != nil
        }
    }

    private static let texts = [
        "", "a", "b", "ab", "ba", "aab", "abab", "abc", "aaaa", "A", "aB", "É", "é", "e\u{301}",
        "ß", "ſ", "K", "\u{212A}", "ς", "Σ", "İ", "ı", "ǅ", "Ω", "Ω",
        "a b", "a-b", "a_b", "a.b", "1", "12", "a1", "٣", "\n", "a\n", "a\r\n", "\r\n", "a\nb",
        "a\r\nb", "a\u{2028}", "\u{85}", "\u{0B}", "\r", "\n\n", "a\r",
        "\t", " ", "\u{A0}", "\u{3000}", "日本", "😀", "👨‍👩‍👧", "a\u{200D}b", "a\u{300}b", " \u{300}",
        "[", "]", "\\", "^", "$", "a|b", "(", "*", "a{2}", "-", "&", "Freehold",
    ]

    private static let patterns = [
        "", "a", "ab", "a|b", "a|", "|a", "(a|b)*", "(a*)*", "(|a)+", "(a+)+b", "a?b?", "a{2}",
        "a{1,2}b", "a{0}b", "a{2,}", "a*?b", "a+?", ".", "..", ".*", ".+", "(?s).", "(?s)..",
        "(?s).*", "(?s)a.b", "(?s)a..", "(?s).\n", "^a$", "a$", "a$\n", "a$\r\n", "a\\Z\n",
        "\\Aa\\z", "a^b", "(?m)a$\n^b", "(?m)a$\r\n^b", "(?m)a\r^\nb", "(?m)a\r$\nb", "(?m)a\n^",
        "(?m)\n$\n",
        "(?m)^", "$", "\\Z", "\n$", "\r$\n", "$\r\n", "\\n", "\\r\\n", "\\t", "\\x61", "\\x{61}",
        "\\u0061", "\\U00000061", "\\0141", "\\uD83D\\uDE00", "\\cA", "[abc]", "[^abc]", "[a-c]+",
        "[^\\d]", "[\\w.]+", "[]]", "[^]]", "[]a]", "[a\\]]", "[-a]", "[a-]", "[\\-a]", "[\\--a]",
        "[\\--/]", "[a&&b]", "[[a-c]&&[b-d]]", "[a-c&&b-d]", "[a-c--b]", "[[a-c]--[b]]",
        "[^a-c&&b-d]", "[\\w--a]",
        "[\\w&&[^a]]", "[[:alpha:]]", "[[:^alpha:]]", "[[:digit:][:upper:]]", "[[:punct:]]",
        "[[:space:]]", "[[:alnum:]_]", "[[:xdigit:]]", "[[:blank:]]", "[[:cntrl:]]",
        "[\\p{L}\\p{N}]", "[^\\p{L}]",
        "\\p{L}", "\\P{L}", "\\p{Lu}", "\\p{Letter}", "\\p{gc=Ll}", "\\p{Alphabetic}",
        "\\p{White_Space}", "\\p{Uppercase}", "\\p{lowercase letter}", "\\p{Nd}", "\\p{M}",
        "\\p{Emoji}", "\\p{Any}",
        "\\d", "\\D", "\\s", "\\S", "\\w", "\\W", "\\h", "\\H", "\\v", "\\V", "\\R", "\\R\\R",
        "\\R*", "a\\Rb", "\\ba\\b", "\\Ba", "a\\B.b", "a\\b.\\bb", "a\\b..b", "a.\\bb", "a..b",
        ".\\b", ".\\B",
        "\\b", "\\B", "(?:a)b", "(?<name>a)b", "(?i)ab", "a(?i)b", "a(?i:b)", "(?i)a(?-i)b",
        "((?i)a)b", "(?i:a|b)B", "(?#text)a", "\\Qa|b\\E", "\\Qa.\\Eb", "a\\.b", "\\$", "\\^",
        "\\*", "\\[", "\\]",
        "]", "a\\{2\\}", "\\Q(\\E", "(?i)k", "(?i)é", "(?i)σ", "(?i)[k]", "(?i)[^k]", "(?i)[a-b]+",
        "(?i)\\p{Lu}", "(?i)\\P{Lu}", "(?i)[\\p{Lu}]", "(?i)[^\\p{Lu}]", "(?i)s", "(?i)[s]",
        "(?i)å", "(?i)i",
        "(?i)[^a&&b]", "(?im)A$\\nb", "\\G.", "\\-", "\\e|\\f|\\a", "(a|ab)(c|bcd)?",
        "(?i)freeHOLD", "[\\x{1F600}-\\x{1F64F}]", "[日本]+", "日.", "\\/", "-", "&", "#", "[ -~]+",
        "[\\u0300-\\u036f]", "e[\\u0301]",
    ]

    @Test(arguments: [false, true])
    func patternsAndTexts(ignoresCase: Bool) throws {
        for pattern in Self.patterns {
            let reference = try #require(
                Self.reference(pattern, ignoresCase: ignoresCase), "ICU refuses '\(pattern)'")
            let expression: RegularExpression
            do {
                expression = try RegularExpression(pattern, ignoresCase: ignoresCase)
            } catch {
                Issue.record("'\(pattern)': \(error)")
                continue
            }
            for text in Self.texts {
                #expect(
                    expression.matches(text) == reference(text),
                    "'\(pattern)' and '\(text.debugDescription)', \(ignoresCase)")
            }
        }
    }

    @Test func randomPatterns() throws {
        var random = Seed.random()
        var (compared, refused) = (0, 0)
        for _ in 0..<3_000 {
            let pattern = Self.pattern(&random, depth: 0)
            let ignoresCase = random.int(0...3) == 0
            guard let expression = try? RegularExpression(pattern, ignoresCase: ignoresCase) else {
                refused += 1
                continue
            }
            guard let reference = Self.reference(pattern, ignoresCase: ignoresCase) else {
                Issue.record("ICU refuses '\(pattern)'")
                continue
            }
            for _ in 0..<12 {
                let text = (0..<random.int(0...7)).map { _ in random.pick(Self.letters) }.joined()
                #expect(
                    expression.matches(text) == reference(text),
                    "'\(pattern)' and \(text.debugDescription), \(ignoresCase)")
                compared += 1
            }
        }
        #expect(compared > 20_000 && refused < 300, "\(compared) compared, \(refused) refused")
    }

    private static let letters = [
        "a", "b", "A", "B", "c", "1", " ", "\n", "\r", "é", "É", "\u{301}", "_", "😀", "k",
        "\u{212A}",
    ]

    /// What may match the empty text is not repeated: ICU stops such a loop too early, and so
    /// misses matches.
    private static func pattern(_ random: inout SeededGenerator, depth: Int) -> String {
        part(&random, depth: depth).text
    }

    private static func part(_ random: inout SeededGenerator, depth: Int) -> (
        text: String, isNullable: Bool
    ) {
        func atom() -> (text: String, isNullable: Bool) {
            switch random.int(0...(depth > 2 ? 9 : 12)) {
            case 0...3: return (random.pick(["a", "b", "A", "c", "1", "é", "k", "😀"]), false)
            case 4: return (".", false)
            case 5:
                return (
                    random.pick([
                        "\\d", "\\w", "\\W", "\\s", "\\S", "\\p{L}", "\\P{Lu}", "\\R", "\\v",
                    ]), false
                )
            case 6, 7:
                return (
                    random.pick([
                        "[ab]", "[^a]", "[a-c]", "[^\\w]", "[\\w--[a]]", "[[a-k]&&[^b]]", "[\\s1]",
                        "[É_]", "[^a-z&&b-c]",
                    ]), false
                )
            case 8: return (random.pick(["\\b", "\\B", "^", "$", "\\Z", "(?:)"]), true)
            case 9:
                return random.pick([
                    ("\\r\\n", false), ("\\n", false), ("(?s:.)", false), ("(?i:ab)", false),
                    ("(?m:$)", true), ("(?m:^)", true),
                ])
            default:
                let inner = part(&random, depth: depth + 1)
                return (random.pick(["(", "(?:", "(?i:"]) + inner.text + ")", inner.isNullable)
            }
        }
        let alternatives = (0..<random.pick([1, 1, 1, 2, 3])).map { _ in
            var (text, isNullable) = ("", true)
            for _ in 0..<random.int(0...4) {
                let next = atom()
                let quantifier =
                    next.isNullable
                    ? ""
                    : random.pick([
                        "", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?", "??",
                    ])
                text += next.text + quantifier
                if !next.isNullable, !["*", "?", "{0,2}", "*?", "??"].contains(quantifier) {
                    isNullable = false
                }
            }
            return (text: text, isNullable: isNullable)
        }
        return (
            alternatives.map(\.text).joined(separator: "|"),
            alternatives.contains(where: \.isNullable)
        )
    }

    /// Every scalar that has a case, by itself and in a set: simple folding is ICU's.
    @Test func caseOfAllScalars() throws {
        // Of Unicode 13: ICU and the standard library need not know the same later ones.
        let all = (UInt32(0x80)..<0x1_F000).compactMap { Unicode.Scalar($0) }.filter { scalar in
            scalar.properties.changesWhenCaseMapped
                && scalar.properties.age.map { $0.major <= 13 } == true
        }
        var differences: [String] = []
        for scalar in all {
            let pattern = "\\x{\(String(scalar.value, radix: 16))}"
            let expression = try RegularExpression(pattern, ignoresCase: true)
            let variants = [
                scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping,
                scalar.properties.titlecaseMapping,
            ].filter { $0.unicodeScalars.count == 1 }
            guard let reference = Self.reference(pattern, ignoresCase: true) else { continue }
            for text in variants
            where expression.matches(text) != reference(text)
                && text.unicodeScalars.allSatisfy({ ($0.properties.age?.major ?? 99) <= 13 })
            { differences.append("\(pattern) \(text)") }
        }
        #expect(all.count > 2_000)
        #expect(differences == [])
    }

    // MARK: What is refused

    private static let refused: [(String, Int, String)] = [
        ("(", 1, "a ')' is missing"), ("a)", 2, "no '('"), ("*a", 1, "nothing for '*' to repeat"),
        ("a**", 3, "nothing for '*' to repeat"), ("a{2}{3}", 5, "nothing for '{' to repeat"),
        ("(a)\\1", 4, "back reference is not supported"),
        ("(?<n>a)\\k<n>", 8, "back reference is not supported"),
        ("(?=a)a", 1, "look-ahead is not supported"), ("a(?!b)", 2, "look-ahead"),
        ("(?<=a)b", 1, "look-behind"), ("(?<!a)b", 1, "look-behind"),
        ("(?>a+)b", 1, "atomic group"), ("a++", 3, "possessive quantifier"),
        ("(?x)a b", 3, "flag 'x'"), ("\\X", 1, "\\X is not supported"),
        ("\\p{Greek}", 1, "property 'Greek' is not supported"),
        ("\\N{DIGIT ONE}", 1, "\\N is not supported"), ("[a", 1, "a ']' is missing"),
        ("[b-a]", 2, "greater end"), ("[]", 1, "']' is missing"),
        ("[[a]-[b]]", 5, "&& and --"), ("[\\b]", 2, "no member of a set"),
        ("a{3,2}", 2, "greater count"), ("a{x}", 2, "a count is written"),
        ("{", 1, "stands for itself only behind"), ("\\", 1, "nothing follows"),
        ("\\x{110000}", 1, "no such Unicode scalar"), ("\\uD800", 1, "no such Unicode scalar"),
        ("\\q", 1, "\\q is not supported"), ("\\b*", 3, "nothing for '*' to repeat"),
        ("(?<1>a)", 4, "group's name"), ("[[:nope:]]", 2, "property 'nope'"),
        ("\\pL", 1, "a property is written"), ("\\p{L", 1, "a '}' is missing"),
        ("[\\", 2, "nothing follows"), ("\\x{61", 1, "a '}' is missing"),
        ("a\\c", 2, "a letter follows"), ("\\u00", 1, "4 hexadecimal digits"),
        ("\\xg", 1, "hexadecimal digits are missing"), ("\\08", 1, "1 to 3 octal digits"),
        ("[\\d-a]", 4, "begins and ends with single"),
        ("[a-\\d]", 2, "begins and ends with single"), ("[a&&]", 1, "no members"),
        ("[a-[b]]", 4, "&& and --"), ("[a-c-e]", 5, "stands for itself has a"),
        ("[a-", 3, "a ']' is missing"), ("[[:alpha]]", 2, "a ':]' is missing"),
        ("(?", 1, "group of this kind"), ("(?#a", 1, "a ')' is missing"),
        ("a{2", 2, "a count is written"), ("a{10001}", 2, "greater than 10000"),
        ("(a{100}){101}", 1, "more than 10000 steps"),
    ]

    @Test func refusals() {
        for (pattern, position, reason) in Self.refused {
            let error = #expect(throws: RegularExpressionError.self) {
                try RegularExpression(pattern, ignoresCase: false)
            }
            #expect(error?.position == position, "\(pattern)")
            #expect(error?.reason.contains(reason) == true, "\(pattern): \(error?.reason ?? "")")
            #expect(error?.remedy.isEmpty == false)
        }
    }

    /// The error of a predicate names the place in the pattern.
    @Test func theErrorOfAPredicate() throws {
        try withTemporaryRealm([LimitNode.self]) { realm in
            let error = #expect(throws: RealmPredicateError.self) {
                try RealmPredicate("name MATCHES '(a)\\\\1'").check(LimitNode.self, in: realm)
            }
            #expect(error?.message == "Can't open pattern '(a)\\1'")
            #expect(
                error?.remedy.hasPrefix("At character 4 a back reference is not supported.") == true
            )
        }
    }

    // MARK: Time and memory

    /// Shapes that take a time exponential in the text's length of an engine that goes back.
    @Test(arguments: [
        "(a+)+$", "(a|a)*b", "(a*)*b", "(a|aa)+$", "(.*)*x", "(a?){30}a{30}", "(?i)(A+)+b",
        "(([a-c])+.)+[d]", "^(a+)+$",
    ])
    func noShapeTakesLong(_ pattern: String) throws {
        try withTemporaryRealm([LimitNode.self]) { realm in
            let text = String(repeating: "a", count: 30)
            try realm.write {
                for id in 0..<201 {
                    _ = realm.create(
                        LimitNode.self,
                        value: ["id": id, "name": text + (id == 0 ? "" : "!")] as [String: Any])
                }
            }
            #expect(realm.objects(LimitNode.self).filter("name MATCHES %@", pattern).count <= 1)
            // Steps are counted, not seconds: 100 KB are 100,000 times the program's size at most.
            #expect(
                try !RegularExpression(pattern, ignoresCase: false).matches(
                    String(repeating: "a", count: 100_000) + "!"))
        }
    }

    @Test func deepAndLargePatterns() throws {
        try runOnSmallStack { () throws -> Void in
            for count in [100, 101, 50_000] {
                let groups =
                    String(repeating: "(", count: count) + "a"
                    + String(repeating: ")*", count: count)
                let sets =
                    String(repeating: "[", count: count) + "a"
                    + String(repeating: "]", count: count)
                for pattern in [groups, sets] {
                    if count == 100 {
                        #expect(try RegularExpression(pattern, ignoresCase: true).matches("a"))
                    } else {
                        let error = #expect(throws: RegularExpressionError.self) {
                            try RegularExpression(pattern, ignoresCase: false)
                        }
                        #expect(error?.reason.contains("nested more than 100 deep") == true)
                    }
                }
            }
            #expect(
                try RegularExpression("a{9999}", ignoresCase: false).matches(
                    String(repeating: "a", count: 9_999)))
            #expect(
                try RegularExpression(
                    "((((((){1000}){1000}){1000}){1000}){1000}){1000}", ignoresCase: false
                ).matches(""))
            #expect(throws: RegularExpressionError.self) {
                try RegularExpression("((((a{99}){99}){99}){99}){99}", ignoresCase: false)
            }
            #expect(throws: RegularExpressionError.self) {
                try RegularExpression(String(repeating: "a", count: 1_000_000), ignoresCase: false)
            }
            #expect(throws: RegularExpressionError.self) {
                try RegularExpression(
                    "[" + (0..<1_200).map { "\\x{\(String(0x4E00 + 2 * $0, radix: 16))}" }.joined()
                        + "]{9}", ignoresCase: false)
            }
        }
    }

    /// Bytes that are no UTF-8, as damaged files have: each counts as U+FFFD, and nothing
    /// behind the text is read.
    @Test func bytesThatAreNoText() throws {
        let any = try RegularExpression("(?s).{3}", ignoresCase: true)
        for bytes: [UInt8] in [
            [0x61, 0xFF, 0x62], [0x61, 0x62, 0xC3], [0x61, 0x62, 0xF0], [0xED, 0xA0, 0x80],
            [0xC0, 0x80, 0x61],
        ] {
            #expect(bytes.withUnsafeBytes { any.matches($0) })
        }
        #expect(
            [UInt8]([0xF0, 0x9F, 0x98, 0x80]).withUnsafeBytes {
                try! RegularExpression(".", ignoresCase: false).matches($0)
            })
    }

    /// `*` goes back to the last star only, so the time is at most that of the text times the
    /// pattern.
    @Test func likeWithManyStars() throws {
        try withTemporaryRealm([LimitNode.self]) { realm in
            try realm.write {
                _ = realm.create(
                    LimitNode.self,
                    value: ["id": 1, "name": String(repeating: "a", count: 20_000)] as [String: Any]
                )
            }
            let pattern = String(repeating: "*a", count: 100) + "*b"
            #expect(realm.objects(LimitNode.self).filter("name LIKE %@", pattern).isEmpty)
            #expect(
                realm.objects(LimitNode.self).filter(
                    "name LIKE[c] %@", String(repeating: "*A", count: 100)
                ).count == 1)
        }
    }
}
