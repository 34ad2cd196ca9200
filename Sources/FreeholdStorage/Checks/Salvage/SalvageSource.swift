/// The readable contents of a damaged file: its catalog, and entries by key.
final class SalvageSource {
    let path: String
    let catalog: Catalog
    private(set) var entries: SalvagedEntries
    private(set) var problems: [String]
    private let reader: PageReader
    private let treeEncryption: TreeEncryption?

    /// Reads the file's pages. O(file).
    ///
    /// - Throws: `notAnEnvironment`, `encryptionKeyMissing`, `encryptionKeyWrong`, `corrupted`
    ///   if even the catalog cannot be found, and errors of the system.
    init(path: String, key: EncryptionKey?) throws(StorageError) {
        self.path = path
        let (descriptor, _) = try FilePaths(resolving: path).openData(.readOnly)
        do throws(StorageError) {
            let (reader, isDamaged) = try Self.reader(descriptor, path)
            var pages = PageSalvage(reader, isDamaged: isDamaged)
            pages.run()
            self.reader = reader
            problems = pages.problems
            if isDamaged {
                problems.insert(
                    """
                    A page at the head of the file is damaged, so that the newest version \
                    may not be found.
                    """, at: 0)
            }
            entries = pages.entries
            treeEncryption = try Self.treeEncryption(pages, key)
            if let treeEncryption {
                var salvage = EncryptedSalvage(pages, treeEncryption)
                salvage.run()
                entries = salvage.entries
                problems += salvage.problems
            }
            if let catalog = Self.catalog(
                entries.value(Self.catalogKey, .meta).map { [$0] } ?? [], reader, treeEncryption)
            {
                self.catalog = catalog.withoutHistory(&problems)
            } else if treeEncryption == nil,
                let catalog = Self.catalog(
                    pages.valuesOnAllPages(of: Array(Self.catalogKey)), reader, nil)
            {
                self.catalog = catalog.withoutHistory(&problems)
                problems.append(
                    "The catalog of the newest version cannot be read, so an older one was used.")
            } else {
                throw StorageError.damaged(
                    """
                    "\(path)" cannot be salvaged: its catalog, which says what the classes \
                    are, is nowhere to be found.
                    """, path: path)
            }
            if treeEncryption == nil { adoptStrays(pages) }
        } catch {
            Files.close(descriptor)
            throw error
        }
    }

    deinit { Files.close(reader.descriptor) }

    private static let catalogKey = SalvagedEntries.Key("catalog".utf8)

    // MARK: Values

    /// The value of a key; nil if there is none, or if it cannot be read.
    func value(_ key: SalvagedEntries.Key, _ database: Database) -> ContiguousArray<UInt8>? {
        entries.value(key, database).flatMap { Self.bytes($0, reader, treeEncryption) }
    }

    static func bytes(
        _ value: SalvagedEntries.Value, _ reader: PageReader, _ treeEncryption: TreeEncryption?
    ) -> ContiguousArray<UInt8>? {
        switch value {
        case .inMemory(let bytes): return bytes
        case .inFile(let offset, let count):
            return (try? readBytes(reader.descriptor, at: offset, count: count, path: reader.path))
                .flatMap { $0 }.map(ContiguousArray.init)
        case .encrypted(let place, let offset, let count, let valueCount):
            guard let treeEncryption,
                let bytes = try? readBytes(
                    reader.descriptor, at: offset, count: count, path: reader.path),
                let record = try? bytes.withUnsafeBytes({
                    try treeEncryption.open($0, at: place, count: valueCount)
                })
            else { return nil }
            return ContiguousArray(record.bytes)
        }
    }

    // MARK: The file

    /// A reader of the newest version with a sound meta page; of an empty version if neither
    /// page is sound.
    private static func reader(_ descriptor: Int32, _ path: String) throws(StorageError) -> (
        PageReader, isDamaged: Bool
    ) {
        let size = try FileStatus.of(descriptor, path: path).size
        if let reader = try? PageReader(
            descriptor: descriptor, path: path, fileSize: size, isOurs: true)
        {
            return (reader, false)
        }
        let firstMeta = try MetaPage.read(descriptor, at: 0, path: path).flatMap { try? $0.get() }
        var pageSize = 0
        if let known = try PageReader.pageSize(by: firstMeta, descriptor, path: path) {
            pageSize = known
        } else {
            pageSize = try PageReader.pageSizeByNumbers(descriptor, path: path)
        }
        guard size > 2 * pageSize else { throw PageReader.notAnEnvironment(path) }
        var metas: [MetaPage] = []
        for offset in [0, pageSize] {
            if case .success(let meta)? = try MetaPage.read(descriptor, at: offset, path: path),
                meta.pageSize == pageSize
            {
                metas.append(meta)
            }
        }
        let lastPage = UInt64(size / pageSize - 1)
        var meta =
            metas.max { $0.transaction < $1.transaction }
            ?? MetaPage.ofNoVersion(pageSize: pageSize)
        meta.lastPage = lastPage
        return (PageReader(descriptor: descriptor, path: path, fileSize: size, meta: meta), true)
    }

