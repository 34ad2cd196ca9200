import FreeholdStorage

/// What a file has that was not shared.
extension SharedFile {
    /// Makes pending commits of the objects of a file: first the objects, then their links.
    func addContents(to table: TableID, in writeSet: WriteSet) throws {
        let rows = SharedRows(writeSet)
        var sequence: Int64 = 1
        func add(_ commit: SharedCommit, undo: SharedCommit) throws {
            try commit.checkDepths(path: store.path)
            let limit = store.layout.longestSharedCommit
            var (commit, undo) = (commit, undo)
            commit.define(by: writeSet.catalog)
            undo.define(by: writeSet.catalog)
            let entry = SharedOutboxEntry(
                commit: try commit.encoded(upTo: limit, path: store.path), undo: undo.encoded())
            SharingTables.put(entry.encoded(), sequence, of: table, in: writeSet)
            sequence += 1
        }
        func addObjects(_ inserted: [SharedCommit.Insertion]) throws {
            var (commit, undo) = (SharedCommit(), SharedCommit())
            commit.inserted = inserted
            undo.deleted = inserted.map(\.object)
            try add(commit, undo: undo)
        }
        func addLinks(_ updated: [SharedCommit.Update]) throws {
            var (commit, undo) = (SharedCommit(), SharedCommit())
            commit.updated = updated
            undo.updated = updated.map { update in
                .init(
                    update.object,
                    update.changes.mapValues { change in
                        guard case .assign(let value) = change else { return change }
                        return .assign(value.withoutLinks { _ in true })
                    })
            }
            try add(commit, undo: undo)
        }
        var objects = Batch<SharedCommit.Insertion>()
        try rows.forEachObject { object, row, table in
            let values = rows.values(row, of: table).mapValues { $0.withoutLinks { _ in true } }
            objects.add(.init(object, values), byteCount: values.byteCount)
            if objects.isFull { try addObjects(objects.take()) }
        }
        if !objects.isEmpty { try addObjects(objects.take()) }
        var links = Batch<SharedCommit.Update>()
        try rows.forEachObject { object, row, table in
            let values = rows.values(row, of: table).filter { $0.value.hasLinks }
            if values.isEmpty { return }
            let changes = values.mapValues { SharedCommit.Change.assign($0) }
            links.add(.init(object, changes), byteCount: values.byteCount)
            if links.isFull { try addLinks(links.take()) }
        }
        if !links.isEmpty { try addLinks(links.take()) }
    }
}

/// The changes of a commit, while they are collected.
private struct Batch<Change> {
    private var changes: [Change] = []
    private var byteCount = 0

    var isEmpty: Bool { changes.isEmpty }
    /// About as large as a push by default: ``SharingOptions/pushBytes``.
    var isFull: Bool { changes.count >= 1000 || byteCount >= 1 << 20 }

    mutating func add(_ change: Change, byteCount: Int) {
        changes.append(change)
        self.byteCount += byteCount
    }

    mutating func take() -> [Change] {
        defer { self = Batch() }
        return changes
    }
}

extension [String: SharedValue] {
    /// About the size of the values in a commit.
    fileprivate var byteCount: Int { values.reduce(0) { $0 + 2 + $1.byteCount } }
}

extension SharedValue {
    fileprivate var hasLinks: Bool {
        var isFound = false
        forEachLink { _ in isFound = true }
        return isFound
    }

    /// About the size of the value in a commit.
    fileprivate var byteCount: Int {
        switch self {
        case .text(let bytes), .bytes(let bytes): bytes.count + 2
        case .link(let object), .anyLink(let object): object.key.byteCount + 2
        case .object(let fields): fields.byteCount
        case .list(let elements): elements.reduce(2) { $0 + $1.byteCount }
        case .set(let elements): elements.reduce(2) { $0 + $1.byteCount }
        case .map(let entries): entries.reduce(2) { $0 + $1.key.count + $1.value.byteCount }
        default: 9
        }
    }
}
