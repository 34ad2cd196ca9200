#if Encryption
internal import Crypto
#endif
internal import Foundation

/// The cryptography of encrypted files, provided by swift-crypto: AES-256-GCM, HKDF and HMAC
/// with SHA-512.
///
/// All of it is in this file, because a program may leave it out: without the package's trait
/// "Encryption", swift-crypto is neither fetched nor built. Then `isAvailable` is false, and no
/// file can be opened with a key. Only ``Key/init(data:)`` is called then.
enum Cipher {
    #if Encryption
    static let isAvailable = true

    /// swift-crypto holds the bytes, and overwrites them when the last copy is released.
    struct Key: Sendable, Equatable {
        fileprivate let material: SymmetricKey

        init(data: some ContiguousBytes) { material = SymmetricKey(data: data) }

        private init(_ material: SymmetricKey) { self.material = material }

        static func random(byteCount: Int) -> Key {
            Key(SymmetricKey(size: SymmetricKeySize(bitCount: byteCount * 8)))
        }

        func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
            -> Result
        { try material.withUnsafeBytes(body) }

        /// HKDF's extraction and expansion (RFC 5869).
        func derivedKey(salt: [UInt8], info: [UInt8], byteCount: Int) -> Key {
            Key(
                HKDF<SHA512>.deriveKey(
                    inputKeyMaterial: material, salt: salt, info: info, outputByteCount: byteCount))
        }

        /// HKDF's expansion only, for a key that is already random.
        func expandedKey(info: [UInt8], byteCount: Int) -> Key {
            Key(
                HKDF<SHA512>.expand(
                    pseudoRandomKey: material, info: info, outputByteCount: byteCount))
        }

        func authenticationCode(for bytes: UnsafeRawBufferPointer) -> [UInt8] {
            Array(HMAC<SHA512>.authenticationCode(for: bytes, using: material))
        }
    }

    /// Encrypts bytes. Returns the nonce (12 random bytes), the ciphertext, and the tag (16
    /// bytes).
    static func encrypt(
        _ bytes: UnsafeRawBufferPointer, using key: Key, authenticating data: some DataProtocol
    ) throws -> Data {
        let box = try AES.GCM.seal(bytes, using: key.material, authenticating: data)
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return combined
    }

    /// Decrypts bytes. Throws unless they were encrypted with this key and this authenticated
    /// data.
    static func open(
        _ encrypted: some DataProtocol, using key: Key, authenticating data: some DataProtocol
    ) throws -> Data {
        try AES.GCM.open(
            AES.GCM.SealedBox(combined: encrypted), using: key.material, authenticating: data)
    }
    #else
    static let isAvailable = false

    /// The given bytes, which decrypt nothing.
    struct Key: Sendable, Equatable {
        private let bytes: [UInt8]

        init(data: some Sequence<UInt8>) { bytes = Array(data) }

        static func random(byteCount: Int) -> Key { missing() }

        func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
            -> Result
        { try bytes.withUnsafeBytes(body) }

        func derivedKey(salt: [UInt8], info: [UInt8], byteCount: Int) -> Key { missing() }
        func expandedKey(info: [UInt8], byteCount: Int) -> Key { missing() }
        func authenticationCode(for bytes: UnsafeRawBufferPointer) -> [UInt8] { missing() }
    }

    static func encrypt(
        _ bytes: UnsafeRawBufferPointer, using key: Key, authenticating data: some DataProtocol
    ) throws -> Data { missing() }

    static func open(
        _ encrypted: some DataProtocol, using key: Key, authenticating data: some DataProtocol
    ) throws -> Data { missing() }

    fileprivate static func missing() -> Never {
        preconditionFailure("A file's keys were made without the trait \"Encryption\".")
    }
    #endif

    /// Throws `encryptionUnavailable` if the library was built without cryptography.
    static func check(_ path: String) throws(StorageError) {
        if isAvailable { return }
        throw StorageError(
            .encryptionUnavailable,
            """
            "\(path)" cannot be encrypted or decrypted: this program was built without \
            encryption. Let the dependency on the package Freehold have its trait \
            "Encryption", which is a default one.
            """, path: path)
    }
}
