/// XXH64, the 64-bit hash by Yann Collet, after its public specification (xxHash,
/// `doc/xxhash_spec.md`).
///
/// It detects damaged bytes; it does not protect against an attacker. At about 10 GB/s,
/// checking a cluster costs less than encoding it.
package enum Checksum {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    @inline(__always)
    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
        value &<< count | value &>> (64 &- count)
    }

    @inline(__always)
    private static func round(_ accumulator: UInt64, _ input: UInt64) -> UInt64 {
        rotate(accumulator &+ input &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func merge(_ accumulator: UInt64, _ value: UInt64) -> UInt64 {
        (accumulator ^ round(0, value)) &* prime1 &+ prime4
    }

    /// The hash of some bytes. O(bytes).
    package static func xxh64(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        let count = bytes.count
        var hash: UInt64
        var offset = 0
        if let base = bytes.baseAddress, count >= 32 {
            var a = seed &+ prime1 &+ prime2
            var b = seed &+ prime2
            var c = seed
            var d = seed &- prime1
            let end = count &- 32
            while offset <= end {
                a = round(a, base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                b = round(b, base.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
                c = round(c, base.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self))
                d = round(d, base.loadUnaligned(fromByteOffset: offset &+ 24, as: UInt64.self))
                offset &+= 32
            }
            hash = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
            hash = merge(hash, a)
            hash = merge(hash, b)
            hash = merge(hash, c)
            hash = merge(hash, d)
        } else {
            hash = seed &+ prime5
        }
        hash &+= UInt64(count)
        if let base = bytes.baseAddress {
            while offset &+ 8 <= count {
                hash ^= round(0, base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                hash = rotate(hash, 27) &* prime1 &+ prime4
                offset &+= 8
            }
            if offset &+ 4 <= count {
                hash ^=
                    UInt64(base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) &* prime1
                hash = rotate(hash, 23) &* prime2 &+ prime3
                offset &+= 4
            }
            while offset < count {
                hash ^= UInt64(base.load(fromByteOffset: offset, as: UInt8.self)) &* prime5
                hash = rotate(hash, 11) &* prime1
                offset &+= 1
            }
        }
        hash = (hash ^ (hash &>> 33)) &* prime2
        hash = (hash ^ (hash &>> 29)) &* prime3
        return hash ^ (hash &>> 32)
    }
}
