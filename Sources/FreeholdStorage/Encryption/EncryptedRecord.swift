/// A decrypted record: its bytes and, for a node, the view of its entries. Immutable.
final class EncryptedRecord: @unchecked Sendable {
    // Sendable: nothing is written after `init`.

    let bytes: UnsafeRawBufferPointer
    let place: RecordPlace

    init(copying source: UnsafeRawBufferPointer, place: RecordPlace) {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(source.count, 1), alignment: 16)
        memory.copyMemory(from: source)
        bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<source.count])
        self.place = place
    }

    deinit {
        let memory = UnsafeMutableRawBufferPointer(mutating: bytes)
        Memory.wipe(memory)
        memory.deallocate()
    }
}
