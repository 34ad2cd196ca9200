internal import Foundation

/// Why bytes are not an archive that can be read here.
package enum ArchiveFailure: Error, Equatable {
    /// They do not begin as an archive does.
    case notAnArchive
    /// A later release wrote them in a format with this number.
    case newerFormat(UInt8)
    /// They were changed or cut, or contradict themselves.
    case damaged
    /// They are encrypted for another file.
    case otherFile
}

/// An archive: edits behind a header.
///
///     0        7        8        9                                 17
///     +--------+--------+--------+---------------------------------+-----------
///     | FHDRAFT| format | 0      | XXH64 of all that follows       | edits
///     +--------+--------+--------+---------------------------------+-----------
///
///     0        7        8        9                 25      57      69
///     +--------+--------+--------+-----------------+-------+-------+-----------+-----+
///     | FHDRAFT| format | 1      | file identifier | salt  | nonce | encrypted | tag |
///     +--------+--------+--------+-----------------+-------+-------+-----------+-----+
///
/// The second form is that of an encrypted file. AES-256-GCM under a key derived from the file's
/// own key and the salt (32 random bytes); all before the nonce is authenticated.
extension ArchivedEdits {
    private static let magic = Array("FHDRAFT".utf8)
    private static let format: UInt8 = 1
    private static let headSize = magic.count + 2

    /// The archive, encrypted for the file if that is encrypted. O(bytes).
    package func archived(for environment: Environment) throws(StorageError) -> [UInt8] {
        let edits = encoded()
        if let keys = environment.archiveKeys {
            var head = Self.magic + [Self.format, 1]
            withUnsafeBytes(of: keys.identifier.high.littleEndian) { head += $0 }
            withUnsafeBytes(of: keys.identifier.low.littleEndian) { head += $0 }
            head += FileEncryption.randomSalt()
            return head + (try keys.encryptArchive(edits, head: head, environment.path))
        }
        var bytes = Self.magic + [Self.format, 0]
        let hash = edits.withUnsafeBytes { Checksum.xxh64($0) }
        withUnsafeBytes(of: hash.littleEndian) { bytes += $0 }
        return bytes + edits
    }

    /// Reads an archive. Takes memory for what the bytes hold, not for what they claim. O(bytes).
    ///
    /// - Throws: ``ArchiveFailure``.
    package init(archive bytes: [UInt8], of environment: Environment) throws(ArchiveFailure) {
        guard bytes.starts(with: Self.magic), bytes.count >= Self.headSize else {
            throw .notAnArchive
        }
        let format = bytes[Self.magic.count]
        if format > Self.format { throw .newerFormat(format) }
        guard format == Self.format else { throw .damaged }
        let edits: [UInt8]
        switch bytes[Self.headSize - 1] {
        case 0: edits = try Self.checked(bytes[Self.headSize...])
        case 1: edits = try Self.decrypted(bytes, environment)
        default: throw .damaged
        }
        do {
            self = try edits.withUnsafeBytes { (edits) throws(ArchiveDamage) in
                try ArchivedEdits(decoding: edits)
            }
        } catch {
            throw .damaged
        }
    }

    private static func checked(_ bytes: ArraySlice<UInt8>) throws(ArchiveFailure) -> [UInt8] {
        guard bytes.count >= 8 else { throw .damaged }
        let hash = bytes.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let edits = Array(bytes.dropFirst(8))
        guard edits.withUnsafeBytes({ Checksum.xxh64($0) }) == hash else { throw .damaged }
        return edits
    }

    private static func decrypted(_ bytes: [UInt8], _ environment: Environment)
        throws(ArchiveFailure) -> [UInt8]
    {
        let end = headSize + 16 + FileEncryption.saltSize
        guard bytes.count >= end + TreeEncryption.overhead else { throw .damaged }
        func word(_ start: Int) -> UInt64 {
            bytes[start..<(start + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let identifier = UniqueIdentifier(high: word(headSize), low: word(headSize + 8))
        guard let keys = environment.archiveKeys, keys.identifier == identifier else {
            throw .otherFile
        }
        guard let opened = keys.openArchive(bytes[end...], head: Array(bytes[..<end])) else {
            throw .damaged
        }
        return opened
    }
}

extension Environment {
    fileprivate var archiveKeys: TreeEncryptionKeys? { handle.treeEncryption?.keys }
}

extension TreeEncryptionKeys {
    private func archiveKey(_ head: [UInt8]) -> Cipher.Key {
        withFileKey { Cipher.Key(data: $0) }.derivedKey(
            salt: Array(head.suffix(FileEncryption.saltSize)),
            info: Array("Freehold draft archive".utf8), byteCount: 32)
    }

    /// - Parameter head: What comes before, which ends with the salt.
    fileprivate func encryptArchive(
        _ bytes: ContiguousArray<UInt8>, head: [UInt8], _ path: String
    ) throws(StorageError) -> [UInt8] {
        do {
            return [UInt8](
                try bytes.withUnsafeBytes {
                    try Cipher.encrypt($0, using: archiveKey(head), authenticating: head)
                })
        } catch {
            throw StorageError(
                .internalLMDB,
                "A draft of \"\(path)\" could not be encrypted. Please report this.", path: path,
                underlying: error)
        }
    }

    fileprivate func openArchive(_ bytes: ArraySlice<UInt8>, head: [UInt8]) -> [UInt8]? {
        guard var opened = try? Cipher.open(bytes, using: archiveKey(head), authenticating: head)
        else { return nil }
        defer { opened.wipe() }
        return [UInt8](opened)
    }
}
