internal import CLMDB
internal import Glibc

/// C library functions on memory that are faster than plain Swift, and memory maps of files.
package enum Memory {
    /// Compares bytes as unsigned numbers (`memcmp`): negative, zero or positive.
    @inline(__always)
    static func compare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Int {
        Int(memcmp(a, b, count))
    }

    /// Whether bytes are equal.
    package static func isSame(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard a.count == b.count, let first = a.baseAddress, let second = b.baseAddress else {
            return a.count == b.count
        }
        return compare(first, second, count: a.count) == 0
    }

    /// Whether two C strings are equal.
    package static func isSameText(_ a: UnsafePointer<CChar>, _ b: UnsafePointer<CChar>) -> Bool {
        strcmp(a, b) == 0
    }

    /// Prefetches the cache line of an address, which need not be mapped.
    @inline(__always)
    static func prefetch(_ address: UnsafeRawPointer) { freehold_prefetch(address) }

    /// Overwrites a secret with zeros. The compiler does not remove the write as dead.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
    }

    /// Maps the beginning of a file for reading and writing, shared with other processes. Nil if
    /// the call fails.
    static func map(_ descriptor: Int32, count: Int) -> UnsafeMutableRawPointer? {
        let mapped = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        return mapped == MAP_FAILED ? nil : mapped
    }

    static func unmap(_ start: UnsafeMutableRawPointer, count: Int) { munmap(start, count) }
}

extension UnsafeRawBufferPointer {
    /// Whether a byte is zero. O(count).
    var hasZero: Bool { baseAddress.map { memchr($0, 0, count) != nil } ?? false }
}
