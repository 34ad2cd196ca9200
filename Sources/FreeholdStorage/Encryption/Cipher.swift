#if Encryption
internal import Crypto
#endif
internal import Foundation

/// The cryptography of encrypted files, which is swift-crypto's: AES-256-GCM, HKDF and HMAC
/// with SHA-512.
///
/// All of it is here, because a program may leave it out: without the package's trait
/// "Encryption" swift-crypto is neither fetched nor built. Then `isAvailable` is false, no file
/// can be opened with a key, and nothing here is called but ``Key/init(data:)``.
enum Cipher {
    #if Encryption
    static let isAvailable = true

    /// The bytes are held by swift-crypto, which overwrites them when the last copy goes.
    struct Key: Sendable, Equatable {
        fileprivate let material: SymmetricKey

        init(data: some ContiguousBytes) { material = SymmetricKey(data: data) }

        private init(_ material: SymmetricKey) { self.material = material }

        static func random(byteCount: Int) -> Key {
            Key(SymmetricKey(size: SymmetricKeySize(bitCount: byteCount * 8)))
        }

        func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
            -> Result
        {
            try material.withUnsafeBytes(body)
        }

        /// HKDF's extraction and expansion (RFC 5869).
        func derivedKey(salt: [UInt8], info: [UInt8], byteCount: Int) -> Key {
            Key(
                HKDF<SHA512>.deriveKey(
                    inputKeyMaterial: material, salt: salt, info: info, outputByteCount: byteCount))
        }

        /// HKDF's expansion alone, of a key that is random already.
        func expandedKey(info: [UInt8], byteCount: Int) -> Key {
            Key(
                HKDF<SHA512>.expand(
                    pseudoRandomKey: material, info: info, outputByteCount: byteCount))
        }

        func authenticationCode(for bytes: UnsafeRawBufferPointer) -> [UInt8] {
            Array(HMAC<SHA512>.authenticationCode(for: bytes, using: material))
        }
    }

    /// The nonce, 12 random bytes; what was encrypted; and the tag, 16 bytes.
    static func encrypt(
        _ bytes: UnsafeRawBufferPointer, using key: Key, authenticating data: some DataProtocol
    ) throws -> Data {
        let box = try AES.GCM.seal(bytes, using: key.material, authenticating: data)
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return combined
    }

    /// Throws unless these are the bytes that were encrypted with this key and this data.
    static func open(
        _ encrypted: some DataProtocol, using key: Key, authenticating data: some DataProtocol
    ) throws -> Data {
        try AES.GCM.open(
            AES.GCM.SealedBox(combined: encrypted), using: key.material, authenticating: data)
    }
    #else
    static let isAvailable = false

    /// What was given, which opens nothing.
    struct Key: Sendable, Equatable {
        private let bytes: [UInt8]

        init(data: some Sequence<UInt8>) { bytes = Array(data) }

        static func random(byteCount: Int) -> Key { missing() }

        func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
            -> Result
        {
            try bytes.withUnsafeBytes(body)
        }

        func derivedKey(salt: [UInt8], info: [UInt8], byteCount: Int) -> Key { missing() }
        func expandedKey(info: [UInt8], byteCount: Int) -> Key { missing() }
        func authenticationCode(for bytes: UnsafeRawBufferPointer) -> [UInt8] { missing() }
    }

    static func encrypt(
        _ bytes: UnsafeRawBufferPointer, using key: Key, authenticating data: some DataProtocol
    ) throws -> Data { missing() }

    static func open(
        _ encrypted: some DataProtocol, using key: Key, authenticating data: some DataProtocol
    ) throws -> Data {
        missing()
    }

    fileprivate static func missing() -> Never {
        preconditionFailure("A file's keys were made without the trait \"Encryption\".")
    }
    #endif

    /// Throws `encryptionUnavailable` where the library was built without cryptography.
    static func check(_ path: String) throws(StorageError) {
        if isAvailable { return }
        throw StorageError(
            .encryptionUnavailable,
            """
            "\(path)" cannot be encrypted or decrypted: this program was built without \
            encryption. Let the dependency on the package Freehold have its trait \
            "Encryption", which is a default one.
            """,
            path: path)
    }
}
