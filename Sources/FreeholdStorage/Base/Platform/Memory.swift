internal import CLMDB
internal import Glibc

/// What the C library does with memory faster than plain Swift, and maps of files.
package enum Memory {
    /// Negative, zero or positive in the order of unsigned bytes.
    @inline(__always)
    static func compare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Int {
        Int(memcmp(a, b, count))
    }

    /// Whether two texts of C are equal.
    package static func isSameText(_ a: UnsafePointer<CChar>, _ b: UnsafePointer<CChar>) -> Bool {
        strcmp(a, b) == 0
    }

    /// Asks the processor to load the cache line of an address, whatever that is.
    @inline(__always)
    static func prefetch(_ address: UnsafeRawPointer) { freehold_prefetch(address) }

    /// Overwrites secrets, though nothing reads the memory any more.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
    }

    /// Maps the beginning of a file, for reading and writing by all processes.
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
