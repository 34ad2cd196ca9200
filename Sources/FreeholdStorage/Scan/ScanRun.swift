/// What one evaluation works with: buffers that are used again for each cluster. Confined to
/// the call that made it.
final class ScanRun {
    private var freeMasks: ContiguousArray<(bytes: MaskBytes, capacity: Int)> = []
    private var borrowedMasks: ContiguousArray<(bytes: MaskBytes, capacity: Int)> = []
    private var integers: UnsafeMutablePointer<Int64>?
    private var integerCapacity = 0
    /// Where text is folded.
    private(set) lazy var folded = ByteBuffer()

    init() {}

    deinit {
        for mask in freeMasks { mask.bytes.deallocate() }
        for mask in borrowedMasks { mask.bytes.deallocate() }
        integers?.deallocate()
    }

    /// A mask for `count` rows with unspecified contents, to be given back in the opposite order.
    func borrowMask(for count: Int) -> MaskBytes {
        let needed = Mask.capacity(for: count)
        if let mask = freeMasks.popLast() {
            if mask.capacity >= needed {
                borrowedMasks.append(mask)
                return mask.bytes
            }
            mask.bytes.deallocate()
        }
        let capacity = max(needed, 1024)
        // Zeroed once, so that loops over whole vectors never read memory that was not initialised.
        let bytes = MaskBytes.allocate(capacity: capacity)
        bytes.initialize(repeating: 0, count: capacity)
        borrowedMasks.append((bytes, capacity))
        return bytes
    }

    /// Gives back the mask that was borrowed last.
    func returnMask() { freeMasks.append(borrowedMasks.removeLast()) }

    /// Room for two columns of `count` integers, with unspecified contents; the next call may
    /// return the same room.
    func integerRoom(for count: Int) -> (UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Int64>) {
        if let integers, integerCapacity >= count { return (integers, integers + integerCapacity) }
        integers?.deallocate()
        integerCapacity = max(count, 1024)
        let room = UnsafeMutablePointer<Int64>.allocate(capacity: 2 * integerCapacity)
        room.initialize(repeating: 0, count: 2 * integerCapacity)
        integers = room
        return (room, room + integerCapacity)
    }
}

/// Bytes that are written again and again without giving the memory back. Confined to its
/// ``ScanRun``.
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

    /// Makes room for `additional` bytes after the present ones. Amortised O(1).
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
