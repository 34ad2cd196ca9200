import Glibc
import Testing

/// Memory between two pages that cannot be read: who reads outside of it ends the process.
final class GuardedMemory {
    let bytes: UnsafeMutableRawBufferPointer
    private let whole: UnsafeMutableRawPointer
    private let wholeCount: Int

    /// - Parameter count: A multiple of the system's page size.
    init(count: Int) throws {
        let size = Int(getpagesize())
        try #require(count % size == 0)
        wholeCount = count + 2 * size
        let whole = try #require(
            mmap(nil, wholeCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        try #require(whole != MAP_FAILED)
        try #require(mprotect(whole + size, count, PROT_READ | PROT_WRITE) == 0)
        self.whole = whole
        bytes = UnsafeMutableRawBufferPointer(start: whole + size, count: count)
    }

    deinit { munmap(whole, wholeCount) }

    var start: UnsafeRawPointer { UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped) }

    func put(_ number: some FixedWidthInteger, at offset: Int) {
        withUnsafeBytes(of: number.littleEndian) {
            UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + $0.count]).copyMemory(
                from: $0)
        }
    }
}
