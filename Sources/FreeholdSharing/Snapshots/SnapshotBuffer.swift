/// Bytes on their way to a file.
///
/// It is `Sendable` because one party uses it at a time: whoever got it from ``SnapshotWriter``,
/// until it goes back there.
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
