/// Collects the entries of a damaged encrypted file: walks its trees, skipping every record
/// that does not decrypt.
///
/// Everything below such a record is lost: decrypting a record requires the transaction that
/// wrote it, which is stored in the record above.
struct EncryptedSalvage {
    private let treeEncryption: TreeEncryption
    private let records: SalvagedEntries
    private let reader: PageReader
    private let mainEntries: [SalvagedEntries.Key: SalvagedEntries.Value]
    private(set) var entries = SalvagedEntries()
    private(set) var problems: [String] = []

    init(_ pages: PageSalvage, _ treeEncryption: TreeEncryption) {
        self.treeEncryption = treeEncryption
        records = pages.entries
        reader = pages.reader
        mainEntries = pages.mainEntries
    }

    mutating func run() {
        let versionKey = EnvironmentHandle.versionKey.withUTF8Buffer { SalvagedEntries.Key($0) }
        let rootsKey = TreeEncryption.rootsKey.withUTF8Buffer { SalvagedEntries.Key($0) }
        guard let version = mainEntries[versionKey].flatMap(bytes)?.integer,
            let encrypted = mainEntries[rootsKey].flatMap(bytes),
            let roots = try? encrypted.withUnsafeBytes({ try treeEncryption.openRoots($0, version) }
            )
        else {
            return problems.append(
                """
                The record of the encrypted trees' roots does not open, so nothing of them \
                can be found.
                """)
        }
        for database in Database.allCases where roots[database].height > 0 && database != .indexes {
            walk(
                roots[database].root, height: roots[database].height, database,
                SalvagedEntries.KeyRange())
        }
    }

    private func bytes(_ value: SalvagedEntries.Value) -> ContiguousArray<UInt8>? {
        SalvageSource.bytes(value, reader, nil)
    }

    private func record(_ reference: EncryptedReference, _ database: Database) -> SalvagedEntries
        .Value?
    {
        var key = StorageKey()
        key.append(bigEndian: reference.number)
        return records.value(key.salvageKey, database)
    }

    private func place(
        _ reference: EncryptedReference, _ kind: RecordPlace.Kind, _ database: Database
    ) -> RecordPlace {
        RecordPlace(
            database: UInt8(database.rawValue), kind: kind, number: reference.number,
            version: reference.version, attempt: reference.attempt)
    }

    private mutating func walk(
        _ reference: EncryptedReference, height: Int, _ database: Database,
        _ range: SalvagedEntries.KeyRange
    ) {
        let place = place(reference, .node, database)
        guard let bytes = record(reference, database).flatMap(bytes),
            let opened = try? bytes.withUnsafeBytes({ try treeEncryption.open($0, at: place) }),
            let node = EncryptedNode(opened.bytes), node.height == height
        else {
            entries.lose(range, database)
            if problems.count < SalvageReport.greatestProblemCount {
                problems.append(
                    """
                    Record \(reference.number) of the database "\(database.name)" does not \
                    open, and with it what it leads to.
                    """)
            }
            return
        }
        for index in 0..<node.count {
            let key = SalvagedEntries.Key(node.key(index))
            if height > 1 {
                let below = SalvagedEntries.KeyRange(
                    low: index == 0 ? range.low : key,
                    high: index + 1 < node.count
                        ? SalvagedEntries.Key(node.key(index + 1)) : range.high)
                walk(node.reference(index), height: height - 1, database, below)
            } else if !node.isReference(index) {
                entries.add(key, .inMemory(ContiguousArray(node.inlineValue(index))), database)
            } else if case .inFile(let offset, let count)? = record(node.reference(index), database)
            {
                let place = self.place(node.reference(index), .value, database)
                entries.add(
                    key,
                    .encrypted(
                        place, offset: offset, count: count, valueCount: node.valueLength(index)),
                    database)
            } else {
                entries.lose(SalvagedEntries.KeyRange(low: key, high: key + [0]), database)
            }
        }
        withExtendedLifetime(opened) {}
    }
}

extension ContiguousArray<UInt8> {
    fileprivate var integer: UInt64? {
        count == 8
            ? withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) } : nil
    }
}
