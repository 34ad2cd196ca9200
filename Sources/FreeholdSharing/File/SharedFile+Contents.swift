import FreeholdStorage

/// What a file has that was not shared.
extension SharedFile {
    /// Makes pending commits of the objects of a file: first the objects, then their links.
    func addContents(to table: TableID, in writeSet: WriteSet) throws {
        let rows = SharedRows(writeSet)
        var objects: [SharedCommit.Insertion] = []
        var links: [SharedCommit.Update] = []
        rows.forEachObject { object, row, table in
            let values = rows.values(row, of: table)
            var changes: [String: SharedCommit.Change] = [:]
            for (name, value) in values {
                var hasLinks = false
                value.forEachLink { _ in hasLinks = true }
                if hasLinks { changes[name] = .assign(value) }
            }
            objects.append(.init(object, values.mapValues { $0.withoutLinks { _ in true } }))
            if !changes.isEmpty { links.append(.init(object, changes)) }
        }
        var sequence: Int64 = 1
        func add(_ commit: SharedCommit, _ undo: SharedCommit) {
            let entry = SharedOutboxEntry(commit: commit.encoded(), undo: undo.encoded())
            SharingTables.put(entry.encoded(), sequence, of: table, in: writeSet)
            sequence += 1
        }
        for start in stride(from: 0, to: objects.count, by: 1000) {
            var (commit, undo) = (SharedCommit(), SharedCommit())
            commit.inserted = Array(objects[start..<min(start + 1000, objects.count)])
            undo.deleted = commit.inserted.map(\.object)
            commit.define(by: writeSet.catalog)
            undo.define(by: writeSet.catalog)
            add(commit, undo)
        }
        for start in stride(from: 0, to: links.count, by: 1000) {
            var (commit, undo) = (SharedCommit(), SharedCommit())
            commit.updated = Array(links[start..<min(start + 1000, links.count)])
            undo.updated = commit.updated.map { update in
                .init(
                    update.object,
                    update.changes.mapValues { change in
                        guard case .assign(let value) = change else { return change }
                        return .assign(value.withoutLinks { _ in true })
                    })
            }
            commit.define(by: writeSet.catalog)
            undo.define(by: writeSet.catalog)
            add(commit, undo)
        }
    }
}
