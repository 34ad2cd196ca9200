import Foundation

/// Folds text, so that texts which compare as equal become the same bytes.
///
/// ASCII text takes one pass over its bytes. Other text is folded scalar by scalar. Without
/// diacritics, it is decomposed canonically and loses its nonspacing marks. Without case, each
/// scalar becomes its lowercase mapping, and a final sigma becomes a sigma. Folding uses no
/// locale: `ß` is not `ss`, and a Turkish dotless `ı` is not `i`.
struct TextFolding: Sendable {
    let options: ScanTextOptions
    /// Whether the column holds bytes, not text: then only ASCII letters fold.
    let isBytes: Bool

    private var ignoresCase: Bool { options.contains(.caseInsensitive) }

    /// The folded form of a constant.
    func fold(_ needle: [UInt8]) -> [UInt8] {
        let buffer = ByteBuffer()
        needle.withUnsafeBytes { fold($0, into: buffer) }
        return Array(buffer.contents)
    }

    /// Replaces the buffer's contents with the folded form of the text. O(text).
    func fold(_ text: UnsafeRawBufferPointer, into buffer: ByteBuffer) {
        buffer.count = 0
        if isBytes || TextFolding.isASCII(text) {
            buffer.reserve(text.count)
            buffer.count = text.count
            if ignoresCase {
                for index in 0..<text.count {
                    buffer.bytes[index] = TextFolding.lowercaseASCII(text[index])
                }
            } else {
                for index in 0..<text.count { buffer.bytes[index] = text[index] }
            }
            return
        }
        var string = String(decoding: text, as: UTF8.self)
        if options.contains(.diacriticInsensitive) {
            string = string.decomposedStringWithCanonicalMapping
        }
        for scalar in string.unicodeScalars { append(scalar, to: buffer) }
    }

    private func append(_ scalar: Unicode.Scalar, to buffer: ByteBuffer) {
        if scalar.isASCII {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            buffer.append(ignoresCase ? TextFolding.lowercaseASCII(byte) : byte)
        } else if options.contains(.diacriticInsensitive),
            scalar.properties.generalCategory == .nonspacingMark
        {
            return
        } else if !ignoresCase {
            for byte in UTF8.encode(scalar).unsafelyUnwrapped { buffer.append(byte) }
        } else if scalar == "\u{3C2}" {
            for byte in "\u{3C3}".utf8 { buffer.append(byte) }
        } else {
            for byte in scalar.properties.lowercaseMapping.utf8 { buffer.append(byte) }
        }
    }

    @inline(__always)
    static func lowercaseASCII(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether no byte has its high bit set. O(count), 16 bytes at a time.
    static func isASCII(_ buffer: UnsafeRawBufferPointer) -> Bool {
        guard let base = buffer.baseAddress else { return true }
        var index = 0
        var seen = SIMD16<UInt8>(repeating: 0)
        while index &+ 16 <= buffer.count {
            seen |= base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            index &+= 16
        }
        let words = unsafeBitCast(seen, to: SIMD2<UInt64>.self)
        var rest: UInt8 = 0
        while index < buffer.count {
            rest |= base.load(fromByteOffset: index, as: UInt8.self)
            index &+= 1
        }
        return (words[0] | words[1]) & 0x8080_8080_8080_8080 == 0 && rest < 0x80
    }
}
