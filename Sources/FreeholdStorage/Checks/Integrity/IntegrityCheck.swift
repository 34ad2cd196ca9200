/// Verifies one version of a file completely, and lists its defects:
///
/// - Every stored value has the right checksum, length and encoding, text is UTF-8, and offsets
///   ascend.
/// - The directory's clusters are in order, with correct row counts, and their row keys ascend
///   inside of the cluster's range.
/// - The trees and records of an encrypted file are sound (``EncryptedCheck``).
/// - Each row has an index entry for each indexed column, or one for each word in a full-text
///   index, and no index has other entries.
/// - The facts of each table are sound and agree with its clusters.
/// - Links point to existing rows, long values are complete, and no stored data belong to no
///   row.
/// - An owned row has one owner (`IntegrityCheck+Owners.swift`).
/// - Collections are sound (`IntegrityCheck+Collections.swift`).
///
/// O(bytes of the file); one index at a time is held in memory.
package struct IntegrityCheck {
    let snapshot: Snapshot
    /// The defects, in sentences; empty for a sound file.
    package private(set) var problems: [String] = []
    /// The check stops after this many problems: one damaged page can affect every row after
    /// it.
    private static let limit = 100
    /// The number of nodes of all collections.
    var nodeCount = 0

    /// How far the check is; nil if nobody wants to know.
    private(set) var progress: WorkProgress?

    private init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// Checks a version. Any thread; the file may be written meanwhile.
    ///
    /// - Parameter progress: Called from time to time with the part that is done, from 0 to 1.
    package static func run(
        on snapshot: Snapshot, progress: (@Sendable (Double) -> Void)? = nil
    ) throws(StorageError) -> [String] {
        let share = CheckWork.pageShare(of: snapshot)
        let pages = progress.map {
            WorkProgress(total: CheckWork.pages(of: snapshot), parts: 0...share, report: $0)
        }
        var check = IntegrityCheck(snapshot)
        var onPage: (@Sendable () throws(StorageError) -> Void)?
        if let pages { onPage = { () throws(StorageError) in pages.add(CheckWork.page) } }
        // A defect of the pages would cause further problems in everything stored on them.
        if let problem = try snapshot.transaction.handle.problem(
            ofPagesReadBy: snapshot.transaction.raw, onPage: onPage)
        {
            check.report(problem)
        }
        // A defect of the trees would cause further problems in everything stored in them.
        for problem in try snapshot.transaction.encryptionProblems(pages) { check.report(problem) }
        guard check.problems.isEmpty else { return check.problems }
        // Only now: the directories of damaged pages must not be read.
        check.progress = progress.map {
            WorkProgress(total: CheckWork.contents(of: snapshot), parts: share...1, report: $0)
        }
        defer { check.progress?.finish() }
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

    /// Whether the check has found too many problems and stops.
    var isFull: Bool { problems.count >= Self.limit }

    // MARK: A table

    private mutating func check(_ definition: TableDefinition) throws(StorageError) {
        guard let table = snapshot.table(definition.id) as? SnapshotTable else { return }
        // The facts are compared with the directory.
        _ = table.directory
        var facts: TableFacts?
        do throws(StorageError) { facts = try snapshot.storedFacts(of: definition.id) } catch {
            guard error.code == .corrupted else { throw error }
            report(error.message)
        }
        var previousKey: Int64?
        for index in 0..<table.clusterCount where problems.count < Self.limit {
            try checkCluster(index, of: table, after: &previousKey)
            progress?.add(CheckWork.values * definition.columns.count)
        }
        if let facts, let last = previousKey,
            min(last, TableFacts.greatestNextRowKey - 1) >= facts.nextRowKey
        {
            report(
                """
                Table \(definition.name) would give the row key \(facts.nextRowKey) again; \
                its last is \(last).
                """)
        }
        guard problems.isEmpty else { return }
        for column in definition.columns {
            if let kind = column.collection {
                let links = try checkElements(of: column, kind, table)
                if column.countsBacklinks, problems.isEmpty {
                    try compareIndex(of: column, table, with: links)
                    progress?.add(CheckWork.comparison * table.clusterCount)
                }
            } else if column.type == .mixed {
                let links = checkMixed(column, table)
                if problems.isEmpty { try compareIndex(of: column, table, with: links) }
                progress?.add(CheckWork.comparison * table.clusterCount)
            }
        }
        guard problems.isEmpty else { return }
        for column in definition.indexedColumns where !column.countsBacklinks {
            try checkIndex(of: column, table)
            progress?.add(CheckWork.comparison * table.clusterCount)
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
            guard
                StoredBlob.hasRightChecksum(
                    bytes, table.id, column.id, rowKey: key.rawValue, chunk: chunk)
            else {
                return report(
                    "\(name): the checksum of chunk \(chunk) of its long value does not match.")
            }
            found += UInt64(bytes.count - StoredBlob.headerSize)
            chunk += 1
        }
        if found != length {
            report("\(name): its long value has \(found) bytes instead of \(length).")
        }
    }
}
