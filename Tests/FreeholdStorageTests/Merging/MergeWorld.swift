import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Tables for merges: every kind of column, and owned rows.
struct MergeWorld {
    /// The primary key is the row key.
    let items: TableID
    let itemID, name, count, note, any, friend: ColumnID
    let numbers, links, tags, scores, values: ColumnID
    /// The primary key is a text.
    let named: TableID
    let title, rank, item, twin: ColumnID
    /// Rows without a primary key, with owned ones.
    let owners: TableID
    let label, address, addresses, places: ColumnID
    /// Owned, by owners.
    let owned: TableID
    let street, city, part: ColumnID
    /// Owned, by those.
    let parts: TableID
    let size: ColumnID

    init(in writeSet: WriteSet) {
        func column(
            _ table: TableID, _ name: String, _ type: ColumnType, nullable: Bool = false,
            to target: TableID? = nil
        ) -> ColumnID {
            writeSet.addColumn(
                to: table, named: name, type: type, isNullable: nullable, isIndexed: false,
                target: target)
        }
        func collection(
            _ table: TableID, _ name: String, _ shape: StoredCollectionKind.Shape,
            _ type: ColumnType, to target: TableID? = nil
        ) -> ColumnID {
            writeSet.addColumn(
                to: table, named: name,
                collection: StoredCollectionKind(
                    shape, of: type,
                    isNullable: type == .mixed || (shape == .map && type == .link)),
                target: target)
        }
        items = writeSet.createTable(named: "Item")
        itemID = column(items, "id", .integer)
        writeSet.setPrimaryKey(itemID, of: items)
        name = column(items, "name", .text)
        count = column(items, "count", .integer)
        note = column(items, "note", .text, nullable: true)
        any = column(items, "any", .mixed, nullable: true)
        friend = column(items, "friend", .link, nullable: true, to: items)
        numbers = collection(items, "numbers", .list, .integer)
        links = collection(items, "links", .list, .link, to: items)
        tags = collection(items, "tags", .set, .integer)
        scores = collection(items, "scores", .map, .integer)
        values = collection(items, "values", .list, .mixed)
        named = writeSet.createTable(named: "Named")
        title = column(named, "title", .text)
        writeSet.setPrimaryKey(title, of: named)
        rank = column(named, "rank", .integer)
        item = column(named, "item", .link, nullable: true, to: items)
        twin = column(named, "twin", .link, nullable: true, to: named)
        parts = writeSet.createTable(named: "Part", isOwned: true)
        size = column(parts, "size", .integer)
        owned = writeSet.createTable(named: "Address", isOwned: true)
        street = column(owned, "street", .text)
        city = column(owned, "city", .text)
        part = column(owned, "part", .link, nullable: true, to: parts)
        owners = writeSet.createTable(named: "Owner")
        label = column(owners, "label", .text)
        address = column(owners, "address", .link, nullable: true, to: owned)
        addresses = collection(owners, "addresses", .list, .link, to: owned)
        places = collection(owners, "places", .map, .link, to: owned)
    }
}

/// One of the three versions of a merge, for short statements.
struct MergeSide {
    let writeSet: WriteSet
    let world: MergeWorld

    func table(of column: ColumnID, _ table: TableID) -> MutableTable {
        writeSet.mutableTable(table)
    }

    // MARK: Rows

    @discardableResult
    func insert(_ table: TableID, _ key: Int64? = nil, _ values: [ColumnID: StoredValue] = [:])
        -> Int64
    {
        let rows = writeSet.mutableTable(table)
        let key = key ?? rows.nextRowKey().rawValue
        _ = rows.insertRow(RowKey(rawValue: key))
        for (column, value) in values { set(table, key, column, value) }
        if table == world.named, case .plain(.text(let text))? = values[world.title] {
            rows.notePrimaryKey(text.withUnsafeBytes { .bytes($0) }, of: RowKey(rawValue: key))
        }
        return key
    }

    func delete(_ table: TableID, _ keys: Int64...) throws {
        try writeSet.deleteRows(keys, of: table)
    }

    // MARK: Values

    func set(_ table: TableID, _ key: Int64, _ column: ColumnID, _ value: StoredValue) {
        let rows = writeSet.mutableTable(table)
        guard let definition = rows.definition[column] else { preconditionFailure() }
        var change: CellChange
        let old = get(table, key, column)
        switch (old, value) {
        case (.list(let a), .list(let b)): change = .list(ListChanges(from: a, to: b))
        case (.set(let a), .set(let b)): change = .set(SetChanges(from: a, to: b))
        case (.map(let a), .map(let b)): change = .map(MapChanges(from: a, to: b))
        default: change = .value(old: old, new: value)
        }
        var cells = ChangeSet.Cells()
        cells.append(change, of: key)
        let changes = ChangeSet(tables: [
            table: .init(rows.definition, nextRowKey: 0, columns: [definition.id: cells])
        ])
        writeSet.apply(changes) { _, _, _ in }
    }

