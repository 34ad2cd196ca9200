/// An operator on text or bytes with its needle, independent of a column.
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
        folding = options.isEmpty ? nil : TextFolding(options: options, isBytes: isBytes)
        let needle = folding?.fold(needle) ?? needle
        self.needle = needle
        kind =
            switch textOperator {
            case .equal: .equal
            case .notEqual: .notEqual
            case .like: .like(LikePattern(pattern: needle, countsScalars: !isBytes))
            case .contains, .beginsWith, .endsWith:
                if needle.isEmpty {
                    .never
                } else if textOperator == .contains {
                    .contains(ByteSearcher(needle, ignoresASCIICase: false))
                } else if textOperator == .beginsWith {
                    .beginsWith
                } else {
                    .endsWith
                }
            }
    }

    func matches(_ text: UnsafeRawBufferPointer, _ run: ScanRun) -> Bool {
        guard let folding else { return test(text) }
        folding.fold(text, into: run.folded)
        return test(run.folded.contents)
    }

    private func test(_ text: UnsafeRawBufferPointer) -> Bool {
        switch kind {
        case .never: return false
        case .equal, .notEqual:
            var isInverted = false
            if case .notEqual = kind { isInverted = true }
            return needle.withUnsafeBytes { ByteComparison.areEqual($0, text) } != isInverted
        case .contains(let searcher): return searcher.isContained(in: text)
        case .beginsWith:
            return text.count >= needle.count
                && matches(UnsafeRawBufferPointer(rebasing: text[..<needle.count]))
        case .endsWith:
            return text.count >= needle.count
                && matches(UnsafeRawBufferPointer(rebasing: text[(text.count - needle.count)...]))
        case .like(let pattern): return pattern.matches(text)
        }
    }

    private func matches(_ part: UnsafeRawBufferPointer) -> Bool {
        needle.withUnsafeBytes { ByteComparison.areEqual($0, part) }
    }
}
