/// The contents of the control file: two places of 128 bytes, at 0 and at 512, each of which
/// has held a record. The newest record is the whole one with the greater number. The next one
/// is written to the other place, so that an interrupted write leaves the previous record. A
/// record, little-endian:
///
///       0  magic, 8 bytes           32  minimum size of the data file
///       8  layout, 4 bytes          40  process-id namespace of the processes that use the file
///      12  flags, 4 bytes           48  device and 56 inode of the data file
///      16  identifier, 16 bytes     64  version minus LMDB transaction id
///                                   72  ``FileVouch``, 32 bytes
///                                  104  number, 8 bytes
///                                  120  FNV-1a checksum of the bytes before
///
/// Behind the first place are the 8 bytes of ``ControlFile/announceCommit(_:)``. All of it can
/// be derived from the data file, at the price of reading its B-trees.
struct ControlRecord: Equatable, Sendable {
    var uuid: UniqueIdentifier
    /// The data file had at least this size when a commit returned. A smaller file has been
    /// truncated.
    var minimumSize: UInt64
    var processNamespace: UInt64
    var dataIdentity: FileIdentity
    var versionOffset: UInt64
    var isTemporary: Bool
    /// A commit failed on the medium, so the medium may differ from the page cache.
    var isSuspect = false
    /// The pages were walked, or vouched for, since the file was opened by the first of the
    /// processes that have it open.
    var isSound = false
    /// The state in which the data file was closed.
    var vouch: FileVouch?

    static let byteCount = 128
    private static let magic: UInt64 = 0x4C52_5443_4448_5246  // "FRHDCTRL"
    private static let layout: UInt32 = 2

    func encoded(number: UInt64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        bytes.store(Self.magic, at: 0)
        bytes.store(Self.layout, at: 8)
        bytes.store(UInt32((isTemporary ? 1 : 0) | (isSuspect ? 2 : 0) | (isSound ? 4 : 0)), at: 12)
        bytes.store(uuid.high, at: 16)
        bytes.store(uuid.low, at: 24)
        bytes.store(minimumSize, at: 32)
        bytes.store(processNamespace, at: 40)
        bytes.store(dataIdentity.device, at: 48)
        bytes.store(dataIdentity.inode, at: 56)
        bytes.store(versionOffset, at: 64)
        if let vouch {
            bytes.store(vouch.transaction, at: 72)
            bytes.store(vouch.size, at: 80)
            bytes.store(vouch.seconds, at: 88)
            bytes.store(vouch.nanoseconds, at: 96)
        }
        bytes.store(number, at: 104)
        bytes.store(Self.checksum(bytes[..<120]), at: 120)
        return bytes
    }
}

extension ControlRecord {
    /// `nil` unless the bytes are a whole record.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes.load(UInt64.self, at: 0) == Self.magic,
            bytes.load(UInt32.self, at: 8) == Self.layout,
            bytes.load(UInt64.self, at: 120) == Self.checksum(bytes[..<120]),
            let flags = bytes.load(UInt32.self, at: 12), let high = bytes.load(UInt64.self, at: 16),
            let low = bytes.load(UInt64.self, at: 24),
            let minimumSize = bytes.load(UInt64.self, at: 32),
            let namespace = bytes.load(UInt64.self, at: 40),
            let device = bytes.load(UInt64.self, at: 48),
            let inode = bytes.load(UInt64.self, at: 56),
            let offset = bytes.load(UInt64.self, at: 64),
            let transaction = bytes.load(UInt64.self, at: 72),
            let size = bytes.load(UInt64.self, at: 80),
            let seconds = bytes.load(Int64.self, at: 88),
            let nanoseconds = bytes.load(Int64.self, at: 96)
        else { return nil }
        self.init(
            uuid: UniqueIdentifier(high: high, low: low), minimumSize: minimumSize,
            processNamespace: namespace,
            dataIdentity: FileIdentity(device: device, inode: inode), versionOffset: offset,
            isTemporary: flags & 1 != 0, isSuspect: flags & 2 != 0, isSound: flags & 4 != 0,
            vouch: transaction == 0
                ? nil
                : FileVouch(
                    transaction: transaction, size: size, seconds: seconds, nanoseconds: nanoseconds
                ))
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    /// The namespace of this process's id; 0 if the system does not say.
    static func currentProcessNamespace() -> UInt64 { SystemProcess.namespace("pid") }
}

// MARK: - Places

extension ControlRecord {
    /// The places of records, in two different sectors of the medium.
    static let places = [0, 512]

    /// A record in the file.
    struct Stored {
        var record: ControlRecord
        /// Each record's number is one more than its predecessor's. Numbers wrap around.
        var number: UInt64
        /// Its index in ``ControlRecord/places``.
        var place: Int
    }

    /// The newest record of a file; nil if no place has a whole one.
    static func newest(in descriptor: Int32, path: String) throws(StorageError) -> Stored? {
        var newest: Stored?
        for (place, offset) in places.enumerated() {
            guard let bytes = try readBytes(descriptor, at: offset, count: byteCount, path: path),
                let record = ControlRecord(decoding: bytes),
                let number = bytes.load(UInt64.self, at: 104)
            else { continue }
            if let newest, Int64(bitPattern: number &- newest.number) <= 0 { continue }
            newest = Stored(record: record, number: number, place: place)
        }
        return newest
    }

    static func read(from descriptor: Int32, path: String) throws(StorageError) -> ControlRecord? {
        try newest(in: descriptor, path: path)?.record
    }
}
