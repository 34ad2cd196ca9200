/// The format of the bytes in a data file, and the record that says so.
///
/// | Format | Draft of format 1 without |
/// |---|---|
/// | `0x8000_0001` | checksums of table facts |
/// | `0x8001_0001` | checksums of directory entries |
/// | `0x8002_0001` | first index entries, which need no bound |
/// | `0x8003_0001` | collections, and the database of their nodes |
/// | `0x8004_0001` | owned tables; next row keys where the primary key is the row key |
/// | `0x8005_0001` | full-text indexes |
/// | `0x8006_0001` | encryption; this record's checksum; own keys where primary keys are integers |
/// | `0x8007_0001` | rows in the checksums of long values |
/// | `0x8008_0001` | file keys of encrypted files; attempts and padding of their records |
/// | `0x8009_0001` | counts of columns in directory entries |
/// | `0x800A_0001` | nothing: this is the current format |
///
/// The low half is the number of the format. A number with the top bit set is a draft of that
/// format; the bits between number the drafts. Only the exact sources that write a draft read
/// it, and no release does.
///
/// A bump means reviewing `checkReadable`, the readers of every structure in `FreeholdStorage`,
/// the golden files, and this table.
struct FormatRecord: Equatable, Sendable {
    /// The format that this source writes.
    static let current: UInt32 = 0x800A_0001
    static let unreleasedBit: UInt32 = 0x8000_0000
    /// The bits that hold a release's format number.
    private static let releaseMask: UInt32 = 0xFFFF
    /// The key in `Database.meta`.
    static let key = Array("format".utf8)

    var format = current
    var uuid: UniqueIdentifier
    /// The file's encryption; nil if it is not encrypted.
    var encryption: FileEncryption?

    private static let magic: UInt64 = 0x444C_4F48_4545_5246  // "FREEHOLD"
    private static let byteCount = 40
    private static let encryptedByteCount = byteCount + FileEncryption.size
    /// The encryption method, in the word after the format: AES-256-GCM, keys by HKDF-SHA512
    /// from an encrypted file key.
    private static let encryptionMethod: UInt32 = 2
}

extension FormatRecord {
    /// Decodes a record; nil unless the bytes are a record of ours. Newer formats may append to
    /// it, so only the number of another format is read.
    ///
    /// - Throws: `corrupted` if a record of this format has a wrong checksum, or contents that
    ///   no writer writes.
    init?(decoding bytes: [UInt8], path: String) throws(StorageError) {
        guard bytes.count >= 32, bytes.load(UInt64.self, at: 0) == Self.magic,
            let format = bytes.load(UInt32.self, at: 8),
            let method = bytes.load(UInt32.self, at: 12),
            let high = bytes.load(UInt64.self, at: 16), let low = bytes.load(UInt64.self, at: 24)
        else { return nil }
        self.init(format: format, uuid: UniqueIdentifier(high: high, low: low))
        guard format == Self.current else { return }
        let count = method == 0 ? Self.byteCount : Self.encryptedByteCount
        guard method == 0 || method == Self.encryptionMethod, bytes.count == count,
            bytes.load(UInt64.self, at: count - 8) == Self.checksum(bytes[..<(count - 8)])
        else {
            throw StorageError.damaged(
                """
                The record of the format of "\(path)" is damaged.
                """, path: path)
        }
        if method == 0 { return }
        encryption = FileEncryption(bytes[32..<(count - 8)])
    }

    /// The beginning of every record, which is authenticated with an encrypted file's key:
    /// magic (8), format (4), encryption (4), identifier (16).
    var head: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes.store(Self.magic, at: 0)
        bytes.store(format, at: 8)
        bytes.store(encryption == nil ? 0 : Self.encryptionMethod, at: 12)
        bytes.store(uuid.high, at: 16)
        bytes.store(uuid.low, at: 24)
        return bytes
    }

    /// The head; for an encrypted file, ``FileEncryption`` (124); XXH64 of all preceding bytes
    /// (8).
    func encoded() -> [UInt8] {
        var bytes = head
        if let encryption { bytes += encryption.bytes }
        let checksum = Self.checksum(bytes[...])
        bytes += [UInt8](repeating: 0, count: 8)
        bytes.store(checksum, at: bytes.count - 8)
        return bytes
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { Checksum.xxh64($0) }
    }

    /// Refuses a format that this source does not read.
    func checkReadable(path: String) throws(StorageError) {
        if format == Self.current { return }
        if format & Self.unreleasedBit == 0, format > Self.current & Self.releaseMask {
            throw StorageError(
                .newerFormat,
                """
                "\(path)" has file format \(format), which this version of Freehold does not \
                know. Open it with a newer version.
                """, path: path)
        }
        throw StorageError(
            .unreadableFormat,
            """
            "\(path)" has file format 0x\(String(format, radix: 16)), which only an unreleased \
            or withdrawn version of Freehold reads. Export it with the version that wrote it.
            """, path: path)
    }
}