    private static func treeEncryption(_ pages: PageSalvage, _ key: EncryptionKey?)
        throws(StorageError) -> TreeEncryption?
    {
        let path = pages.reader.path
        let formatKey = SalvagedEntries.Key(FormatRecord.key)
        let values =
            (pages.entries.value(formatKey, .meta).map { [$0] } ?? [])
            + pages.valuesOnAllPages(of: FormatRecord.key)
        for value in values {
            guard let bytes = bytes(value, pages.reader, nil),
                let format = try? FormatRecord(decoding: Array(bytes), path: path)
            else { continue }
            try format.checkReadable(path: path)
            return try format.keys(for: key, path: path).map {
                TreeEncryption(
                    $0, path: path, nodeCapacity: StorageLayout().encryptedNodeCapacity,
                    cacheSize: 0, counters: ActivityCounters())
            }
        }
        // A plain file does not need the record. An encrypted file cannot be read without it,
        // and a forged record must not replace it.
        if key == nil { return nil }
        throw StorageError(
            .corrupted,
            """
            "\(path)" cannot be salvaged with a key: the record that has its encrypted file \
            key is gone. Restore the file from a backup. A file that was never encrypted is \
            salvaged without a key.
            """, path: path)
    }

    private static func catalog(
        _ values: [SalvagedEntries.Value], _ reader: PageReader, _ treeEncryption: TreeEncryption?
    ) -> Catalog? {
        values.compactMap { bytes($0, reader, treeEncryption) }.compactMap {
            $0.withUnsafeBytes { Catalog(decoding: $0) }
        }.max { ($0.nextTableID, $0.columnCount) < ($1.nextTableID, $1.columnCount) }
    }

    // MARK: Strays

    private func adoptStrays(_ pages: PageSalvage) {
        var count = 0
        for (key, value) in pages.strays {
            guard let database = database(of: key, value), entries.value(key, database) == nil
            else { continue }
            entries.add(key, value, database)
            count += 1
        }
        if count > 0 {
            problems.append(
                "\(count) entries were found on pages that no tree reaches any more"
                    + (pages.mayFindOldPages
                        ? """
                        ; which pages are free is not known, so values of older versions \
                        may be among them.
                        """
                        : "."))
        }
    }

    /// The database that an entry belongs to, by its key, if its value agrees.
    private func database(of key: SalvagedEntries.Key, _ value: SalvagedEntries.Value) -> Database?
    {
        guard [12, 14, 18].contains(key.count), let bytes = Self.bytes(value, reader, nil) else {
            return nil
        }
        let place = SalvagedPlace(key)
        guard let definition = catalog[place.table] else { return nil }
        return bytes.withUnsafeBytes { bytes in
            switch key.count {
            case 12:
                return DirectoryEntry(decoding: bytes, of: place.table, firstKey: place.firstKey)
                    == nil ? nil : .directory
            case 14:
                let seed = StoredColumn.seed(
                    place.table, firstKey: place.firstKey, place.clusterColumn)
                return StoredColumn.hasRightChecksum(bytes, seed: seed) ? .clusters : nil
            default:
                guard let column = definition[place.column] else { return nil }
                // The validity of a node shows when its collection is read.
                if column.collection != nil { return .elements }
                guard bytes.count > StoredBlob.headerSize else { return nil }
                return StoredBlob.hasRightChecksum(
                    bytes, place.table, place.column, rowKey: place.row, chunk: place.number)
                    ? .blobs : nil
            }
        }
    }
}

/// Decodes an entry's key, which must be long enough for the property that is read.
struct SalvagedPlace {
    private let key: SalvagedEntries.Key

    init(_ key: SalvagedEntries.Key) { self.key = key }

    private func integer<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type, at offset: Int)
        -> Value
    {
        key.withUnsafeBytes {
            Value(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self))
        }
    }

    var table: TableID { TableID(rawValue: integer(UInt32.self, at: 0)) }
    /// For keys of the directory and of clusters.
    var firstKey: Int64 { key.withUnsafeBytes { StorageKey.rowKey(in: $0, at: 4) } }
    var clusterColumn: ColumnID { ColumnID(rawValue: integer(UInt16.self, at: 12)) }
    /// For keys of long values and of collection nodes.
    var column: ColumnID { ColumnID(rawValue: integer(UInt16.self, at: 4)) }
    var row: Int64 { key.withUnsafeBytes { StorageKey.rowKey(in: $0, at: 6) } }
    var number: UInt32 { integer(UInt32.self, at: 14) }
}

extension Catalog {
    fileprivate var columnCount: Int { tables.reduce(0) { $0 + $1.columns.count } }
}

extension MetaPage {
    /// The meta page of an empty version.
    fileprivate static func ofNoVersion(pageSize: Int) -> MetaPage {
        MetaPage(
            pageSize: pageSize, freeTree: .empty, mainTree: .empty, lastPage: 0, transaction: 0)
    }
}

extension Catalog {
    /// The catalog without the history: what salvage loses and replaces is no transaction, so the
    /// history would not lead to the new file's contents.
    fileprivate func withoutHistory(_ problems: inout [String]) -> Catalog {
        guard let history else { return self }
        var catalog = self
        catalog.tables.removeAll { $0.id == history.id }
        problems.append(
            "The history was left out: readers of it have to begin with the new file's contents.")
        return catalog
    }
}
