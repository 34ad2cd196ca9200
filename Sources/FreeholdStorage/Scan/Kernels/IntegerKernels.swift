/// Comparisons of integer columns without decoding them.
///
/// `lower <= value <= upper` is one unsigned comparison, `value - lower <= upper - lower`, at
/// any width. A column of deltas is not decoded: the bounds are converted to deltas instead. So
/// a column of one-byte deltas is compared sixteen rows at a time.
enum IntegerKernels {
    /// The rows whose deltas are within a closed interval.
    enum DeltaInterval<Width: FixedWidthInteger & UnsignedInteger> {
        case none
        case all
        /// `delta - lower <= span`, unsigned.
        case some(lower: Width, span: Width)
    }

    /// Converts an interval of values to an interval of deltas to `base`.
    @inline(__always)
    static func deltas<Width: FixedWidthInteger & UnsignedInteger>(
        _ lower: Int64, _ upper: Int64, base: Int64, as: Width.Type
    ) -> DeltaInterval<Width> {
        if upper < base { return .none }
        let widest = UInt64(truncatingIfNeeded: Width.max)
        // The difference of two ascending Int64 fits a UInt64.
        let low = lower <= base ? 0 : UInt64(bitPattern: lower &- base)
        let high = min(widest, UInt64(bitPattern: upper &- base))
        if low > high { return .none }
        if low == 0 && high == widest { return .all }
        return .some(
            lower: Width(truncatingIfNeeded: low), span: Width(truncatingIfNeeded: high &- low))
    }

    /// Sets the mask to `lower <= value <= upper`, or to its complement. Ignores the column's
    /// nulls.
    static func within(
        _ lower: Int64, _ upper: Int64, inverted: Bool, in view: ColumnView, count: Int,
        into mask: MaskBytes
    ) {
        let flip = Mask.byte(inverted)
        switch view.encoding {
        case .delta8:
            switch deltas(lower, upper, base: view.base, as: UInt8.self) {
            case .none: Mask.fill(mask, count: count, with: inverted)
            case .all: Mask.fill(mask, count: count, with: !inverted)
            case .some(let low, let span):
                bytes(view.data, count: count, lower: low, span: span, flip: flip, into: mask)
            }
        case .delta16:
            switch deltas(lower, upper, base: view.base, as: UInt16.self) {
            case .none: Mask.fill(mask, count: count, with: inverted)
            case .all: Mask.fill(mask, count: count, with: !inverted)
            case .some(let low, let span):
                words(view.data, count: count, lower: low, span: span, flip: flip, into: mask)
            }
        case .delta32:
            switch deltas(lower, upper, base: view.base, as: UInt32.self) {
            case .none: Mask.fill(mask, count: count, with: inverted)
            case .all: Mask.fill(mask, count: count, with: !inverted)
            case .some(let low, let span):
                words(view.data, count: count, lower: low, span: span, flip: flip, into: mask)
            }
        case .integer64:
            words(
                view.data, count: count, lower: UInt64(bitPattern: lower),
                span: UInt64(bitPattern: upper &- lower), flip: flip, into: mask)
        case .sequence:
            Mask.fill(mask, count: count, with: inverted)
            let rows = sequenceRows(lower, upper, base: view.base, count: count)
            if !rows.isEmpty {
                Mask.fill(mask + rows.lowerBound, count: rows.count, with: !inverted)
            }
        default:
            // One value for all rows: the base, or the zero of an absent column.
            let value = view.encoding == .constant ? view.base : 0
            Mask.fill(mask, count: count, with: (lower <= value && value <= upper) != inverted)
        }
    }

    /// The number of values within the interval, if counting is faster than marking; else nil.
    /// The column must have no nulls.
    static func count(within lower: Int64, _ upper: Int64, in view: ColumnView, count: Int) -> Int?
    {
        switch view.encoding {
        case .delta8:
            switch deltas(lower, upper, base: view.base, as: UInt8.self) {
            case .none: 0
            case .all: count
            case .some(let low, let span):
                countBytes(view.data, count: count, lower: low, span: span)
            }
        case .sequence: sequenceRows(lower, upper, base: view.base, count: count).count
        case .constant: lower <= view.base && view.base <= upper ? count : 0
        default: nil
        }
    }

    /// The rows of a sequence whose values are within the interval.
    private static func sequenceRows(_ lower: Int64, _ upper: Int64, base: Int64, count: Int)
        -> Range<Int>
    {
        guard upper >= base else { return 0..<0 }
        let start = lower <= base ? 0 : UInt64(bitPattern: lower &- base)
        let last = UInt64(bitPattern: upper &- base)
        let end = last >= UInt64(count) ? count : Int(last) + 1
        return start >= UInt64(end) ? 0..<0 : Int(start)..<end
    }

    @inline(__always)
    private static func bytes(
        _ data: UnsafeRawPointer, count: Int, lower: UInt8, span: UInt8, flip: UInt8,
        into mask: MaskBytes
    ) {
        let lowers = SIMD16<UInt8>(repeating: lower)
        let spans = SIMD16<UInt8>(repeating: span)
        let flips = SIMD16<UInt8>(repeating: flip)
        let ones = SIMD16<UInt8>(repeating: 1)
        var row = 0
        while row &+ 16 <= count {
            let values = data.loadUnaligned(fromByteOffset: row, as: SIMD16<UInt8>.self)
            let inside = unsafeBitCast((values &- lowers) .<= spans, to: SIMD16<UInt8>.self)
            Mask.store(inside & ones ^ flips, mask, row)
            row &+= 16
        }
        while row < count {
            let value = data.load(fromByteOffset: row, as: UInt8.self)
            mask[row] = Mask.byte(value &- lower <= span) ^ flip
            row &+= 1
        }
    }

    private static func countBytes(_ data: UnsafeRawPointer, count: Int, lower: UInt8, span: UInt8)
        -> Int
    {
        let lowers = SIMD16<UInt8>(repeating: lower)
        let spans = SIMD16<UInt8>(repeating: span)
        var total = 0
        var row = 0
        let whole = count & ~15
        while row < whole {
            // A lane overflows after 255 additions of 1.
            let end = min(whole, row &+ 255 &* 16)
            var lanes = SIMD16<UInt8>(repeating: 0)
            while row < end {
                let values = data.loadUnaligned(fromByteOffset: row, as: SIMD16<UInt8>.self)
                // A true lane is 255, which is minus one.
                lanes = lanes &- unsafeBitCast((values &- lowers) .<= spans, to: SIMD16<UInt8>.self)
                row &+= 16
            }
            total &+= Mask.sum(lanes)
        }
        while row < count {
            if data.load(fromByteOffset: row, as: UInt8.self) &- lower <= span { total &+= 1 }
            row &+= 1
        }
        return total
    }

    @inline(__always)
    private static func words<Width: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ data: UnsafeRawPointer, count: Int, lower: Width, span: Width, flip: UInt8,
        into mask: MaskBytes
    ) {
        var row = 0
        while row < count {
            let value = data.loadUnaligned(
                fromByteOffset: row &* MemoryLayout<Width>.size, as: Width.self)
            mask[row] = Mask.byte(value &- lower <= span) ^ flip
            row &+= 1
        }
    }
}
