import FreeholdStorage
import FreeholdTestSupport
import Testing

/// What text operators mean, by examples.
@Suite struct ScanTextTests {
    private static let column = ColumnID(rawValue: 1)

    /// The positions of the texts that match.
    private static func matching(
        _ texts: [String?], _ textOperator: ScanTextOperator, _ needle: String,
        _ options: ScanTextOptions = []
    ) throws -> [Int] {
        let definition = TableDefinition(
            id: ModelWorld.first, name: "Texts",
            columns: [
                ColumnDefinition(
                    id: column, name: "text", type: .text, isNullable: true, isIndexed: false)
            ], primaryKey: nil, nextColumnID: 2
        )
        var answers: Set<[Int]> = []
        for seed in 0..<12 {
            var random = SeededGenerator(seed: UInt64(seed))
            let model = ModelTable(
                definition: definition, keys: texts.indices.map { Int64($0) },
                rows: texts.map { [$0.map { .text(Array($0.utf8)) } ?? .null] }
            )
            let keys = try ScanEngine(source: MemorySource()).keys(
                .text(ScanPath(column: column), textOperator, Array(needle.utf8), options),
                in: model.table(using: &random)
            )
            answers.insert(keys.map { Int($0) })
        }
        // Whatever the layout.
        #expect(answers.count == 1)
        return answers.first ?? []
    }

