extension StoredValue {
    /// The value of a row. O(bytes of the value, or of the elements).
    ///
    /// Never fails: damage is noted, as by every read, and reads as null.
    package init(
        _ column: ColumnDefinition, _ cluster: ClusterView, row: Int, of table: TableView
    ) {
        if let kind = column.collection {
            let elements = table.collection(of: column.id, kind, cluster, row: row)
            self.init(elements, in: 0..<elements.count, table)
            return
        }
        let view = cluster.columns[column.id.position]
        if view.isNull(at: row) {
            self = .null
            return
        }
        switch column.type {
        case .text:
            self = .plain(.text(table.withBytes(cluster, column.id, row) { [UInt8]($0) }))
        case .bytes:
            self = .plain(.bytes(table.withBytes(cluster, column.id, row) { [UInt8]($0) }))
        case .mixed:
            self = table.withBytes(cluster, column.id, row) { Self.mixed(decoding: $0, table) }
        default: self = .plain(ScanValue(view, row, column.type))
        }
    }

    /// A range of a collection's elements, as a collection.
    package init(_ elements: StoredCollection, in range: Range<Int>, _ table: TableView) {
        switch elements.kind.shape {
        case .list: self = .list(Self.elements(elements, in: range, table))
        case .set: self = .set(Self.elements(elements, in: range, table))
        case .map: self = .map(Self.entries(elements, in: range, table))
        }
    }

    static func elements(_ elements: StoredCollection, in range: Range<Int>, _ table: TableView)
        -> ContiguousArray<StoredValue>
    {
        var values = ContiguousArray<StoredValue>()
        values.reserveCapacity(range.count)
        forEachElement(of: elements, in: range) { leaf, row in
            values.append(StoredValue(leaf.values, row, elements.kind.type, table))
        }
        return values
    }

    static func entries(_ elements: StoredCollection, in range: Range<Int>, _ table: TableView)
        -> ContiguousArray<MapEntry>
    {
        var entries = ContiguousArray<MapEntry>()
        entries.reserveCapacity(range.count)
        forEachElement(of: elements, in: range) { leaf, row in
            entries.append(
                MapEntry(
                    key: ContiguousArray(leaf.keys.heapBytes(at: row)),
                    value: StoredValue(leaf.values, row, elements.kind.type, table)))
        }
        return entries
    }

    private static func forEachElement(
        of elements: StoredCollection, in range: Range<Int>, _ body: (CollectionLeaf, Int) -> Void
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            let leaf = elements.leaf(at: index)
            let end = min(leaf.end, range.upperBound)
            while index < end {
                body(leaf, index - leaf.start)
                index += 1
            }
        }
    }

    /// An element of a leaf.
    private init(_ view: ColumnView, _ row: Int, _ type: ColumnType, _ table: TableView) {
        if view.isNull(at: row) {
            self = .null
        } else if type == .mixed {
            self = Self.mixed(decoding: view.heapBytes(at: row), table)
        } else {
            self = .plain(ScanValue(view, row, type))
        }
    }

    private static func mixed(decoding bytes: UnsafeRawBufferPointer, _ table: TableView)
        -> StoredValue
    {
        if let value = MixedValue(decoding: bytes) { return .mixed(value) }
        table.noteDamage(
            StorageError.damaged(
                "Table \(table.definition.name) has a mixed value with impossible bytes.",
                path: table.path))
        return .null
    }
}

extension ColumnDefinition {
    /// What a row has in the column before anything is set.
    package var initialValue: StoredValue {
        switch collection?.shape {
        case .list: .list([])
        case .set: .set([])
        case .map: .map([])
        case nil: isNullable ? .null : .plain(ScanValue(zeroOf: type))
        }
    }
}

/// Finds rows by ascending keys, and keeps the cluster of the last one.
struct RowFinder {
    private let table: TableView
    private(set) var cluster: ClusterView?
    /// The key of the cluster's last row.
    private var last: Int64 = .min

    init(_ table: TableView) { self.table = table }

    mutating func find(_ key: Int64) -> (cluster: ClusterView, row: Int)? {
        if !covers(key) { move(to: key) }
        guard let cluster else { return nil }
        return cluster.row(of: key).map { (cluster, $0) }
    }

    /// Whether the cluster is known to be the one for a key.
    @inline(__always)
    func covers(_ key: Int64) -> Bool {
        guard let cluster else { return false }
        return key >= cluster.firstKey && key <= last
    }

    /// Finds the cluster for a key; nil below the first one.
    @inline(never)
    mutating func move(to key: Int64) {
        cluster = table.cluster(covering: key)
        last = cluster.map { $0.count == 0 ? .min : $0.lastKey } ?? .min
    }
}

/// Reads single values of one column by ascending keys.
struct ColumnReader {
    private let column: ColumnDefinition
    private let type: ColumnType
    private let table: TableView
    private var finder: RowFinder
    private var view = ColumnView.absent(count: 0, isNullable: false)

    init(_ column: ColumnDefinition, of table: TableView) {
        self.column = column
        type = column.type
        self.table = table
        finder = RowFinder(table)
    }

    /// Nil without the row.
    mutating func value(of key: Int64) -> StoredValue? {
        if !finder.covers(key) {
            finder.move(to: key)
            if let cluster = finder.cluster { view = cluster.columns[column.id.position] }
        }
        guard let cluster = finder.cluster, let row = cluster.row(of: key) else { return nil }
        if view.isNull(at: row) { return .null }
        switch type {
        case .integer: return .plain(.integer(view.integer(at: row)))
        case .text where !view.isBlob(at: row):
            return .plain(.text([UInt8](view.heapBytes(at: row))))
        default: return StoredValue(column, cluster, row: row, of: table)
        }
    }
}
