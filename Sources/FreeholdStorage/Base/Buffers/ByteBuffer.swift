/// A reusable byte buffer, which keeps its memory. Confined to its ``ScanRun``.
final class ByteBuffer {
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    var count = 0

    init() {
        capacity = 256
        bytes = .allocate(capacity: capacity)
    }

    deinit { bytes.deallocate() }

    var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

    /// Makes room for `additional` bytes after the current ones. Amortised O(1).
    @inline(__always)
    func reserve(_ additional: Int) {
        if count &+ additional > capacity { grow(to: count + additional) }
    }

    private func grow(to needed: Int) {
        let newCapacity = max(needed, 2 * capacity)
        let newBytes = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
        newBytes.update(from: bytes, count: count)
        bytes.deallocate()
        bytes = newBytes
        capacity = newCapacity
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        bytes[count] = byte
        count &+= 1
    }
}
