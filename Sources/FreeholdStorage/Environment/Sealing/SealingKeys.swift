internal import Crypto
internal import Foundation

/// The keys of one encrypted file, derived from the user's key and the file's salt (RFC 5869, SHA-512).
///
/// A subkey seals the records of 4,096 versions and 1,048,576 record numbers of one database: 2^32 pairs of a version and a number, which is how many messages
/// NIST SP 800-38D allows under one key with random nonces of 96 bits.
final class SealingKeys: Sendable {
    static let saltSize = 32
    static let verifierSize = 32
    private static let versionBits: UInt64 = 12
    private static let numberBits: UInt64 = 20

    let salt: [UInt8]
    /// What can be compared with the file's record to know whether the key is the file's. It tells nothing of the key or the subkeys.
    let verifier: [UInt8]
    /// What the keys were derived from, for other files.
    let key: EncryptionKey
    private let secret: SymmetricKey
    private let subkeys = Locked<[SubkeyName: SymmetricKey]>([:])

    private struct SubkeyName: Hashable {
        let database: UInt8
        let versions: UInt64
        let numbers: UInt64
    }

    init(_ key: EncryptionKey, salt: [UInt8]) {
        self.salt = salt
        self.key = key
        let code = HKDF<SHA512>.extract(inputKeyMaterial: key.material, salt: salt)
        secret = code.withUnsafeBytes { SymmetricKey(data: $0) }
        verifier = Self.derive(secret, Array("Freehold verifier".utf8), count: Self.verifierSize).withUnsafeBytes { Array($0) }
    }

    /// Keys for a new file.
    convenience init(newFileWith key: EncryptionKey) { self.init(key, salt: Self.randomSalt()) }

    /// What the file's format record says.
    var encryption: FileEncryption { FileEncryption(salt: salt, verifier: verifier) }

    private static func derive(_ secret: SymmetricKey, _ info: [UInt8], count: Int) -> SymmetricKey {
        HKDF<SHA512>.expand(pseudoRandomKey: secret, info: info, outputByteCount: count)
    }

    /// The key of a record. A hash lookup, but for the first record of its kind.
    func subkey(of place: RecordPlace) -> SymmetricKey {
        let name = SubkeyName(
            database: place.database, versions: place.version >> Self.versionBits, numbers: place.number >> Self.numberBits)
        return subkeys.withLock { known in
            if let key = known[name] { return key }
            var info = Array("Freehold records".utf8)
            info.append(name.database)
            withUnsafeBytes(of: name.versions.littleEndian) { info.append(contentsOf: $0) }
            withUnsafeBytes(of: name.numbers.littleEndian) { info.append(contentsOf: $0) }
            let key = Self.derive(secret, info, count: 32)
            known[name] = key
            return key
        }
    }

    private static func randomSalt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<saltSize / 8).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
    }
}
