/// The 64 bytes that a file is encrypted under.
///
/// See ``Cipher`` for how they are held. Whoever made the key from bytes still has those.
package struct EncryptionKey: Sendable, Equatable {
    package static let byteCount = 64

    let material: Cipher.Key

    /// Nil unless there are 64 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        material = Cipher.Key(data: Array(bytes))
    }
}

extension EncryptionKey {
    /// The key that files are opened with where no other is given: none, but for suites of
    /// tests that run encrypted.
    static var standard: EncryptionKey? {
        #if DEBUG
        SuiteEncryptionKey.key
        #else
        nil
        #endif
    }
}

#if DEBUG
/// A key that files are opened with where no other is given, so that whole suites of tests run
/// encrypted. No release has it.
package enum SuiteEncryptionKey {
    private static let current = Locked<EncryptionKey?>(processWide: nil)

    package static var key: EncryptionKey? { current.withLock { $0 } }

    package static func set(_ key: EncryptionKey?) { current.withLock { $0 = key } }
}
#endif
