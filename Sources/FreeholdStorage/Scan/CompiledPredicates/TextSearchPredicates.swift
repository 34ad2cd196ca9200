/// Text that contains a needle.
///
/// If a cluster's heap is in row order, it is searched as a whole: one pass over contiguous
/// bytes, then each hit is mapped to its row. A hit that crosses the end of a row belongs to
/// two texts and is dropped.
final class TextContainsPredicate: TextPredicate {
    private let searcher: ByteSearcher
    /// Searches ASCII rows without folding them; nil if the predicate does not fold, or the needle
    /// is not ASCII.
    private let asciiSearcher: ByteSearcher?
    private let needleIsASCII: Bool
    private let needle: [UInt8]

    /// - Parameter needle: Not empty; already folded.
    init(table: TableView, column: ColumnID, needle: [UInt8], folding: TextFolding?) {
        self.needle = needle
        searcher = ByteSearcher(needle, ignoresASCIICase: false)
        needleIsASCII = needle.withUnsafeBytes(TextFolding.isASCII)
        let ignoresCase = folding?.options.contains(.caseInsensitive) ?? false
        asciiSearcher = folding != nil ? ByteSearcher(needle, ignoresASCIICase: ignoresCase) : nil
        super.init(table: table, column: column, folding: folding, isInverted: false, rowCost: 4)
    }

    override func test(_ bytes: UnsafeRawBufferPointer) -> Bool { searcher.isContained(in: bytes) }

    override func excludes(length: Int) -> Bool { length < searcher.count }

    override func fillHeap(_ mask: MaskBytes, _ view: ColumnView, _ count: Int) -> Bool {
        guard view.encoding == .offsets16 || view.encoding == .offsets32 else { return false }
        var active = searcher
        if let folding, let asciiSearcher {
            // Folding an ASCII row changes only the case of its letters; any other row must be
            // folded first.
            guard
                folding.isBytes
                    || TextFolding.isASCII(
                        UnsafeRawBufferPointer(start: view.heap, count: Int(view.base)))
            else { return false }
            active = asciiSearcher
            if !needleIsASCII && !folding.isBytes {
                Mask.fill(mask, count: count, with: false)
                return true
            }
        }
        Mask.fill(mask, count: count, with: false)
        guard let heap = view.heap else { return true }
        if view.encoding == .offsets16 {
            TextContainsPredicate.search(active, heap, view, count, mask, as: UInt16.self)
        } else {
            TextContainsPredicate.search(active, heap, view, count, mask, as: UInt32.self)
        }
        return true
    }

    @inline(__always)
    private static func search<Offset: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ searcher: ByteSearcher, _ heap: UnsafeRawPointer, _ view: ColumnView, _ count: Int,
        _ mask: MaskBytes, as: Offset.Type
    ) {
        @inline(__always)
        func offset(_ row: Int) -> Int {
            Int(
                truncatingIfNeeded: view.data.loadUnaligned(
                    fromByteOffset: row &* MemoryLayout<Offset>.size, as: Offset.self))
        }
        let end = Int(view.base)
        var position = 0
        var row = 0
        while row < count {
            let hit = searcher.firstMatch(in: heap, from: position, to: end)
            if hit < 0 { return }
            // Finds the last row that begins at or before the hit. It is near if hits are
            // frequent, so the steps double.
            var low = row
            var step = 1
            while low &+ step < count && offset(low &+ step) <= hit {
                low &+= step
                step &*= 2
            }
            var high = min(low &+ step, count)
            while low &+ 1 < high {
                let middle = (low &+ high) &>> 1
                if offset(middle) <= hit { low = middle } else { high = middle }
            }
            let rowEnd = offset(low &+ 1)
            if offset(low) <= hit && hit &+ searcher.count <= rowEnd && rowEnd <= end {
                mask[low] = 1
                position = rowEnd
                row = low &+ 1
            } else {
                position = hit &+ 1
                row = low
            }
        }
    }

    override var summary: String { "\(name(of: column)) contains\(options) \(summary(of: needle))" }
}

/// Text that begins or ends with a needle.
final class TextAffixPredicate: TextPredicate {
    private let needle: [UInt8]
    private let isSuffix: Bool

    /// - Parameter needle: Not empty; already folded.
    init(table: TableView, column: ColumnID, needle: [UInt8], isSuffix: Bool, folding: TextFolding?)
    {
        self.needle = needle
        self.isSuffix = isSuffix
        super.init(table: table, column: column, folding: folding, isInverted: false, rowCost: 3)
    }

    override func test(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= needle.count else { return false }
        let start = isSuffix ? bytes.count &- needle.count : 0
        return needle.withUnsafeBytes {
            ByteComparison.areEqual(
                $0, UnsafeRawBufferPointer(rebasing: bytes[start..<start &+ $0.count]))
        }
    }

    override func excludes(length: Int) -> Bool { length < needle.count }

    override func access() -> AccessPath? {
        // The index truncates longer values, so a longer prefix would not find them.
        guard !isSuffix, folding == nil, needle.count <= AccessPath.longestIndexedText,
            table.index(of: column) != nil
        else { return nil }
        var next = needle
        while let last = next.last {
            if last < 0xFF {
                next[next.count - 1] = last + 1
                return .range(
                    column, from: .including(.bytes(needle)), to: .excluding(.bytes(next)))
            }
            next.removeLast()
        }
        return .range(column, from: .including(.bytes(needle)), to: .unbounded)
    }

    override var summary: String {
        "\(name(of: column)) \(isSuffix ? "ends" : "begins") with\(options) \(summary(of: needle))"
    }
}

/// Text that satisfies a matcher.
final class TextMatcherPredicate: TextPredicate {
    private let matcher: ScanTextMatcher

    init(table: TableView, column: ColumnID, matcher: ScanTextMatcher) {
        self.matcher = matcher
        super.init(table: table, column: column, folding: nil, isInverted: false, rowCost: 500)
    }

    override func test(_ bytes: UnsafeRawBufferPointer) -> Bool { matcher.matches(bytes) }

    override var summary: String { "\(name(of: column)) matches \(matcher.name)" }
}

/// Text that an operator without a predicate of its own holds for.
final class TextTestPredicate: TextPredicate {
    private let textOperator: ScanTextOperator
    private let needle: [UInt8]
    private let textTest: TextTest

    /// - Parameter needle: Already folded.
    init(
        table: TableView, column: ColumnID, _ textOperator: ScanTextOperator, needle: [UInt8],
        folding: TextFolding?
    ) {
        self.textOperator = textOperator
        self.needle = needle
        textTest = TextTest(
            textOperator, folded: needle, folding, isBytes: table.type(of: column) == .bytes)
        super.init(table: table, column: column, folding: folding, isInverted: false, rowCost: 30)
    }

    override func test(_ bytes: UnsafeRawBufferPointer) -> Bool { textTest.matches(folded: bytes) }

    override var summary: String {
        "\(name(of: column)) \(textOperator.rawValue.lowercased())\(options) \(summary(of: needle))"
    }
}
