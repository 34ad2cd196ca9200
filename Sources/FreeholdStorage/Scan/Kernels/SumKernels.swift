/// Sums of columns, for all rows or those in a mask. The caller must mask out null rows.
enum SumKernels {
    /// The exact sum of an integer column, and the number of rows in it.
    static func integers(_ view: ColumnView, _ count: Int, _ mask: MaskBytes?) -> (
        sum: Int128, count: Int
    ) {
        let rows = mask.map { Mask.sum($0, count: count) } ?? count
        let base = Int128(view.base) * Int128(rows)
        switch view.encoding {
        case .delta8: return (base + Int128(deltas(view.data, count, mask, as: UInt8.self)), rows)
        case .delta16: return (base + Int128(deltas(view.data, count, mask, as: UInt16.self)), rows)
        case .delta32: return (base + Int128(deltas(view.data, count, mask, as: UInt32.self)), rows)
        case .constant: return (base, rows)
        case .sequence:
            guard let mask else { return (base + Int128(count) * Int128(count - 1) / 2, rows) }
            var positions: UInt64 = 0
            for row in 0..<count {
                positions &+= UInt64(truncatingIfNeeded: row) & (0 &- UInt64(mask[row]))
            }
            return (base + Int128(positions), rows)
        case .integer64:
            // Two halves, neither of which can overflow: a cluster has far fewer than 2^31 rows.
            var high: Int64 = 0
            var low: UInt64 = 0
            for row in 0..<count {
                var value = view.data.loadUnaligned(fromByteOffset: row &<< 3, as: UInt64.self)
                if let mask { value &= 0 &- UInt64(mask[row]) }
                high &+= Int64(bitPattern: value) &>> 32
                low &+= value & 0xFFFF_FFFF
            }
            return (Int128(high) << 32 + Int128(low), rows)
        default: return (0, rows)
        }
    }

    @inline(__always)
    private static func deltas<Width: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ data: UnsafeRawPointer, _ count: Int, _ mask: MaskBytes?, as: Width.Type
    ) -> UInt64 {
        var total: UInt64 = 0
        if let mask {
            for row in 0..<count {
                let delta = data.loadUnaligned(
                    fromByteOffset: row &* MemoryLayout<Width>.size, as: Width.self)
                total &+= UInt64(
                    truncatingIfNeeded: delta & (0 &- Width(truncatingIfNeeded: mask[row])))
            }
        } else {
            for row in 0..<count {
                total &+= UInt64(
                    truncatingIfNeeded: data.loadUnaligned(
                        fromByteOffset: row &* MemoryLayout<Width>.size, as: Width.self))
            }
        }
        return total
    }

    /// The sum of doubles, in eight partial sums. The order of the additions, and so the last
    /// bits, differ from those of a loop.
    static func doubles(_ data: UnsafeRawPointer, _ count: Int, _ mask: MaskBytes?) -> Double {
        var a = SIMD2<Double>()
        var b = SIMD2<Double>()
        var c = SIMD2<Double>()
        var d = SIMD2<Double>()
        var row = 0
        @inline(__always)
        func pair(_ row: Int) -> SIMD2<Double> {
            if let mask {
                let bits = data.loadUnaligned(fromByteOffset: row &<< 3, as: SIMD2<UInt64>.self)
                let keep = SIMD2<UInt64>(0 &- UInt64(mask[row]), 0 &- UInt64(mask[row &+ 1]))
                return unsafeBitCast(bits & keep, to: SIMD2<Double>.self)
            }
            return data.loadUnaligned(fromByteOffset: row &<< 3, as: SIMD2<Double>.self)
        }
        while row &+ 8 <= count {
            a += pair(row)
            b += pair(row &+ 2)
            c += pair(row &+ 4)
            d += pair(row &+ 6)
            row &+= 8
        }
        let sums = (a + b) + (c + d)
        var total = sums[0] + sums[1]
        while row < count {
            if mask == nil || mask.unsafelyUnwrapped[row] != 0 {
                total += data.loadUnaligned(fromByteOffset: row &<< 3, as: Double.self)
            }
            row &+= 1
        }
        return total
    }

    /// The sum of floats as a double, in four partial sums.
    static func floats(_ data: UnsafeRawPointer, _ count: Int, _ mask: MaskBytes?) -> Double {
        var sums = SIMD4<Double>()
        var row = 0
        @inline(__always)
        func value(_ row: Int) -> Double {
            if let mask, mask[row] == 0 { return 0 }
            return Double(data.loadUnaligned(fromByteOffset: row &<< 2, as: Float.self))
        }
        while row &+ 4 <= count {
            sums += SIMD4<Double>(value(row), value(row &+ 1), value(row &+ 2), value(row &+ 3))
            row &+= 4
        }
        var total = (sums[0] + sums[1]) + (sums[2] + sums[3])
        while row < count {
            total += value(row)
            row &+= 1
        }
        return total
    }
}
