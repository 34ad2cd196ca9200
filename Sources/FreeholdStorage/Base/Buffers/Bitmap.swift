/// Bitmaps (one bit a row, least significant first) and their operations on masks.
@usableFromInline
package enum Bitmap {
    @inlinable @inline(__always)
    package static func isSet(_ bitmap: UnsafeRawPointer, _ row: Int) -> Bool {
        bitmap.load(fromByteOffset: row &>> 3, as: UInt8.self)
            &>> UInt8(truncatingIfNeeded: row & 7) & 1 != 0
    }

    /// Eight bits as eight bytes of 0 or 1.
    @inline(__always)
    static func expand(_ bits: UInt8) -> UInt64 {
        // Each byte keeps its own bit, then any non-zero byte becomes 1.
        let spread = (UInt64(bits) &* 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201
        return (spread &+ 0x7F7F_7F7F_7F7F_7F7F) &>> 7 & 0x0101_0101_0101_0101
    }

    /// Sets the mask to the bitmap, or to its complement.
    static func expand(_ bitmap: UnsafeRawPointer, count: Int, inverted: Bool, into mask: MaskBytes)
    {
        let flip: UInt64 = inverted ? 0x0101_0101_0101_0101 : 0
        let raw = UnsafeMutableRawPointer(mask)
        let bit = unsafeBitCast(
            SIMD2<UInt64>(repeating: 0x8040_2010_0804_0201), to: SIMD16<UInt8>.self)
        let ones = SIMD16<UInt8>(repeating: 1)
        let flips = SIMD16<UInt8>(repeating: inverted ? 1 : 0)
        var row = 0
        while row &+ 16 <= count {
            // Each byte of bits eight times, then one bit of each.
            let pair = bitmap.loadUnaligned(fromByteOffset: row &>> 3, as: UInt16.self)
            let low = UInt64(pair & 0xFF) &* 0x0101_0101_0101_0101
            let high = UInt64(pair &>> 8) &* 0x0101_0101_0101_0101
            let bits = unsafeBitCast(SIMD2<UInt64>(low, high), to: SIMD16<UInt8>.self) & bit
            Mask.store(
                unsafeBitCast(bits .== bit, to: SIMD16<UInt8>.self) & ones ^ flips, mask, row)
            row &+= 16
        }
        while row < count {
            let bits = bitmap.load(fromByteOffset: row &>> 3, as: UInt8.self)
            raw.storeBytes(of: expand(bits) ^ flip, toByteOffset: row, as: UInt64.self)
            row &+= 8
        }
    }

    /// Sets the mask to `value` where the bitmap has a bit.
    static func overlay(_ bitmap: UnsafeRawPointer, count: Int, value: Bool, on mask: MaskBytes) {
        let raw = UnsafeMutableRawPointer(mask)
        var row = 0
        while row < count {
            let bits = bitmap.load(fromByteOffset: row &>> 3, as: UInt8.self)
            if bits != 0 {
                let bytes = expand(bits)
                let word = raw.loadUnaligned(fromByteOffset: row, as: UInt64.self)
                raw.storeBytes(
                    of: value ? word | bytes : word & ~bytes, toByteOffset: row, as: UInt64.self)
            }
            row &+= 8
        }
    }

    /// Returns up to 64 bits from `row` on, none of them past the first `count`. `row` is a
    /// multiple of 8 below `count`.
    @inline(__always)
    static func word(_ bitmap: UnsafeRawPointer, from row: Int, count: Int) -> UInt64 {
        let start = bitmap + row &>> 3
        if row &+ 64 <= count { return start.loadUnaligned(as: UInt64.self) }
        var bits: UInt64 = 0
        for byte in 0..<(count &- row &+ 7) &>> 3 {
            bits |= UInt64(start.load(fromByteOffset: byte, as: UInt8.self)) &<< UInt64(byte &<< 3)
        }
        return bits & ((1 &<< UInt64(truncatingIfNeeded: count &- row)) &- 1)
    }

    /// Calls `body` with the row of each set bit of a word whose lowest bit is `row`.
    @inline(__always)
    static func forEachSet(in word: UInt64, from row: Int, _ body: (Int) -> Void) {
        var word = word
        while word != 0 {
            body(row &+ word.trailingZeroBitCount)
            word &= word &- 1
        }
    }

    /// How many of the first `count` bits are set.
    static func population(_ bitmap: UnsafeRawPointer, count: Int) -> Int {
        var total = 0
        var row = 0
        while row &+ 64 <= count {
            total &+=
                bitmap.loadUnaligned(fromByteOffset: row &>> 3, as: UInt64.self).nonzeroBitCount
            row &+= 64
        }
        while row &+ 8 <= count {
            total &+= bitmap.load(fromByteOffset: row &>> 3, as: UInt8.self).nonzeroBitCount
            row &+= 8
        }
        if row < count {
            let last = bitmap.load(fromByteOffset: row &>> 3, as: UInt8.self)
            let wanted = ((1 as UInt8) &<< UInt8(truncatingIfNeeded: count &- row)) &- 1
            total &+= (last & wanted).nonzeroBitCount
        }
        return total
    }
}
