internal import Foundation

/// The encryption of one open file: its keys, and its recently used decrypted records.
///
///     0           12                    12 + n        28 + n
///     +-----------+---------------------+-------------+
///     | nonce     | ciphertext          | tag         |
///     | 12 random | n bytes             | 16          |
///     +-----------+---------------------+-------------+
///
/// AES-256-GCM. The record's place is authenticated with the record.
final class TreeEncryption: Sendable {
    /// The number of bytes that encryption adds to a record.
    static let overhead = 28
    /// The default size in bytes of the cache of decrypted records.
    static let defaultCacheSize = 64 << 20
    /// The default greatest size in bytes of a tree's node: encrypted, it fills two LMDB pages.
    package static let defaultNodeCapacity = 8_120

    let keys: TreeEncryptionKeys
    let cache: RecordCache
    /// The greatest size of a node in bytes: two LMDB pages, minus the encryption overhead and
    /// the header of the first page.
    let nodeCapacity: Int
    let path: String
    private let counters: ActivityCounters

    init(
        _ keys: TreeEncryptionKeys, path: String, nodeCapacity: Int, cacheSize: Int,
        counters: ActivityCounters
    ) {
        self.keys = keys
        self.path = path
        self.nodeCapacity = nodeCapacity
        self.counters = counters
        cache = RecordCache(capacity: cacheSize)
    }

    // MARK: Records

    /// Encrypts and authenticates bytes. The result is stored unchanged.
    func encrypt(_ bytes: UnsafeRawBufferPointer, at place: RecordPlace) throws(StorageError)
        -> Data
    {
        do {
            return try withAuthenticatedData(of: place) {
                try Cipher.encrypt(bytes, using: keys.subkey(of: place), authenticating: $0)
            }
        } catch {
            throw StorageError(
                .internalLMDB,
                "A record of \"\(path)\" could not be encrypted. Please report this.", path: path,
                underlying: error)
        }
    }

    /// Decrypts a record.
    ///
    /// - Parameter count: For a value, its number of bytes. The rest of its record is padding,
    ///   which is dropped.
    /// - Throws: `corrupted` unless the bytes were encrypted for that place.
    func open(_ encrypted: UnsafeRawBufferPointer, at place: RecordPlace, count: Int? = nil)
        throws(StorageError) -> EncryptedRecord
    {
        guard encrypted.count >= Self.overhead, let start = encrypted.baseAddress else {
            throw damaged(place, "it is too short")
        }
        // A copy, because another process may write to the mapped page between authentication
        // and decryption.
        let bytes = Data(bytes: start, count: encrypted.count)
        guard
            var opened = try? withAuthenticatedData(
                of: place,
                {
                    try Cipher.open(bytes, using: keys.subkey(of: place), authenticating: $0)
                })
        else {
            throw damaged(place, "it does not authenticate, so it was changed, moved or replaced")
        }
        defer { opened.wipe() }
        if let count, opened.count != EncryptedLength.padded(count) {
            throw damaged(
                place, "it has \(opened.count) bytes instead of \(EncryptedLength.padded(count))")
        }
        return opened.withUnsafeBytes { bytes in
            EncryptedRecord(
                copying: UnsafeRawBufferPointer(rebasing: bytes[..<(count ?? bytes.count)]),
                place: place)
        }
    }

    private func withAuthenticatedData<Result>(
        of place: RecordPlace, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try withUnsafeTemporaryAllocation(byteCount: RecordPlace.authenticatedSize, alignment: 8) {
            data in
            place.store(to: data)
            return try body(UnsafeRawBufferPointer(data))
        }
    }

    func damaged(_ place: RecordPlace, _ reason: String) -> StorageError {
        let database = Database(rawValue: Int(place.database))?.name ?? "roots"
        return StorageError.damaged(
            """
            Record \(place.number) of the database "\(database)" in "\(path)", written by \
            version \(place.version), is damaged: \(reason).
            """, path: path)
    }
}

