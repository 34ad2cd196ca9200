/// The smallest and the largest values of columns, for all rows or those in a mask. The caller
/// must mask out null rows.
enum ExtremumKernels {
    /// The extremes of integers; nil if no row is left.
    static func integers(_ view: ColumnView, _ count: Int, _ mask: MaskBytes?, _ run: ScanRun) -> (
        least: Int64, most: Int64
    )? {
        let rows = mask.map { Mask.sum($0, count: count) } ?? count
        if rows == 0 { return nil }
        switch view.encoding {
        case .delta8: return deltas(view, count, mask, as: UInt8.self)
        case .delta16: return deltas(view, count, mask, as: UInt16.self)
        case .delta32: return deltas(view, count, mask, as: UInt32.self)
        default:
            let (values, _) = run.integerRoom(for: count)
            view.decodeIntegers(count: count, into: values)
            var least = Int64.max
            var most = Int64.min
            for row in 0..<count where mask == nil || mask.unsafelyUnwrapped[row] != 0 {
                least = min(least, values[row])
                most = max(most, values[row])
            }
            return (least, most)
        }
    }

    @inline(__always)
    private static func deltas<Width: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ view: ColumnView, _ count: Int, _ mask: MaskBytes?, as: Width.Type
    ) -> (least: Int64, most: Int64) {
        var least = Width.max
        var most = Width.min
        for row in 0..<count {
            let delta = view.data.loadUnaligned(
                fromByteOffset: row &* MemoryLayout<Width>.size, as: Width.self)
            // All bits are set if the row counts.
            let keep = mask.map { 0 &- Width(truncatingIfNeeded: $0[row]) } ?? Width.max
            least = min(least, delta | ~keep)
            most = max(most, delta & keep)
        }
        return (
            view.base &+ Int64(truncatingIfNeeded: least),
            view.base &+ Int64(truncatingIfNeeded: most)
        )
    }

    /// The extremes of floating-point numbers, ignoring NaN; nil if no number is left.
    @inline(__always)
    static func floating<Number: BinaryFloatingPoint & BitwiseCopyable>(
        _ data: UnsafeRawPointer, _ count: Int, _ mask: MaskBytes?, as: Number.Type
    ) -> (least: Number, most: Number)? {
        var least = Number.infinity
        var most = -Number.infinity
        var numbers: UInt8 = 0
        // Comparisons with NaN are false, which keeps the previous value.
        if let mask {
            for row in 0..<count {
                let value = data.loadUnaligned(
                    fromByteOffset: row &* MemoryLayout<Number>.size, as: Number.self)
                if mask[row] == 0 { continue }
                least = value < least ? value : least
                most = value > most ? value : most
                numbers |= Mask.byte(value == value)
            }
        } else {
            for row in 0..<count {
                let value = data.loadUnaligned(
                    fromByteOffset: row &* MemoryLayout<Number>.size, as: Number.self)
                least = value < least ? value : least
                most = value > most ? value : most
                numbers |= Mask.byte(value == value)
            }
        }
        return numbers == 0 ? nil : (least, most)
    }
}
