internal import CZstd
import Foundation

/// Compresses bytes into one frame of Zstandard (RFC 8878) with a checksum. The program `zstd`
/// reads it, too.
final class ZstandardEncoder {
    private let context: OpaquePointer

    init() {
        guard let context = ZSTD_createCCtx() else { fatalError("Out of memory.") }
        // Makes realms four times smaller. Level 1 makes them five times smaller, and is read at
        // two thirds of the speed.
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, -1)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        self.context = context
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Compresses until the buffer is full, or the input is used up.
    ///
    /// - Parameters:
    ///   - isLast: Whether the frame ends with the input.
    ///   - offset: Where in the input to begin; then where it stopped.
    /// - Returns: Whether the input is used up, and all of the frame in the buffer if it was the
    ///   last one.
    func encode(_ input: Data, isLast: Bool, from offset: inout Int, into buffer: SnapshotBuffer)
        -> Bool
    {
        let result = input.withUnsafeBytes { bytes in
            var source = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: offset)
            var target = ZSTD_outBuffer(
                dst: buffer.bytes.baseAddress, size: buffer.bytes.count, pos: buffer.count)
            defer { (offset, buffer.count) = (source.pos, target.pos) }
            return ZSTD_compressStream2(
                context, &target, &source, isLast ? ZSTD_e_end : ZSTD_e_continue)
        }
        // The library's only failure here.
        if ZSTD_isError(result) != 0 { fatalError("Out of memory.") }
        return isLast ? result == 0 : offset == input.count
    }
}
