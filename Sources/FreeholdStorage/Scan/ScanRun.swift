/// The working memory of one evaluation: buffers that are reused for each cluster. Confined to
/// the call that created it.
final class ScanRun {
    private var freeMasks: ContiguousArray<(bytes: MaskBytes, capacity: Int)> = []
    private var borrowedMasks: ContiguousArray<(bytes: MaskBytes, capacity: Int)> = []
    private var integers: UnsafeMutablePointer<Int64>?
    private var integerCapacity = 0
    /// The buffer for folded text.
    private(set) lazy var folded = ByteBuffer()

    init() {}

    deinit {
        for mask in freeMasks { mask.bytes.deallocate() }
        for mask in borrowedMasks { mask.bytes.deallocate() }
        integers?.deallocate()
    }

    /// Borrows a mask for `count` rows, with unspecified contents. Masks must be returned in
    /// reverse order.
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
        // Zeroed once, so that loops over whole vectors never read uninitialised memory.
        let bytes = MaskBytes.allocate(capacity: capacity)
        bytes.initialize(repeating: 0, count: capacity)
        borrowedMasks.append((bytes, capacity))
        return bytes
    }

    /// Returns the mask that was borrowed last.
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
