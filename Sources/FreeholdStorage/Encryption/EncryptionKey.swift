/// The 64-byte key that a file is encrypted with.
///
/// ``Cipher`` says how the bytes are held. The caller's own copy of the bytes remains.
package struct EncryptionKey: Sendable, Equatable {
    package static let byteCount = 64

    let material: Cipher.Key

    /// Nil unless there are exactly 64 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        material = Cipher.Key(data: Array(bytes))
    }
}

extension EncryptionKey {
    /// The key for files that are opened without one: none, except in test suites that run
    /// encrypted.
    static var standard: EncryptionKey? {
        #if DEBUG
        SuiteEncryptionKey.key
        #else
        nil
        #endif
    }
}

#if DEBUG
/// A key for files that are opened without one, so that whole test suites run encrypted. Not in
/// release builds.
package enum SuiteEncryptionKey {
    private static let current = Locked<EncryptionKey?>(processWide: nil)

    package static var key: EncryptionKey? { current.withLock { $0 } }

    package static func set(_ key: EncryptionKey?) { current.withLock { $0 = key } }
}
#endif
