import FreeholdStorage

/// A node of certain paths, as the key of results computed for it.
struct ObservedNode: Hashable, Sendable {
    let paths: ObjectIdentifier
    let index: Int
}

/// Paths shared by several computations. Results are cached by their identity for the duration
/// of the computation.
final class SharedPaths: Sendable {
    let paths: ObservedPaths
    /// The tables of all nodes.
    let tables: Set<TableID>

    init(_ paths: ObservedPaths) {
        self.paths = paths
        tables = paths.tables
    }
}

/// Finds rows that count as changed. Searches from the changes up to the observed rows, by
/// backlinks, or from a few observed rows down to the changes.
extension SharedPaths {
    /// Whether the changes cannot affect any of these paths.
    func isUnaffected(in context: ChangeContext) -> Bool {
        tables.isDisjoint(with: context.difference.changedTables)
    }

    /// The rows of the observed class that exist in both versions and count as changed,
    /// ascending.
    func changedRows(in context: ChangeContext) -> ContiguousArray<Int64> {
        if isUnaffected(in: context) { return [] }
        return rows(0, context)
    }

    /// Those of the given rows that count as changed, ascending. Searches in the cheaper
    /// direction.
    func changedRows(among keys: ContiguousArray<Int64>, in context: ChangeContext)
        -> ContiguousArray<Int64>
    {
        if isUnaffected(in: context) || keys.isEmpty { return [] }
        if !paths.followsLinks { return rows(0, context) }
        let changed = paths.nodes.dropFirst().reduce(0) {
            $0 + context.difference.changes(of: $1.table).modificationCount
        }
        if changed <= keys.count { return rows(0, context) }
        var known: [RowAtNode: Bool] = [:]
        return ContiguousArray(Set(keys.filter { isChanged($0, 0, context, &known) }))
            .sortedAscending()
    }

    /// Whether a row that exists in both versions counts as changed.
    func isChanged(_ key: Int64, in context: ChangeContext) -> Bool {
        if isUnaffected(in: context) { return false }
        var known: [RowAtNode: Bool] = [:]
        return isChanged(key, 0, context, &known)
    }

    /// Whether a row counts as changed because of one of its columns, or of objects behind it.
    func isChanged(_ key: Int64, by column: ColumnID, in context: ChangeContext) -> Bool {
        let root = paths.nodes[0]
        if root.columns?.contains(column) ?? true,
            context.difference.changes(of: root.table).isModified(key, in: [column])
        {
            return true
        }
        var known: [RowAtNode: Bool] = [:]
        return root.edges.contains {
            $0.step == .links(column) && isChanged(key, behind: $0, root.table, context, &known)
        }
    }

    /// Whether a row counts as changed because of the rows that link to it by a column.
    func isChanged(_ key: Int64, byBacklinks column: ColumnID, in context: ChangeContext) -> Bool {
        let root = paths.nodes[0]
        return root.edges.contains { edge in
            guard edge.step == .backlinks(column) else { return false }
            var found = Set<Int64>()
            addSources(of: edge, root.table, context, &found)
            return found.contains(key)
        }
    }

    // MARK: Upwards

    private func rows(_ index: Int, _ context: ChangeContext) -> ContiguousArray<Int64> {
        let name = ObservedNode(paths: ObjectIdentifier(self), index: index)
        if let known = context.knownRows.withLock({ $0[name] }) { return known }
        let node = paths.nodes[index]
        let changes = context.difference.changes(of: node.table)
        var found = changes.modifiedRows(in: node.columns)
        var more = Set<Int64>()
        for edge in node.edges { addSources(of: edge, node.table, context, &more) }
        if !more.isEmpty {
            more.formUnion(found)
            let inserted = changes.insertions
            found = ContiguousArray(more.filter { !inserted.containsSorted($0) }).sortedAscending()
        }
        context.knownRows.withLock { $0[name] = found }
        return found
    }