// MARK: - Records in LMDB

extension TreeEncryption {
    /// A record that an earlier version wrote: from the cache, or decrypted and added to the
    /// cache.
    ///
    /// - Parameters:
    ///   - records: As in ``read(_:in:_:count:)``.
    ///   - count: As in ``open(_:at:count:)``.
    func committed(
        _ place: RecordPlace, in transaction: LMDBTransaction, _ records: MappedTree? = nil,
        count: Int? = nil
    ) throws(StorageError) -> EncryptedRecord {
        if let known = cache.record(at: place) {
            counters.add(to: counters.cacheHits)
            return known
        }
        counters.add(to: counters.cacheMisses)
        return cache.insert(try read(place, in: transaction, records, count: count))
    }

    /// A record as visible to an LMDB transaction.
    ///
    /// - Parameters:
    ///   - records: The transaction's records of the database in LMDB's map, if the map can be
    ///     read directly.
    ///   - count: As in ``open(_:at:count:)``.
    func read(
        _ place: RecordPlace, in transaction: LMDBTransaction, _ records: MappedTree? = nil,
        count: Int? = nil
    ) throws(StorageError) -> EncryptedRecord {
        var number = place.number.bigEndian
        if let records {
            switch withUnsafeBytes(of: &number, { records.find($0) }) {
            case .found(let value): return try open(value, at: place, count: count)
            case .missing: throw damaged(place, "it is missing")
            case .unknown:
                throw damaged(place, "a page on the way to it is not what the pages before it say")
            }
        }
        let result = withUnsafeBytes(of: &number) { bytes in
            transaction.value(UInt32(truncatingIfNeeded: Int(place.database) + 2), bytes)
        }
        if case .failure(.notFound) = result { throw damaged(place, "it is missing") }
        return try open(result.get("read a record", path: path), at: place, count: count)
    }

    /// The key of the roots' record, in the unnamed main database, beside the version record.
    static let rootsKey: StaticString = "roots"

    private static func withRootsKey<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        rootsKey.withUTF8Buffer { body(UnsafeRawBufferPointer($0)) }
    }

    func readRoots(_ version: UInt64, in transaction: LMDBTransaction) throws(StorageError)
        -> EncryptedRoots
    {
        let result = Self.withRootsKey { transaction.value(Database.mainHandle, $0) }
        if case .failure(.notFound) = result {
            throw damaged(.roots(version, .none), "it is missing")
        }
        return try openRoots(result.get("read the roots", path: path), version)
    }

    /// The roots of a version, from their record: the attempt that wrote them, then the
    /// encrypted roots.
    func openRoots(_ stored: UnsafeRawBufferPointer, _ version: UInt64) throws(StorageError)
        -> EncryptedRoots
    {
        guard stored.count > WriteAttempt.size, let start = stored.baseAddress else {
            throw damaged(.roots(version, .none), "it is too short")
        }
        let place = RecordPlace.roots(version, WriteAttempt(at: start))
        let record = try open(
            UnsafeRawBufferPointer(rebasing: stored[WriteAttempt.size...]), at: place)
        guard let roots = EncryptedRoots(decoding: record.bytes) else {
            throw damaged(place, "it says what is impossible")
        }
        return roots
    }

    func putRoots(
        _ roots: EncryptedRoots, _ version: UInt64, _ attempt: WriteAttempt,
        in transaction: LMDBTransaction
    ) throws(StorageError) {
        let encrypted = try roots.encoded().withBytes { bytes throws(StorageError) in
            try encrypt(bytes, at: .roots(version, attempt))
        }
        var record = Data(count: WriteAttempt.size)
        record.withUnsafeMutableBytes { attempt.store(to: $0, at: 0) }
        record.append(encrypted)
        let result = record.withUnsafeBytes { bytes in
            Self.withRootsKey { transaction.put(Database.mainHandle, $0, bytes) }
        }
        try result.check("put the roots", path: path)
    }
}
