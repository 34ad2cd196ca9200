/// Operators on text and bytes: all that queries know of one stands in this file.
///
/// An operator has a keyword (the raw value), a test of one text (``TextTest``), and a
/// predicate for the scan of a column, which may use an index (``compiled(_:_:_:in:)``).
///
/// In `like`, `*` stands for any text and `?` for one Unicode scalar (one byte in a column of
/// bytes); there is no escape. All are false for null but `notEqual`, which is true.
package enum ScanTextOperator: String, Hashable, Sendable, CaseIterable {
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case equal = "=="
    case notEqual = "!="

    package var isEquality: Bool { self == .equal || self == .notEqual }

    /// Whether it looks for a part, which an empty text is not: false for an empty needle.
    package var isSearch: Bool { !isEquality && self != .like }

    /// Whether null has it with null.
    package var holdsForNulls: Bool { self == .equal || self == .like }

    /// The options that it takes.
    package var options: ScanTextOptions {
        self == .like ? .caseInsensitive : [.caseInsensitive, .diacriticInsensitive]
    }

    /// Those that are words of predicate strings.
    package static let words = allCases.filter { !$0.isEquality }

    /// Whether a text has it with a needle.
    package func holds(
        _ text: [UInt8], _ needle: [UInt8], _ options: ScanTextOptions, isBytes: Bool
    ) -> Bool {
        let test = TextTest(self, needle, options, isBytes: isBytes)
        return text.withUnsafeBytes { test.matches($0, ScanRun()) }
    }

    /// The predicate on a column. An operator without a faster way tests each text.
    /// - Parameter needle: Folded; not empty for searches.
    func compiled(
        _ column: ColumnID, _ needle: [UInt8], _ folding: TextFolding?, in table: TableView
    ) -> CompiledPredicate {
        switch self {
        case .equal, .notEqual:
            return TextEqualPredicate(
                table: table, column: column, needle: needle, isInverted: self == .notEqual,
                folding: folding)
        case .contains:
            return TextContainsPredicate(
                table: table, column: column, needle: needle, folding: folding)
        case .beginsWith, .endsWith:
            return TextAffixPredicate(
                table: table, column: column, needle: needle, isSuffix: self == .endsWith,
                folding: folding)
        case .like:
            if let (simpler, literal) = LikePattern.simplified(needle) {
                return simpler.compiled(column, literal, folding, in: table)
            }
        }
        return TextTestPredicate(
            table: table, column: column, self, needle: needle, folding: folding)
    }
}

/// An operator and what it looks for, apart from any column.
struct TextTest {
    private enum Kind {
        case equal, notEqual, never
        case contains(ByteSearcher)
        case beginsWith, endsWith
        case like(LikePattern)
    }

    private let kind: Kind
    /// Already folded.
    private let needle: [UInt8]
    private let folding: TextFolding?

    init(
        _ textOperator: ScanTextOperator, _ needle: [UInt8], _ options: ScanTextOptions,
        isBytes: Bool
    ) {
        let folding = options.isEmpty ? nil : TextFolding(options: options, isBytes: isBytes)
        self.init(textOperator, folded: folding?.fold(needle) ?? needle, folding, isBytes: isBytes)
    }

    init(
        _ textOperator: ScanTextOperator, folded needle: [UInt8], _ folding: TextFolding?,
        isBytes: Bool
    ) {
        self.folding = folding
        self.needle = needle
        if textOperator.isSearch, needle.isEmpty {
            kind = .never
            return
        }
        kind =
            switch textOperator {
            case .equal: .equal
            case .notEqual: .notEqual
            case .contains: .contains(ByteSearcher(needle, ignoresASCIICase: false))
            case .beginsWith: .beginsWith
            case .endsWith: .endsWith
            case .like: .like(LikePattern(pattern: needle, countsScalars: !isBytes))
            }
    }

    func matches(_ text: UnsafeRawBufferPointer, _ run: ScanRun) -> Bool {
        guard let folding else { return matches(folded: text) }
        folding.fold(text, into: run.folded)
        return matches(folded: run.folded.contents)
    }

    func matches(folded text: UnsafeRawBufferPointer) -> Bool {
        switch kind {
        case .never: false
        case .equal: isNeedle(text)
        case .notEqual: !isNeedle(text)
        case .contains(let searcher): searcher.isContained(in: text)
        case .beginsWith:
            text.count >= needle.count
                && isNeedle(UnsafeRawBufferPointer(rebasing: text[..<needle.count]))
        case .endsWith:
            text.count >= needle.count
                && isNeedle(UnsafeRawBufferPointer(rebasing: text[(text.count - needle.count)...]))
        case .like(let pattern): pattern.matches(text)
        }
    }

    private func isNeedle(_ part: UnsafeRawBufferPointer) -> Bool {
        needle.withUnsafeBytes { ByteComparison.areEqual($0, part) }
    }
}
