internal import CZstd
import Foundation

/// Decompresses one frame of Zstandard (RFC 8878).
final class ZstandardDecoder {
    private let context: OpaquePointer
    /// Whether all of the frame was decompressed, and its checksum was right.
    private(set) var isAtEnd = false

    /// The largest window that a frame may ask for, as a power of two: other frames are damaged,
    /// or would take memory as they like. ``ZstandardEncoder`` asks for half a megabyte.
    private static let largestWindow: Int32 = 23

    init() {
        guard let context = ZSTD_createDCtx() else { fatalError("Out of memory.") }
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.largestWindow)
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Decompresses until the buffer is full, or the input is used up.
    ///
    /// - Parameter offset: Where in the input to begin; then where it stopped.
    /// - Throws: ``SharingError`` with `damagedPayload` for what is no frame, or lies behind it.
    func decode(_ input: Data, from offset: inout Int, into buffer: SnapshotBuffer)
        throws(SharingError)
    {
        if isAtEnd {
            if offset < input.count { throw Self.damaged("There is more behind its end.") }
            return
        }
        let result = input.withUnsafeBytes { bytes in
            var source = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: offset)
            var target = ZSTD_outBuffer(
                dst: buffer.bytes.baseAddress, size: buffer.bytes.count, pos: buffer.count)
            defer { (offset, buffer.count) = (source.pos, target.pos) }
            return ZSTD_decompressStream(context, &target, &source)
        }
        if ZSTD_isError(result) != 0 {
            throw Self.damaged(String(cString: ZSTD_getErrorName(result)))
        }
        isAtEnd = result == 0
        if isAtEnd, offset < input.count { throw Self.damaged("There is more behind its end.") }
    }

    static func damaged(_ cause: String) -> SharingError {
        SharingError(
            .damagedPayload, "The snapshot cannot be decompressed.",
            remedy: "Make another one (makeSnapshot(), freehold share seed).", cause: cause)
    }
}
