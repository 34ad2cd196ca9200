/// Comparisons of byte runs at any alignment, eight bytes at a time.
enum ByteComparison {
    /// Whether two runs of `count` bytes are equal. O(count).
    @inline(__always)
    static func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Bool {
        if count < 8 {
            var index = 0
            while index < count {
                if a.load(fromByteOffset: index, as: UInt8.self)
                    != b.load(fromByteOffset: index, as: UInt8.self)
                {
                    return false
                }
                index &+= 1
            }
            return true
        }
        var index = 0
        while index <= count &- 8 {
            if a.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                != b.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            {
                return false
            }
            index &+= 8
        }
        // The last eight bytes overlap those already compared.
        return a.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            == b.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    }

    /// Whether two buffers hold the same bytes.
    @inline(__always)
    static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard a.count == b.count else { return false }
        guard let first = a.baseAddress, let second = b.baseAddress else { return true }
        return areEqual(first, second, count: a.count)
    }

    /// Compares two runs as unsigned bytes: negative, zero or positive. A prefix sorts first.
    /// O(shorter).
    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        guard let first = a.baseAddress, let second = b.baseAddress else {
            return a.count &- b.count
        }
        let common = min(a.count, b.count)
        var index = 0
        while index <= common &- 8 {
            let x = UInt64(bigEndian: first.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let y = UInt64(bigEndian: second.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            if x != y { return x < y ? -1 : 1 }
            index &+= 8
        }
        while index < common {
            let x = first.load(fromByteOffset: index, as: UInt8.self)
            let y = second.load(fromByteOffset: index, as: UInt8.self)
            if x != y { return x < y ? -1 : 1 }
            index &+= 1
        }
        return a.count &- b.count
    }
}
