import Foundation
import FreeholdStorage

/// What a file knows of its part in sharing: the row 0 of `Freehold.Sharing`, little-endian.
///
///     format (UInt8, 1), client (16 bytes), previous token (16 bytes), next token (16 bytes),
///     client of the last applied commit (16 bytes), its number of that client (Int64),
///     epoch (Int64), applied (Int64), bytes of log since the last snapshot (Int64),
///     least schema version (UInt64),
///     name of the realm (length (UInt16), UTF-8),
///     former clients (UInt16), then for each: client (16 bytes), last number (Int64),
///     stamp of the last applied commit (Int64), if it is known
struct SharingState: Sendable, Hashable {
    var client = UUID()
    var previousToken = UUID()
    var nextToken = UUID()
    /// The identities before this one, as far as commits are pending that another file may have
    /// pushed with them: ``SharedFile/takeNewIdentity()``.
    var formerClients: [FormerClient] = []
    /// 0 for a file that never had commits of an upstream.
    var epoch: Int64 = 0
    /// The number of the last commit of the log that is in the file.
    var applied: Int64 = 0
    var logBytes: Int64 = 0
    /// The least schema version of a program that can use the epoch.
    var schemaVersion: UInt64 = 0
    /// Identifies that commit: a server that lost commits has others under their numbers.
    var mark = UpstreamCommitIdentity.none
    var name: String

    private static let nameOffset = 107

    init(name: String) { self.name = name }

    func encoded() -> ContiguousArray<UInt8> {
        var out: ContiguousArray<UInt8> = [1]
        for id in [client, previousToken, nextToken, mark.client] {
            withUnsafeBytes(of: id.uuid) { out.append(contentsOf: $0) }
        }
        for number in [mark.clientSequence, epoch, applied, logBytes] {
            withUnsafeBytes(of: number.littleEndian) { out.append(contentsOf: $0) }
        }
        withUnsafeBytes(of: schemaVersion.littleEndian) { out.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt16(name.utf8.count).littleEndian) { out.append(contentsOf: $0) }
        out.append(contentsOf: name.utf8)
        let formerClients = formerClients.suffix(Int(UInt16.max))
        withUnsafeBytes(of: UInt16(formerClients.count).littleEndian) {
            out.append(contentsOf: $0)
        }
        for former in formerClients {
            withUnsafeBytes(of: former.id.uuid) { out.append(contentsOf: $0) }
            withUnsafeBytes(of: former.lastSequence.littleEndian) { out.append(contentsOf: $0) }
        }
        if let stamp = mark.appendStamp {
            withUnsafeBytes(of: stamp.littleEndian) { out.append(contentsOf: $0) }
        }
        return out
    }

    init?(decoding bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.nameOffset, bytes[0] == 1 else { return nil }
        func id(_ offset: Int) -> UUID {
            UUID(uuid: bytes.loadUnaligned(fromByteOffset: offset, as: uuid_t.self))
        }
        func number(_ offset: Int) -> Int64 {
            Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))
        }
        func count(_ offset: Int) -> Int {
            Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
        }
        let end = Self.nameOffset + count(Self.nameOffset - 2)
        guard bytes.count >= end + 2 else { return nil }
        let stamp = end + 2 + count(end) * 24
        guard bytes.count == stamp || bytes.count == stamp + 8,
            let name = String(validating: bytes[Self.nameOffset..<end], as: UTF8.self)
        else { return nil }
        (client, previousToken, nextToken) = (id(1), id(17), id(33))
        mark = UpstreamCommitIdentity(
            client: id(49), clientSequence: number(65),
            appendStamp: bytes.count > stamp ? number(stamp) : nil)
        (epoch, applied, logBytes) = (number(73), number(81), number(89))
        guard [epoch, applied, logBytes].allSatisfy(SharingNumber.range.contains) else {
            return nil
        }
        schemaVersion = UInt64(bitPattern: number(97))
        for place in stride(from: end + 2, to: stamp, by: 24) {
            formerClients.append(FormerClient(id: id(place), lastSequence: number(place + 16)))
        }
        self.name = name
    }
}

/// An identity that a file had.
struct FormerClient: Sendable, Hashable {
    var id: UUID
    /// The last number of a commit that the file made with the identity.
    var lastSequence: Int64
}

/// The tables of sharing in one version or transaction.
struct SharingTables {
    let state, outbox, rejections, clients: TableID

    init?(_ catalog: Catalog) {
        guard let state = catalog[TableDefinition.sharingName],
            let outbox = catalog[TableDefinition.sharingOutboxName],
            let rejections = catalog[TableDefinition.sharingRejectionsName],
            let clients = catalog[TableDefinition.sharingClientsName]
        else { return nil }
        (self.state, self.outbox) = (state.id, outbox.id)
        (self.rejections, self.clients) = (rejections.id, clients.id)
    }

    static func bytes(_ row: Int64, of table: TableID, in source: TableSource)
        -> ContiguousArray<UInt8>?
    {
        let view = source.table(table)
        guard let place = view.locate(RowKey(rawValue: row)) else { return nil }
        return view.withBytes(place.cluster, TableDefinition.recordColumn, place.row) {
            ContiguousArray($0)
        }
    }

    static func put(
        _ bytes: ContiguousArray<UInt8>, _ row: Int64, of table: TableID, in writeSet: WriteSet
    ) {
        let view = writeSet.mutableTable(table)
        let key = RowKey(rawValue: row)
        let target = view.mutableRow(key) ?? view.insertRow(key)
        bytes.withUnsafeBytes { target.setBytes(TableDefinition.recordColumn, $0) }
    }

    /// The last number of each client whose commits are in the file.
    func lastSequences(in source: TableSource) -> [UUID: Int64] {
        var found: [UUID: Int64] = [:]
        let view = source.table(clients)
        for cluster in view.allClusters {
            for row in 0..<cluster.count {
                let words = cluster.columns[WriteSet.sharingClient.position].fixed16(at: row)
                found[UUID(words: words)] =
                    cluster.columns[WriteSet.sharingSequence.position].integer(at: row)
            }
        }
        return found
    }

    func setLast(_ sequence: Int64, of client: UUID, in writeSet: WriteSet) throws(StorageError) {
        let view = writeSet.mutableTable(clients)
        let key = ScanValue.fixed(FixedValue(client.words))
        if let row = try view.rowKey(forPrimaryKey: key.indexKey) {
            view.mutableRow(row)?.setInteger(WriteSet.sharingSequence, sequence)
            return
        }
        let row = view.insertRow(view.nextRowKey())
        row.set(WriteSet.sharingClient, of: .fixed16, to: .plain(key))
        row.setInteger(WriteSet.sharingSequence, sequence)
        view.notePrimaryKey(key.indexKey, of: row.key)
    }
}

extension UUID {
    /// The bytes in memory order.
    fileprivate var words: (UInt64, UInt64) { unsafeBitCast(uuid, to: (UInt64, UInt64).self) }

    fileprivate init(words: (UInt64, UInt64)) {
        self.init(uuid: unsafeBitCast(words, to: uuid_t.self))
    }
}
