/// 16 random bytes that name one write transaction of an encrypted file, whether or not it commits.
///
/// Versions repeat: after a backup is restored, in two copies of a file, and after a crash that
/// undid a commit. Records of two such histories may have the same number and version but have
/// different attempts, so neither decrypts in place of the other.
struct WriteAttempt: Hashable, Sendable {
    static let size = 16
    static let none = WriteAttempt(high: 0, low: 0)

    let high: UInt64
    let low: UInt64
}

extension WriteAttempt {
    static func random() -> WriteAttempt {
        var generator = SystemRandomNumberGenerator()
        return WriteAttempt(high: generator.next(), low: generator.next())
    }

    @inline(__always)
    init(at start: UnsafeRawPointer) {
        high = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
        low = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    func store(to bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        bytes.storeBytes(of: high.littleEndian, toByteOffset: offset, as: UInt64.self)
        bytes.storeBytes(of: low.littleEndian, toByteOffset: offset + 8, as: UInt64.self)
    }
}