    func get(_ table: TableID, _ key: Int64, _ column: ColumnID) -> StoredValue {
        MergeSide.value(writeSet, table, key, column)
    }

    static func value(_ source: TableSource, _ table: TableID, _ key: Int64, _ column: ColumnID)
        -> StoredValue
    {
        let rows = source.table(table)
        guard let place = rows.locate(RowKey(rawValue: key)),
            let definition = rows.definition[column]
        else { return .plain(.text(Array("no row".utf8))) }
        return StoredValue(definition, place.cluster, row: place.row, of: rows)
    }

    func contains(_ table: TableID, _ key: Int64) -> Bool {
        writeSet.table(table).contains(RowKey(rawValue: key))
    }

    func keys(_ table: TableID) -> [Int64] { writeSet.table(table).allKeys }
}

/// A merge that was made, and its result.
struct Merged {
    let merge: ThreeWayMerge
    let side: MergeSide

    var conflicts: [Conflict] { merge.conflicts }
    func get(_ table: TableID, _ key: Int64, _ column: ColumnID) -> StoredValue {
        side.get(table, key, column)
    }
}

/// Makes three versions of a file, merges them, commits the result and checks the file. Also merges
/// with an excerpt of the base instead of the base, and expects the same.
///
/// - Parameter isCommitted: Whether their version is a committed one; otherwise a write set.
func withMerge(
    isCommitted: Bool = false, automaticKeys: (MergeWorld) -> Set<TableID> = { _ in [] },
    counters: (MergeWorld) -> Counters = { _ in Counters() },
    layout: StorageLayout = StorageLayout(),
    resolving resolve: @escaping (Conflict) -> Resolution? = { _ in nil },
    sourceLocation: SourceLocation = #_sourceLocation,
    base: (MergeSide) throws -> Void, mine: (MergeSide) throws -> Void,
    theirs: (MergeSide) throws -> Void, expect: (Merged) throws -> Void
) throws {
    try withTemporaryStore(layout: layout, sourceLocation: sourceLocation) { store in
        let (world, snapshot) = try write(store) { writeSet in
            let world = MergeWorld(in: writeSet)
            try base(MergeSide(writeSet: writeSet, world: world))
            return world
        }
        let start = try store.beginWrite()
        let own = MergeSide(writeSet: start.savepoint(), world: world)
        let others = MergeSide(writeSet: start.savepoint(), world: world)
        try mine(own)
        try theirs(others)
        let target: WriteSet
        let source: TableSource
        if isCommitted {
            source = try store.commit(others.writeSet)
            target = try store.beginWrite()
        } else {
            source = others.writeSet
            target = others.writeSet.savepoint()
        }
        let decisions = Decisions(resolve)
        let merge = try ThreeWayMerge(
            base: snapshot, mine: own.writeSet, theirs: source, into: target,
            automaticKeys: automaticKeys(world), counters: counters(world),
            resolving: decisions.decide)
        try expectSameWithExcerpt(
            merge, base: snapshot, mine: own.writeSet, theirs: source, into: target,
            automaticKeys: automaticKeys(world), counters: counters(world), decisions,
            sourceLocation: sourceLocation)
        try target.apply(merge.changes)
        try expect(Merged(merge: merge, side: MergeSide(writeSet: target, world: world)))
        _ = try store.commit(target)
    }
}

// MARK: Values

extension StoredValue {
    static func text(_ text: String) -> StoredValue { .plain(.text(Array(text.utf8))) }
    static func integer(_ value: Int64) -> StoredValue { .plain(.integer(value)) }
    static func link(_ key: Int64) -> StoredValue { .plain(.link(RowKey(rawValue: key))) }
    static func integers(_ values: Int64...) -> StoredValue {
        .list(ContiguousArray(values.map { .integer($0) }))
    }
    static func links(_ keys: Int64...) -> StoredValue {
        .list(ContiguousArray(keys.map { .link($0) }))
    }
    static func integerSet(_ values: Int64...) -> StoredValue {
        .set(ContiguousArray(values.map { .integer($0) }))
    }
    static func entries(_ entries: KeyValuePairs<String, StoredValue>) -> StoredValue {
        .map(
            ContiguousArray(
                entries.map { MapEntry(key: ContiguousArray($0.key.utf8), value: $0.value) }))
    }
    static func mixedMap(_ entries: KeyValuePairs<String, MixedValue?>) -> StoredValue {
        .mixed(.entries(entries))
    }
    static func mixedList(_ values: MixedValue?...) -> StoredValue { .mixed(.elements(values)) }
}

extension MixedValue {
    static func entries(_ entries: KeyValuePairs<String, MixedValue?>) -> MixedValue {
        .map(
            ContiguousArray(entries.map { (key: ContiguousArray($0.key.utf8), value: $0.value) }),
            identity: newIdentity())
    }
    static func elements(_ values: [MixedValue?]) -> MixedValue {
        .list(ContiguousArray(values), identity: newIdentity())
    }
}

extension Conflict.Step {
    static func key(named name: String) -> Conflict.Step { .key(ContiguousArray(name.utf8)) }
}
