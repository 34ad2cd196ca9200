extension CellChange {
    /// Calls `body` with each link of the values that the change removes, and with each of those
    /// that it adds.
    func forEachLink(
        of column: ColumnDefinition, removed: (LinkTarget) -> Void, added: (LinkTarget) -> Void
    ) {
        switch self {
        case .value(let old, let new):
            old.forEachLink(of: column, removed)
            new.forEachLink(of: column, added)
        case .list(let changes):
            for edit in changes.edits {
                for value in edit.removed { value.forEachLink(of: column, removed) }
                for value in edit.inserted { value.forEachLink(of: column, added) }
            }
        case .set(let changes):
            for value in changes.removed { value.forEachLink(of: column, removed) }
            for value in changes.added { value.forEachLink(of: column, added) }
        case .map(let changes):
            for entry in changes.entries {
                entry.old?.forEachLink(of: column, removed)
                entry.new?.forEachLink(of: column, added)
            }
        }
    }

    /// Calls `body` with each link that the new value has and the old one has not.
    func forEachNewLink(of column: ColumnDefinition, _ body: (LinkTarget) -> Void) {
        var (known, new): (Set<LinkTarget>, [LinkTarget]) = ([], [])
        forEachLink(of: column, removed: { known.insert($0) }, added: { new.append($0) })
        for target in new where !known.contains(target) { body(target) }
    }

    /// The change with other links in what it adds; see ``StoredValue/mappingLinks(of:_:)``.
    func mappingNewLinks(of column: ColumnDefinition, _ target: (LinkTarget) -> LinkTarget?)
        -> CellChange
    {
        switch self {
        case .value(let old, let new):
            .value(old: old, new: new.mappingLinks(of: column, target))
        case .list(let changes):
            .list(
                ListChanges(
                    edits: changes.edits.map {
                        ListChanges.Edit(
                            position: $0.position, removed: $0.removed,
                            inserted: StoredValue.mapping(
                                $0.inserted, of: column, isSet: false, target))
                    }, oldCount: changes.oldCount))
        case .set(let changes):
            .set(
                SetChanges(
                    removed: changes.removed,
                    added: StoredValue.mapping(changes.added, of: column, isSet: true, target)))
        case .map(let changes):
            .map(
                MapChanges(
                    entries: ContiguousArray(
                        changes.entries.map {
                            MapChanges.Entry(
                                key: $0.key, old: $0.old,
                                new: $0.new?.mappingLinks(of: column, target))
                        })))
        }
    }

    /// Whether the change is only what follows from the deletion of rows: their links became null
    /// or left the collection.
    func followsFromDeletion(
        of column: ColumnDefinition, _ isDeleted: (LinkTarget) -> Bool
    ) -> Bool {
        func rest(_ target: LinkTarget) -> LinkTarget? { isDeleted(target) ? nil : target }
        switch self {
        case .value(let old, let new):
            return old.links(of: column, where: isDeleted)
                && new == old.mappingLinks(of: column, rest)
        case .list(let changes):
            return changes.edits.allSatisfy {
                $0.inserted.count <= $0.removed.count
                    && $0.removed.allSatisfy { $0.links(of: column, where: isDeleted) }
                    && $0.inserted
                        == StoredValue.mapping($0.removed, of: column, isSet: false, rest)
            }
        case .set(let changes):
            return changes.added.isEmpty
                && changes.removed.allSatisfy { $0.links(of: column, where: isDeleted) }
        case .map(let changes):
            return changes.entries.allSatisfy { entry in
                guard let old = entry.old, let new = entry.new else { return false }
                return old.links(of: column, where: isDeleted)
                    && new == old.mappingLinks(of: column, rest)
            }
        }
    }
}

extension ChangeSet.Table {
    /// Calls `body` with each link of a column that the new version has and the old one has not.
    func forEachNewLink(of column: ColumnDefinition, _ body: (LinkTarget) -> Void) {
        if let cells = columns[column.id] {
            for change in cells.changes { change.forEachNewLink(of: column, body) }
        }
        for value in inserted.columns[column.id] ?? [] { value.forEachLink(of: column, body) }
    }

    /// Rewrites the links of everything that the new version adds.
    mutating func mapNewLinks(_ target: (LinkTarget) -> LinkTarget?) {
        for column in definition.columns where column.type == .link || column.countsBacklinks {
            if let cells = columns[column.id] {
                columns[column.id] = cells.map { $0.mappingNewLinks(of: column, target) }
            }
            inserted.mapValues(of: column.id) { $0.mappingLinks(of: column, target) }
        }
    }
}

extension ChangeSet.Rows {
    mutating func mapValues(of column: ColumnID, _ transform: (StoredValue) -> StoredValue) {
        guard let values = columns[column] else { return }
        self = ChangeSet.Rows(
            keys: keys,
            columns: columns.merging([column: ContiguousArray(values.map(transform))]) { $1 })
    }
}