    @Test func containsDoesNotReachIntoTheNextRow() throws {
        #expect(
            try ScanTextTests.matching(
                ["abc", "def", "cd", "", "c", "d", nil, "xxcdxx"], .contains, "cd") == [2, 7])
    }

    @Test func emptyNeedlesMatchNothing() throws {
        for textOperator in [ScanTextOperator.contains, .beginsWith, .endsWith] {
            #expect(try ScanTextTests.matching(["", "a", nil], textOperator, "") == [])
            #expect(
                try ScanTextTests.matching(["", "a", nil], textOperator, "", .caseInsensitive) == []
            )
        }
        #expect(try ScanTextTests.matching(["", "a", nil], .equal, "") == [0])
        #expect(try ScanTextTests.matching(["", "a", nil], .like, "") == [0])
    }

    @Test func nullOnlyMatchesNotEqual() throws {
        for textOperator in ScanTextOperator.allCases {
            #expect(
                try ScanTextTests.matching([nil], textOperator, "a", .caseInsensitive)
                    == (textOperator == .notEqual ? [0] : []))
        }
    }

    @Test func caseFoldsBeyondASCII() throws {
        let texts = [
            "STRASSE", "Straße", "ÉTÉ", "été", "ΟΔΟΣ", "οδός", "οδος", "\u{212A}elvin", "@", "`",
        ]
        #expect(try ScanTextTests.matching(texts, .equal, "strasse", .caseInsensitive) == [0])
        #expect(try ScanTextTests.matching(texts, .equal, "STRAßE", .caseInsensitive) == [1])
        #expect(try ScanTextTests.matching(texts, .equal, "Été", .caseInsensitive) == [2, 3])
        #expect(try ScanTextTests.matching(texts, .endsWith, "ος", .caseInsensitive) == [4, 6])
        #expect(
            try ScanTextTests.matching(
                texts, .equal, "οδοσ", [.caseInsensitive, .diacriticInsensitive]) == [4, 5, 6])
        #expect(try ScanTextTests.matching(texts, .beginsWith, "k", .caseInsensitive) == [7])
        #expect(try ScanTextTests.matching(texts, .contains, "`", .caseInsensitive) == [9])
    }

    @Test func diacriticsFold() throws {
        let texts = ["cafe", "café", "cafe\u{301}", "CAFÉ", "caf"]
        #expect(
            try ScanTextTests.matching(texts, .equal, "cafe", .diacriticInsensitive) == [0, 1, 2])
        #expect(
            try ScanTextTests.matching(
                texts, .contains, "FÉ", [.caseInsensitive, .diacriticInsensitive]) == [0, 1, 2, 3])
        // Without the option the bytes decide.
        #expect(try ScanTextTests.matching(texts, .equal, "café") == [1])
        // A needle of marks only folds to nothing.
        #expect(
            try ScanTextTests.matching(texts, .contains, "\u{301}", .diacriticInsensitive) == [])
    }

    /// Patterns that are searches in disguise.
    @Test func starsAtTheEnds() throws {
        let texts = ["abc", "xabcx", "ab", nil, "ABC", ""]
        #expect(try ScanTextTests.matching(texts, .like, "*abc*") == [0, 1])
        #expect(try ScanTextTests.matching(texts, .like, "abc**") == [0])
        #expect(try ScanTextTests.matching(texts, .like, "*bc", .caseInsensitive) == [0, 4])
        #expect(try ScanTextTests.matching(texts, .like, "abc") == [0])
        #expect(try ScanTextTests.matching(texts, .like, "**") == [0, 1, 2, 4, 5])
    }

    @Test func wildcardsCountScalars() throws {
        let texts = ["a", "é", "😀", "e\u{301}", "ab", "", "a*b", "axb", "xaxbx"]
        #expect(try ScanTextTests.matching(texts, .like, "?") == [0, 1, 2])
        #expect(try ScanTextTests.matching(texts, .like, "??") == [3, 4])
        #expect(try ScanTextTests.matching(texts, .like, "*") == Array(0...8))
        #expect(try ScanTextTests.matching(texts, .like, "a*b") == [4, 6, 7])
        #expect(try ScanTextTests.matching(texts, .like, "*a?b*") == [6, 7, 8])
        #expect(try ScanTextTests.matching(texts, .like, "A*B", .caseInsensitive) == [4, 6, 7])
    }

    /// Damaged offsets, under a right checksum: what cannot be read is an empty text, for each way
    /// to ask.
    @Test(.disabled(if: EncryptedSuite.isOn, "writes plain records")) func impossibleOffsets()
        throws
    {
        let directory = try TemporaryDirectory()
        let options = Store.Options(path: directory.file("texts.freehold"))
        let table = try write(try Store.open(options)) { writeSet in
            let table = writeSet.createTable(named: "Texts")
            _ = writeSet.addColumn(
                to: table, named: "text", type: .text, isNullable: false, isIndexed: false)
            for (key, text) in ["ab", "cd", "ef", "gh"].enumerated() {
                let row = writeSet.mutableTable(table).insertRow(RowKey(rawValue: Int64(key)))
                Array(text.utf8).withUnsafeBytes { row.setBytes(Self.column, $0) }
            }
            return table
        }.0
        let environment = try Store.open(options).environment
        try environment.changeColumn(table, firstKey: 0, Self.column) { bytes in
            // The second text ends in front of its beginning, the last one behind the heap.
            for (index, offset) in [0, 2, 1, 6, 20].enumerated() {
                bytes[16 + 2 * index] = UInt8(offset)
            }
        }
        let snapshot = try Store.open(options).newestSnapshot()
        for (text, expected) in [
            ("", [1, 3]), ("ab", [0]), ("cd", []), ("gh", []), ("bcdef", [2]),
        ] as [(String, [Int64])] {
            for predicate in [
                ScanPredicate.compare(
                    ScanPath(column: Self.column), .equal, .text(Array(text.utf8))),
                .text(ScanPath(column: Self.column), .equal, Array(text.utf8), []),
            ] {
                let keys = try ScanEngine(source: snapshot).keys(
                    predicate, in: snapshot.table(table))
                #expect(Array(keys) == expected, "\(text)")
                let single = (0..<4).filter {
                    ScanEngine(source: snapshot).matches(
                        predicate, key: RowKey(rawValue: $0), in: snapshot.table(table))
                }
                #expect(single == expected, "\(text)")
            }
        }
    }
}
