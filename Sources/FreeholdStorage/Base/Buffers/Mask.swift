/// One byte a row, 1 where the row matches and 0 elsewhere.
///
/// A mask has room for its rows rounded up to whole vectors (``Mask/capacity(for:)``). The
/// bytes past the last row are unspecified. So loops that combine masks run over whole vectors,
/// and loops that count stop at the last row.
typealias MaskBytes = UnsafeMutablePointer<UInt8>

enum Mask {
    /// 1 for true and 0 for false. A choice of two constants would be compiled to a branch,
    /// which keeps loops from being vectorised.
    @inline(__always)
    static func byte(_ value: Bool) -> UInt8 { unsafeBitCast(value, to: UInt8.self) }

    /// How many bytes a mask for `count` rows takes.
    @inline(__always)
    static func capacity(for count: Int) -> Int { (count &+ 63) & ~63 }

    @inline(__always)
    static func load(_ mask: MaskBytes, _ index: Int) -> SIMD16<UInt8> {
        UnsafeRawPointer(mask).loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
    }

    @inline(__always)
    static func store(_ value: SIMD16<UInt8>, _ mask: MaskBytes, _ index: Int) {
        UnsafeMutableRawPointer(mask).storeBytes(
            of: value, toByteOffset: index, as: SIMD16<UInt8>.self)
    }

    static func fill(_ mask: MaskBytes, count: Int, with value: Bool) {
        mask.update(repeating: value ? 1 : 0, count: count)
    }

    static func and(_ mask: MaskBytes, with other: MaskBytes, count: Int) {
        var index = 0
        while index < count {
            store(load(mask, index) & load(other, index), mask, index)
            index &+= 16
        }
    }

    static func or(_ mask: MaskBytes, with other: MaskBytes, count: Int) {
        var index = 0
        while index < count {
            store(load(mask, index) | load(other, index), mask, index)
            index &+= 16
        }
    }

    static func invert(_ mask: MaskBytes, count: Int) {
        let ones = SIMD16<UInt8>(repeating: 1)
        var index = 0
        while index < count {
            store(load(mask, index) ^ ones, mask, index)
            index &+= 16
        }
    }

    /// How many rows match.
    static func sum(_ mask: MaskBytes, count: Int) -> Int {
        var total = 0
        var index = 0
        let whole = count & ~15
        while index < whole {
            // A lane overflows after 255 additions of 1.
            let end = min(whole, index &+ 255 &* 16)
            var lanes = SIMD16<UInt8>(repeating: 0)
            while index < end {
                lanes = lanes &+ load(mask, index)
                index &+= 16
            }
            total &+= sum(lanes)
        }
        while index < count {
            total &+= Int(mask[index])
            index &+= 1
        }
        return total
    }

    /// The sum of sixteen bytes.
    @inline(__always)
    static func sum(_ lanes: SIMD16<UInt8>) -> Int {
        let words = unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
        let even: UInt64 = 0x00FF_00FF_00FF_00FF
        let first = (words[0] & even) &+ (words[0] &>> 8 & even)
        let second = (words[1] & even) &+ (words[1] &>> 8 & even)
        return Int(truncatingIfNeeded: ((first &+ second) &* 0x0001_0001_0001_0001) &>> 48)
    }

    /// The first matching row from `start` on; `count` if there is none.
    static func firstMatch(_ mask: MaskBytes, from start: Int, count: Int) -> Int {
        let raw = UnsafeRawPointer(mask)
        var index = start
        while index &+ 8 <= count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if word != 0 { return index &+ word.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < count && mask[index] == 0 { index &+= 1 }
        return index
    }

    /// Whether no row matches.
    static func isZero(_ mask: MaskBytes, count: Int) -> Bool {
        firstMatch(mask, from: 0, count: count) == count
    }

    /// Whether every row matches.
    static func isAllOne(_ mask: MaskBytes, count: Int) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let raw = UnsafeRawPointer(mask)
        var index = 0
        while index &+ 8 <= count {
            if raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) != ones { return false }
            index &+= 8
        }
        while index < count {
            if mask[index] == 0 { return false }
            index &+= 1
        }
        return true
    }
}
