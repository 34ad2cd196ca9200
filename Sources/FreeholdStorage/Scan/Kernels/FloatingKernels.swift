/// Comparisons of columns of floating-point numbers.
///
/// Every comparison with a constant has the form `lower <= value && value <= upper`, where a
/// strict bound is the next representable number. It is false for NaN, as required. Its
/// complement is `!=`, which is true for NaN, as required.
enum FloatingKernels {
    /// Sets the mask to `lower <= value <= upper`, or to its complement. Ignores the column's
    /// nulls.
    @inline(__always)
    static func within<Number: BinaryFloatingPoint & BitwiseCopyable>(
        _ lower: Number, _ upper: Number, inverted: Bool, in data: UnsafeRawPointer, count: Int,
        into mask: MaskBytes
    ) {
        let flip = Mask.byte(inverted)
        var row = 0
        while row < count {
            let value = data.loadUnaligned(
                fromByteOffset: row &* MemoryLayout<Number>.size, as: Number.self)
            mask[row] = Mask.byte(value >= lower) & Mask.byte(value <= upper) ^ flip
            row &+= 1
        }
    }

    /// An unsigned number that sorts like the doubles: NaN (0), negative infinity, ...,
    /// infinity. The two zeros are equal.
    @inline(__always)
    static func rank(_ value: Double) -> UInt64 {
        if value != value { return 0 }
        // Adding zero turns -0 into +0.
        let bits = (value + 0).bitPattern
        return bits &>> 63 != 0 ? ~bits : bits | 1 &<< 63
    }
}
