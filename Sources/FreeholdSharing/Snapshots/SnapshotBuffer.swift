/// Bytes on their way to a file.
///
/// `Sendable` because it is used in one place at a time: by the caller that got it from
/// ``SnapshotWriter``, until the writer gets it back.
final class SnapshotBuffer: @unchecked Sendable {
    /// Fits into a core's cache, with its neighbours.
    private static let capacity = 512 << 10

    let bytes = UnsafeMutableRawBufferPointer.allocate(
        byteCount: SnapshotBuffer.capacity, alignment: 4096)
    /// So many bytes at the beginning are in use.
    var count = 0

    var isFull: Bool { count == bytes.count }

    deinit { bytes.deallocate() }
}