    /// Adds the rows from which an edge leads to changed rows.
    private func addSources(
        of edge: ObservedPaths.Edge, _ table: TableID, _ context: ChangeContext,
        _ found: inout Set<Int64>
    ) {
        let target = paths.nodes[edge.target]
        switch edge.step {
        case .links(let column):
            let changed = rows(edge.target, context)
            if changed.isEmpty { return }
            context.new.forEachRow(linkingBy: column, of: table, to: target.table, changed) {
                found.insert($0)
            }
        case .backlinks(let column):
            let changes = context.difference.changes(of: target.table)
            // First links that were added or removed, then links of rows that changed otherwise.
            let relinked = changes.modifiedRows(in: [column])
            context.old.forEachTarget(of: column, in: target.table, changes.deletions) {
                found.insert($0)
            }
            context.old.forEachTarget(of: column, in: target.table, relinked) { found.insert($0) }
            context.new.forEachTarget(of: column, in: target.table, relinked) { found.insert($0) }
            context.new.forEachTarget(of: column, in: target.table, changes.insertions) {
                found.insert($0)
            }
            context.new.forEachTarget(of: column, in: target.table, rows(edge.target, context)) {
                found.insert($0)
            }
        }
    }

    // MARK: Downwards

    private struct RowAtNode: Hashable {
        let node: Int
        let key: Int64
    }

    private func isChanged(
        _ key: Int64, _ index: Int, _ context: ChangeContext, _ known: inout [RowAtNode: Bool]
    ) -> Bool {
        let name = RowAtNode(node: index, key: key)
        if let answer = known[name] { return answer }
        let node = paths.nodes[index]
        // Rows that link to this one are found from the other side, for all rows at once.
        if node.edges.contains(where: \.isBacklinks) {
            return rows(index, context).containsSorted(key)
        }
        let answer =
            context.difference.changes(of: node.table).isModified(key, in: node.columns)
            || node.edges.contains { isChanged(key, behind: $0, node.table, context, &known) }
        known[name] = answer
        return answer
    }

    private func isChanged(
        _ key: Int64, behind edge: ObservedPaths.Edge, _ table: TableID, _ context: ChangeContext,
        _ known: inout [RowAtNode: Bool]
    ) -> Bool {
        guard case .links(let column) = edge.step else { return false }
        var answer = false
        context.new.forEachTarget(
            of: column, in: table, [key], onlyOf: paths.nodes[edge.target].table
        ) { next in
            if !answer { answer = isChanged(next, edge.target, context, &known) }
        }
        return answer
    }
}

extension ObservedPaths.Edge {
    fileprivate var isBacklinks: Bool { if case .backlinks = step { true } else { false } }
}

// MARK: - Links

extension RealmCore {
    /// Calls `body` with each row that links by a column to one of the given rows, possibly
    /// several times.
    fileprivate func forEachRow(
        linkingBy column: ColumnID, of table: TableID, to target: TableID,
        _ keys: ContiguousArray<Int64>, _ body: (Int64) -> Void
    ) {
        let view = source.table(table)
        do throws(StorageError) {
            try view.forEachRow(linkingBy: column, to: target, keys, body)
        } catch {
            store.noteDamage(error)
        }
    }

    /// Calls `body` with each row that the given rows link to by a column. If
    /// ``AnyRealmValue``s link to several tables, only with those of one table.
    fileprivate func forEachTarget(
        of column: ColumnID, in table: TableID, _ keys: ContiguousArray<Int64>,
        onlyOf target: TableID? = nil, _ body: (Int64) -> Void
    ) {
        if keys.isEmpty || source.currentCatalog[table] == nil { return }
        source.table(table).forEachLink(of: column, in: keys, onlyOf: target, body)
    }
}

extension ContiguousArray<Int64> {
    func sortedAscending() -> ContiguousArray { ContiguousArray(sorted()) }
}
