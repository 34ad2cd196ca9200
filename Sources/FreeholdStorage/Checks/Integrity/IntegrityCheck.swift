/// Verifies everything that one version of a file says about itself, and lists what is wrong.
///
/// - every stored value has the right checksum, length and encoding, text is UTF-8, and offsets
///   ascend;
/// - the directory's clusters are in order, count their rows right, and their row keys ascend
///   inside the cluster's range;
/// - of an encrypted file, the trees and their records (``SealedCheck``);
/// - each row has an index entry for each indexed column, one for each word where the index is
///   of words, and no index has another entry;
/// - what is kept of each table beside its definition is sound, and agrees with its clusters;
/// - links point to rows that exist, long values are whole, and nothing is stored that belongs
///   to no row;
/// - an owned row has one owner (`IntegrityCheck+Owners.swift`);
/// - collections (`IntegrityCheck+Elements.swift`).
///
/// O(bytes of the file); one index at a time is held in memory.
package struct IntegrityCheck {
    let snapshot: Snapshot
    /// What is wrong, in sentences; empty for a sound file.
    package private(set) var problems: [String] = []
    /// After this many the check gives up: one damaged page can break every row behind it.
    private static let limit = 100
    /// How many nodes the collections have.
    var nodeCount = 0

    private init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// Checks a version. Any thread; the file may be written meanwhile.
    package static func run(on snapshot: Snapshot) throws(StorageError) -> [String] {
        var check = IntegrityCheck(snapshot)
        // What the pages have wrong, all that lies on them would have wrong, too.
        if let problem = try snapshot.transaction.handle.problem(
            ofPagesReadBy: snapshot.transaction.raw)
        {
            check.report(problem)
        }
        // What the trees have wrong, everything above them would have wrong, too.
        for problem in try snapshot.transaction.sealedProblems() { check.report(problem) }
        guard check.problems.isEmpty else { return check.problems }
        for definition in snapshot.catalog.tables where check.problems.count < limit {
            try check.check(definition)
        }
        for definition in snapshot.catalog.tables where definition.isOwned && check.problems.isEmpty
        { check.checkOwners(of: definition) }
        try check.checkStrays()
        return check.problems
    }

    mutating func report(_ problem: String) {
        if problems.count < Self.limit { problems.append(problem) }
    }

    /// Whether the check gives up.
    var isFull: Bool { problems.count >= Self.limit }

    // MARK: A table

    private mutating func check(_ definition: TableDefinition) throws(StorageError) {
        guard let table = snapshot.table(definition.id) as? SnapshotTable else { return }
        var facts: TableFacts?
        do throws(StorageError) { facts = try snapshot.storedFacts(of: definition.id) } catch {
            guard error.code == .corrupted else { throw error }
            report(error.message)
        }
        var previousKey: Int64?
        for index in 0..<table.clusterCount where problems.count < Self.limit {
            try checkCluster(index, of: table, after: &previousKey)
        }
        if let facts, let last = previousKey,
            min(last, TableFacts.greatestNextRowKey - 1) >= facts.nextRowKey
        {
            report(
                """
                Table \(definition.name) would give the row key \(facts.nextRowKey) again; \
                its last is \(last).
                """
            )
        }
        guard problems.isEmpty else { return }
        for column in definition.columns {
            if let kind = column.elements {
                let links = try checkElements(of: column, kind, table)
                if column.countsBacklinks, problems.isEmpty {
                    try compareIndex(of: column, table, with: links)
                }
            } else if column.type == .mixed {
                let links = checkMixed(column, table)
                if problems.isEmpty { try compareIndex(of: column, table, with: links) }
            }
        }
        guard problems.isEmpty else { return }
        for column in definition.indexedColumns where !column.countsBacklinks {
            try checkIndex(of: column, table)
        }
        for column in definition.columns where column.type == .link {
            checkLinks(of: column, table)
        }
    }

    private mutating func checkCluster(
        _ index: Int, of table: SnapshotTable, after previousKey: inout Int64?
    ) throws(StorageError) {
        let definition = table.definition
        let firstKey = table.directory.firstKeys[index]
        let name = "The cluster \(firstKey) of table \(definition.name)"
        let count = Int(table.directory.counts[index])
        if index > 0, table.directory.firstKeys[index - 1] >= firstKey {
            report("\(name) is out of order.")
        }
        let kinds = ColumnKinds(definition)
        var columnCount = 0
        for (position, kind) in kinds.byPosition.enumerated() {
            guard let stored = try table.storedColumn(position, ofClusterAt: index) else {
                continue
            }
            columnCount += 1
            guard let kind, !kind.isRowKey else {
                if kind != nil {
                    report("\(name) stores its row keys twice, in column \(position).")
                }
                continue
            }
            let column = ColumnID(rawValue: UInt16(position))
            do {
                let view = try StoredColumn.view(
                    of: stored, count: count, type: kind.type, isNullable: kind.isNullable)
                guard
                    StoredColumn.hasRightChecksum(
                        stored, seed: StoredColumn.seed(definition.id, firstKey: firstKey, column))
                else {
                    report("\(name), column \(position): the checksum does not match.")
                    continue
                }
                if kind.type.isVariableLength {
                    checkHeap(
                        view, count, isText: kind.type == .text, "\(name), column \(position)")
                }
                if !kind.isNullable, view.nulls != nil {
                    report("\(name), column \(position): nulls in a column that has none.")
                }
            } catch {
                report("\(name), column \(position): \(error.reason).")
            }
        }
        if let stored = try table.storedColumnCount(ofClusterAt: index), stored != columnCount {
            report("\(name) has \(columnCount) columns instead of \(stored).")
        }
        guard problems.isEmpty else { return }
        let cluster = table.cluster(at: index)
        let end = index + 1 < table.clusterCount ? table.directory.firstKeys[index + 1] : nil
        for row in 0..<count {
            let key = cluster.key(at: row).rawValue
            if let previous = previousKey, previous >= key {
                return report("\(name): row \(key) stands behind row \(previous).")
            }
            if key < firstKey || end.map({ key >= $0 }) ?? false {
                return report("\(name): row \(key) belongs to another cluster.")
            }
            previousKey = key
        }
        for column in definition.columns
        where column.type.isVariableLength && cluster.columns[column.id.position].blobs != nil {
            for row in 0..<count where cluster.columns[column.id.position].isBlob(at: row) {
                try checkBlob(cluster, row, column, table)
            }
        }
    }

    mutating func checkHeap(_ view: ColumnView, _ count: Int, isText: Bool, _ name: String) {
        if let defect = view.heapDefect(count, isText: isText) { report("\(name)\(defect)") }
    }

    private mutating func checkBlob(
        _ cluster: ClusterView, _ row: Int, _ column: ColumnDefinition, _ table: SnapshotTable
    ) throws(StorageError) {
        let key = cluster.key(at: row)
        let heap = cluster.columns[column.id.position].heapBytes(at: row)
        let name = "Property \(table.definition.name).\(column.name) of row \(key.rawValue)"
        guard heap.count == 8 else {
            return report("\(name): the length of its long value is damaged.")
        }
        let length = heap.loadUnaligned(as: UInt64.self)
        var found: UInt64 = 0
        var chunk: UInt32 = 0
        while found < length {
            let bytes = try StorageKey.blob(table.id, column.id, rowKey: key.rawValue, chunk: chunk)
                .withBytes { key throws(StorageError) in
                    try snapshot.transaction.value(.blobs, key: key)
                }
            guard let bytes, bytes.count > StoredBlob.headerSize else {
                return report("\(name): chunk \(chunk) of its long value is missing.")
            }
            let body = UnsafeRawBufferPointer(rebasing: bytes[StoredBlob.headerSize...])
            guard
                UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
                    == StoredBlob.checksum(
                        body, table.id, column.id, rowKey: key.rawValue, chunk: chunk)
            else {
                return report(
                    "\(name): the checksum of chunk \(chunk) of its long value does not match.")
            }
            found += UInt64(body.count)
            chunk += 1
        }
        if found != length {
            report("\(name): its long value has \(found) bytes instead of \(length).")
        }
    }

    // MARK: Indexes and links

    private mutating func checkIndex(of column: ColumnDefinition, _ table: SnapshotTable)
        throws(StorageError)
    {
        var expected = IndexChanges()
        if column.isFullText {
            let indexer = FullTextIndexer(column)
            for index in 0..<table.clusterCount {
                let cluster = table.cluster(at: index)
                for row in 0..<cluster.count {
                    indexer.change(
                        from: nil, to: IndexedRow(cluster: cluster, row: row, table: table),
                        rowKey: cluster.key(at: row).rawValue, &expected)
                }
            }
            return try compareIndex(of: column, table, with: expected)
        }
        for index in 0..<table.clusterCount {
            let cluster = table.cluster(at: index)
            for row in 0..<cluster.count {
                expected.append(
                    IndexKey(column, in: cluster, row: row, of: table),
                    rowKey: cluster.key(at: row).rawValue, isRemoval: false)
            }
        }
        try compareIndex(of: column, table, with: expected)
    }

    /// Compares an index with what the rows say it should be, entry by entry in key order.
    private mutating func compareIndex(
        of column: ColumnDefinition, _ table: SnapshotTable, with expected: consuming IndexChanges
    ) throws(StorageError) {
        let name = "The index of \(table.definition.name).\(column.name)"
        expected.finish()
        let prefix = IndexEntry.prefix(table.id, column.id)
        var cursor = try snapshot.transaction.cursor(.indexes)
        var entry = try prefix.withBytes { key throws(StorageError) in
            try cursor.seek(atOrAfter: key)
        }
        var found: [String] = []
        try expected.forEachValue { value, _, keys throws(StorageError) in
            let first = IndexEntry.prefix(table.id, column.id, value)
            var rest = keys[...]
            // What the first entry says about later ones, and the last row key that was found.
            var isFollowed = false
            var last: Int64?
            while !rest.isEmpty {
                guard found.isEmpty else { return }
                guard let current = entry, prefix.matches(current.key) else {
                    return found.append("\(name) has no entry for row \(rest.first ?? 0).")
                }
                let isLater = first.withUnsafeBytes { IndexEntry.isLater(current.key, than: $0) }
                guard isLater || current.key.elementsEqual(first) else {
                    return found.append(
                        """
                        \(name) does not describe row \(rest.first ?? 0): its entry has \
                        another value.
                        """
                    )
                }
                let bound = isLater ? IndexEntry.bound(in: current.key) : nil
                if let bound {
                    guard let last else {
                        return found.append(
                            "\(name) has no first entry for the value of row \(rest.first ?? 0).")
                    }
                    guard isFollowed else {
                        return found.append(
                            "\(name) does not announce the entry of row \(rest.first ?? 0).")
                    }
                    guard bound > last else {
                        return found.append(
                            """
                            \(name) has an entry that begins before row \(last), which is \
                            in the one before.
                            """
                        )
                    }
                } else {
                    isFollowed = IndexEntry.isFollowed(current.value)
                    if isFollowed, let total = IndexEntry.totalCount(ofFirst: current.value),
                        total != keys.count
                    {
                        return found.append(
                            """
                            \(name) says that \(total) rows have the value of row \
                            \(keys.first ?? 0); there are \(keys.count).
                            """
                        )
                    }
                }
                var storedKeys = ContiguousArray<Int64>()
                guard IndexEntry.appendKeys(current.value, bound: bound, to: &storedKeys) else {
                    return found.append("\(name) has a damaged entry.")
                }
                guard rest.starts(with: storedKeys) else {
                    return found.append(
                        """
                        \(name) does not describe row \(rest.first ?? 0): it says \
                        \(storedKeys.first ?? 0).
                        """
                    )
                }
                last = storedKeys.last
                rest = rest.dropFirst(storedKeys.count)
                if isFollowed, bound == nil, rest.isEmpty {
                    found.append(
                        "\(name) announces an entry behind row \(last ?? 0) that is not there.")
                }
                entry = try cursor.next()
            }
        }
        if found.isEmpty, let current = entry, prefix.matches(current.key) {
            found.append("\(name) has entries of rows that do not exist.")
        }
        found.forEach { report($0) }
    }

    private mutating func checkLinks(of column: ColumnDefinition, _ table: SnapshotTable) {
        guard let target = column.target, snapshot.catalog[target] != nil else {
            return report(
                """
                Property \(table.definition.name).\(column.name) links to a table that \
                does not exist.
                """
            )
        }
        let targets = snapshot.table(target)
        for index in 0..<table.clusterCount {
            let cluster = table.cluster(at: index)
            let links = cluster.columns[column.id.position]
            for row in 0..<cluster.count where !links.isNull(at: row) {
                let key = RowKey(rawValue: links.integer(at: row))
                if targets.contains(key) { continue }
                report(
                    """
                    Property \(table.definition.name).\(column.name) of row \
                    \(cluster.key(at: row).rawValue) links to row \(key.rawValue), which \
                    does not exist.
                    """
                )
            }
        }
    }

    // MARK: What belongs to nothing

    private mutating func checkStrays() throws(StorageError) {
        guard problems.isEmpty else { return }
        var clusters = try snapshot.transaction.cursor(.clusters)
        while let entry = try clusters.next() {
            guard entry.key.count == 14 else {
                return report("A cluster's key has \(entry.key.count) bytes.")
            }
            let table = Self.table(of: entry)
            let firstKey = StorageKey.rowKey(in: entry.key, at: 4)
            let known = snapshot.catalog[table].map { snapshot.table($0.id).directory.firstKeys }
            if !(known.map { Self.contains($0, firstKey) } ?? false) {
                report(
                    """
                    A cluster of table \(table.rawValue) at \(firstKey) belongs to no \
                    directory entry.
                    """
                )
            }
        }
        var directory = try snapshot.transaction.cursor(.directory)
        while let entry = try directory.next() {
            if entry.key.count != 12 || snapshot.catalog[Self.table(of: entry)] == nil {
                report("A directory entry belongs to no table.")
            }
        }
        var indexes = try snapshot.transaction.cursor(.indexes)
        while let entry = try indexes.next() {
            let column =
                entry.key.count > 6
                ? ColumnID(
                    rawValue: UInt16(
                        bigEndian: entry.key.loadUnaligned(fromByteOffset: 4, as: UInt16.self)))
                : .rowKeys
            let isKnown =
                snapshot.catalog[Self.table(of: entry)]?.indexedColumns.contains { $0.id == column }
                ?? false
            if !isKnown { report("An index entry belongs to no index.") }
        }
        var blobs = try snapshot.transaction.cursor(.blobs)
        while let entry = try blobs.next() {
            guard entry.key.count == 18 else {
                return report("A long value's key has \(entry.key.count) bytes.")
            }
            checkOwner(ofBlob: entry)
        }
        try checkStrayNodes()
    }

    private mutating func checkOwner(ofBlob entry: Entry) {
        let table = Self.table(of: entry)
        let column = ColumnID(
            rawValue: UInt16(bigEndian: entry.key.loadUnaligned(fromByteOffset: 4, as: UInt16.self))
        )
        let key = StorageKey.rowKey(in: entry.key, at: 6)
        let chunk = UInt32(bigEndian: entry.key.loadUnaligned(fromByteOffset: 14, as: UInt32.self))
        guard let definition = snapshot.catalog[table], definition[column] != nil,
            let place = snapshot.table(table).locate(RowKey(rawValue: key)),
            place.cluster.columns[column.position].isBlob(at: place.row)
        else {
            return report(
                """
                A long value of table \(table.rawValue), column \(column.rawValue), row \
                \(key) belongs to no row.
                """
            )
        }
        let heap = place.cluster.columns[column.position].heapBytes(at: place.row)
        if heap.count == 8,
            UInt64(chunk) * UInt64(StoredBlob.chunkSize) >= heap.loadUnaligned(as: UInt64.self)
        {
            report(
                """
                A long value of row \(key) of table \(definition.name) has more chunks \
                than its length.
                """
            )
        }
    }

    private static func table(of entry: Entry) -> TableID {
        TableID(
            rawValue: entry.key.count >= 4
                ? UInt32(bigEndian: entry.key.loadUnaligned(as: UInt32.self)) : 0)
    }

    private static func contains(_ sorted: ContiguousArray<Int64>, _ key: Int64) -> Bool {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < sorted.count && sorted[low] == key
    }
}
