/// Text that equals a constant, or does not. Lengths are compared first, directly from the
/// offsets.
final class TextEqualPredicate: TextPredicate {
    private let needle: [UInt8]

    /// - Parameter needle: Already folded.
    init(
        table: TableView, column: ColumnID, needle: [UInt8], isInverted: Bool, folding: TextFolding?
    ) {
        self.needle = needle
        super.init(
            table: table, column: column, folding: folding, isInverted: isInverted, rowCost: 1.5)
    }

    override func test(_ bytes: UnsafeRawBufferPointer) -> Bool {
        needle.withUnsafeBytes { ByteComparison.areEqual($0, bytes) }
    }

    override func excludes(length: Int) -> Bool { length != needle.count }

    override func fillHeap(_ mask: MaskBytes, _ view: ColumnView, _ count: Int) -> Bool {
        guard folding == nil, let heap = view.heap else { return false }
        switch view.encoding {
        case .offsets16: compare(heap, view, count, mask, as: UInt16.self)
        case .offsets32: compare(heap, view, count, mask, as: UInt32.self)
        default: return false
        }
        return true
    }

    @inline(__always)
    private func compare<Offset: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ heap: UnsafeRawPointer, _ view: ColumnView, _ count: Int, _ mask: MaskBytes,
        as: Offset.Type
    ) {
        needle.withUnsafeBytes { needle in
            let end = Int(view.base)
            let width = MemoryLayout<Offset>.size
            var start = Int(truncatingIfNeeded: view.data.loadUnaligned(as: Offset.self))
            for row in 0..<count {
                let next = Int(
                    truncatingIfNeeded: view.data.loadUnaligned(
                        fromByteOffset: (row &+ 1) &* width, as: Offset.self))
                var isEqual = false
                // An impossible offset reads as an empty text, as it does everywhere.
                if next &- start == needle.count && next <= end {
                    isEqual =
                        needle.count == 0
                        || ByteComparison.areEqual(
                            heap + start, needle.baseAddress.unsafelyUnwrapped, count: needle.count)
                } else if needle.count == 0 {
                    isEqual = next < start || next > end
                }
                mask[row] = Mask.byte(isEqual)
                start = next
            }
        }
    }

    override func access() -> AccessPath? {
        guard folding == nil, !isInverted, table.index(of: column) != nil else { return nil }
        return AccessPath.texts([needle], column)
    }

    override var summary: String {
        "\(name(of: column)) \(isInverted ? "!=" : "==")\(options) \(summary(of: needle))"
    }
}

/// Text between two constants, in byte order.
final class TextRangePredicate: TextPredicate {
    struct Bound {
        var bytes: [UInt8]
        var isIncluded: Bool
    }

    private let lower: Bound?
    private let upper: Bound?

    init(table: TableView, column: ColumnID, lower: Bound?, upper: Bound?) {
        self.lower = lower
        self.upper = upper
        super.init(table: table, column: column, folding: nil, isInverted: false, rowCost: 6)
    }

    override func test(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let lower {
            let order = lower.bytes.withUnsafeBytes { ByteComparison.compare(bytes, $0) }
            if lower.isIncluded ? order < 0 : order <= 0 { return false }
        }
        if let upper {
            let order = upper.bytes.withUnsafeBytes { ByteComparison.compare(bytes, $0) }
            if upper.isIncluded ? order > 0 : order >= 0 { return false }
        }
        return true
    }

    override func access() -> AccessPath? {
        guard table.index(of: column) != nil else { return nil }
        for bound in [lower, upper] {
            if let bound, bound.bytes.count > AccessPath.longestIndexedText { return nil }
        }
        let from: ScanBound =
            lower.map {
                $0.isIncluded ? .including(.bytes($0.bytes)) : .excluding(.bytes($0.bytes))
            } ?? .excluding(.null)
        let to: ScanBound =
            upper.map {
                $0.isIncluded ? .including(.bytes($0.bytes)) : .excluding(.bytes($0.bytes))
            } ?? .unbounded
        return .range(column, from: from, to: to)
    }

    override var summary: String {
        let above = lower.map {
            "\(name(of: column)) \($0.isIncluded ? ">=" : ">") \(summary(of: $0.bytes))"
        }
        let below = upper.map {
            "\(name(of: column)) \($0.isIncluded ? "<=" : "<") \(summary(of: $0.bytes))"
        }
        return [above, below].compactMap(\.self).joined(separator: " and ")
    }
}

/// Text that equals one of several constants.
final class TextSetPredicate: TextPredicate {
    /// Sorted by length, then by bytes: most rows are rejected by their length.
    private let needles: [[UInt8]]

    init(table: TableView, column: ColumnID, needles: [[UInt8]]) {
        self.needles = Array(Set(needles)).sorted { TextSetPredicate.order($0, $1) < 0 }
        super.init(table: table, column: column, folding: nil, isInverted: false, rowCost: 8)
    }

    private static func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
        a.withUnsafeBytes { a in b.withUnsafeBytes { order(a, $0) } }
    }

    private static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        a.count != b.count ? a.count - b.count : ByteComparison.compare(a, b)
    }

    override func test(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var low = 0
        var high = needles.count
        while low < high {
            let middle = (low &+ high) &>> 1
            let order = needles[middle].withUnsafeBytes { TextSetPredicate.order($0, bytes) }
            if order == 0 { return true }
            if order < 0 { low = middle &+ 1 } else { high = middle }
        }
        return false
    }

    override func access() -> AccessPath? {
        table.index(of: column) != nil ? AccessPath.texts(needles, column) : nil
    }

    override var summary: String {
        """
        \(name(of: column)) in \
        \(ScanValue.summary(of: needles.map { ScanValue(needle: $0, of: table.type(of: column)) }))
        """
    }
}
