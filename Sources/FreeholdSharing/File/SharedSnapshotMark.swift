import Foundation
import FreeholdStorage

/// What a snapshot says of itself: the commit that it is at, and the last commit of each client
/// that is in it. The row 0 of its table `Freehold.SharedSnapshot`, little-endian:
///
///     format (UInt8, 1), epoch (Int64), sequence (Int64),
///     client of that commit (16 bytes), its number of that client (Int64),
///     least schema version (UInt64),
///     clients (UInt32), then for each: client (16 bytes), sequence (Int64),
///     stamp of that commit (Int64), if it is known
struct SharedSnapshotMark {
    var epoch: Int64
    var sequence: Int64
    var commit = UpstreamCommitIdentity.none
    /// The least schema version of a program that can use it.
    var schemaVersion: UInt64
    var lastSequences: [UUID: Int64]

    private static let tableName = TableDefinition.sharedSnapshotName

    init(
        epoch: Int64, sequence: Int64, commit: UpstreamCommitIdentity = .none,
        schemaVersion: UInt64,
        lastSequences: [UUID: Int64]
    ) {
        self.epoch = epoch
        self.sequence = sequence
        self.commit = commit
        self.schemaVersion = schemaVersion
        self.lastSequences = lastSequences
    }

    /// Nil for a version that is no snapshot.
    init?(in source: TableSource) {
        guard let table = source.currentCatalog[Self.tableName],
            let bytes = SharingTables.bytes(0, of: table.id, in: source)
        else { return nil }
        let found = bytes.withUnsafeBytes { bytes -> SharedSnapshotMark? in
            guard bytes.count >= 53, bytes[0] == 1 else { return nil }
            func number(_ offset: Int) -> Int64 {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))
            }
            let count = Int(
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 49, as: UInt32.self)))
            let stamp = 53 + count * 24
            guard bytes.count == stamp || bytes.count == stamp + 8,
                [number(1), number(9)].allSatisfy(SharingNumber.range.contains)
            else { return nil }
            func client(_ offset: Int) -> UUID {
                UUID(uuid: bytes.loadUnaligned(fromByteOffset: offset, as: uuid_t.self))
            }
            var mark = SharedSnapshotMark(
                epoch: number(1), sequence: number(9),
                commit: UpstreamCommitIdentity(
                    client: client(17), clientSequence: number(33),
                    appendStamp: bytes.count > stamp ? number(stamp) : nil),
                schemaVersion: UInt64(bitPattern: number(41)), lastSequences: [:])
            for place in stride(from: 53, to: stamp, by: 24) {
                mark.lastSequences[client(place)] = number(place + 16)
            }
            return mark
        }
        guard let found else { return nil }
        self = found
    }

    func add(to writeSet: WriteSet) {
        let id = writeSet.createRecordTable(named: Self.tableName)
        var out: ContiguousArray<UInt8> = [1]
        func put(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { out.append(contentsOf: $0) }
        }
        put(epoch)
        put(sequence)
        withUnsafeBytes(of: commit.client.uuid) { out.append(contentsOf: $0) }
        put(commit.clientSequence)
        put(schemaVersion)
        put(UInt32(lastSequences.count))
        for (client, sequence) in lastSequences.sorted(by: { $0.key.uuidString < $1.key.uuidString }
        ) {
            withUnsafeBytes(of: client.uuid) { out.append(contentsOf: $0) }
            put(sequence)
        }
        if let stamp = commit.appendStamp { put(stamp) }
        SharingTables.put(out, 0, of: id, in: writeSet)
    }

    /// Notes in a snapshot's file which programs can use it.
    static func setSchemaVersion(_ version: UInt64, in store: Store) throws(StorageError) {
        let writeSet = try store.beginWrite(as: WriterIdentity())
        guard var mark = SharedSnapshotMark(in: writeSet.base) else {
            return store.cancel(writeSet)
        }
        mark.schemaVersion = version
        remove(from: writeSet)
        mark.add(to: writeSet)
        _ = try store.commit(writeSet)
    }

    static func remove(from writeSet: WriteSet) {
        guard let table = writeSet.catalog[tableName] else { return }
        writeSet.dropInternalTable(table.id)
    }
}
