import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Which words texts have.
@Suite struct TextWordsTests {
    private func words(_ text: String) -> [String] {
        let words = TextWords()
        var text = text
        text.withUTF8 { words.find(in: UnsafeRawBufferPointer($0)) }
        return words.all.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("", []), (" \n\t", []), ("Hello, World!", ["hello", "world"]),
        ("a-b/c+d", ["a", "b", "c", "d"]),
        ("don't can’t 'quoted' rock'n'roll'", ["don't", "can't", "quoted", "rock'n'roll"]),
        ("''a''b", ["a", "b"]),
        ("example.com. End.", ["example.com", "end"]),
        (
            "3.14 1,000 1;2 v2.0 a,b 1.a a.1",
            ["3.14", "1,000", "1;2", "v2.0", "a", "b", "1", "a", "a", "1"]
        ),
        ("snake_case _x_ ___ _", ["snake_case", "_x_"]), ("a:b a::b", ["a:b", "a", "b"]),
        ("Café CAFE\u{301} naïve Ångström ÉCOLE", ["cafe", "cafe", "naive", "angstrom", "ecole"]),
        ("Straße ΣΊΣΥΦΟΣ", ["straße", "σισυφοσ"]), ("привет мир", ["привет", "мир"]),
        ("東京タワーは高い", ["東", "京", "タワー", "は", "高", "い"]), ("abc東def", ["abc", "東", "def"]),
        ("🎉party🎉 👨‍👩‍👧 x", ["party", "x"]),
        ("co\u{AD}operate zero\u{200D}width", ["cooperate", "zerowidth"]),
        ("\u{301}a \u{301} b\u{301}\u{302}c", ["a", "bc"]), ("x² ½ Ⅷ ٣٤", ["x²", "½", "ⅷ", "٣٤"]),
        ("\0a\0b", ["a", "b"]),
        // Not assigned in Unicode 15.0, so it separates, whatever the library knows: a letter
        // and a mark of 16.0.
        ("a\u{1C89}b é\u{1C89}é", ["a", "b", "e", "e"]), ("é\u{897}b", ["e", "b"]),
        ("é\u{10FFFF}b", ["e", "b"]),
    ])
    func examples(text: String, expected: [String]) { #expect(words(text) == expected) }

    @Test func hangulIsFoundInEitherForm() {
        #expect(words("한국어") == words("한국어".decomposedStringWithCanonicalMapping))
        #expect(words("한국어 책").count == 2)
    }

    @Test func longWordsCountByTheirBeginning() {
        #expect(
            words(String(repeating: "x", count: 1_000) + " y") == [
                String(repeating: "x", count: TextWords.longestWord), "y",
            ])
        // Cut between scalars.
        let cut = words("a" + String(repeating: "ж", count: 1_000) + " y")
        #expect(cut == ["a" + String(repeating: "ж", count: (TextWords.longestWord - 1) / 2), "y"])
    }

    @Test func bytesThatAreNoText() {
        let words = TextWords()
        for bytes in [[0xFF, 0x61, 0xC3], [0xC3], [0x61, 0x80, 0x62]] as [[UInt8]] {
            bytes.withUnsafeBytes { words.find(in: $0) }
        }
        #expect(words.all == [Array("a".utf8), Array("b".utf8)])
    }

    @Test func sortedWordsAreOnce() {
        let words = TextWords()
        Array("b a c a B abc ab".utf8).withUnsafeBytes { words.find(in: $0) }
        words.sortAndRemoveDuplicates()
        #expect(
            words.all.map { String(decoding: $0, as: UTF8.self) } == ["a", "ab", "abc", "b", "c"])
    }
}

/// Searches as they are read.
@Suite struct FullTextQueryTests {
    @Test(arguments: [
        ("", "\"\""), ("  ", "\"\""), ("🎉 - ( ) \"\"", "\"\""), ("AND OR NOT", "\"\""),
        ("*", "\"\""),
        ("Swift", "swift"), ("swift database", "(swift database)"),
        ("swift AND database", "(swift database)"), ("and or not", "(and or not)"),
        ("a OR b c", "(a OR (b c))"), ("a b OR c d", "((a b) OR (c d))"),
        ("(a OR b) c", "((a OR b) c)"), ("OR a OR OR b OR", "(a OR b)"),
        ("-a", "-a"), ("--a", "a"), ("NOT a b", "(-a b)"), ("NOT -a", "a"), ("-(a b)", "-(a b)"),
        ("-(-a)", "a"), ("a -\"b c\"", "(a -\"b c\")"),
        ("pre*", "pre*"), ("Éc* x", "(ec* x)"), ("\"live objects\"", "\"live objects\""),
        ("\"one\"", "one"), ("\"a b*\"", "\"a b*\""), ("\"open end", "\"open end\""),
        ("foo-bar", "\"foo bar\""), ("foo-ba*", "\"foo ba*\""), ("東京", "\"東 京\""),
        ("a) b (c", "(a b c)"), ("((a)", "a"), ("a\"b c\"d", "(a \"b c\" d)"),
    ])
    func examples(text: String, expected: String) {
        #expect("\(FullTextQuery(parsing: text))" == expected)
    }

    @Test func depthIsLimited() {
        let deep =
            String(repeating: "(-", count: 100_000) + "a" + String(repeating: ") b", count: 100_000)
        let query = FullTextQuery(parsing: deep)
        #expect(query != .none)
        _ = query.matches("a b")
    }

    @Test func anyTextIsASearch() {
        var random = Seed.random()
        let pieces = [
            "(", ")", "\"", "-", "*", " ", "AND", "OR", "NOT", "a", "é", "東", "🎉", "\u{301}", "\0",
            "'", ".",
        ]
        for _ in 0..<2_000 {
            let text = (0..<random.int(0...12)).map { _ in random.pick(pieces) }.joined()
            let query = FullTextQuery(parsing: text)
            // What it is written as means the same.
            #expect(
                FullTextQuery(parsing: "\(query)") == query,
                "\(text.debugDescription) FREEHOLD_SEED=\(random.seed)")
            _ = query.matches(text)
        }
    }
}
