import FreeholdStorage

/// The rows whose collections link to one row, in ascending order of their keys. A row occurs
/// once for each of its links.
///
/// Links from a to-one property need no source: a query on that property finds them by its index.
final class BacklinkRows: RowSource {
    private let origin: ObjectBase.Type
    private let column: ColumnID
    private let target: LinkTarget

    /// - Parameters:
    ///   - origin: The class whose objects link.
    ///   - column: Its column of link collections.
    init(origin: ObjectBase.Type, column: ColumnID, target: LinkTarget) {
        self.origin = origin
        self.column = column
        self.target = target
    }

    func keys(in core: RealmCore) throws(StorageError) -> ContiguousArray<Int64> {
        let (table, column) = place(in: core)
        var links: [(row: Int64, count: Int)] = []
        try table.forEachBacklink(of: column, to: target) { links.append(($0, $1)) }
        links.sort { $0.row < $1.row }
        var keys: ContiguousArray<Int64> = []
        keys.reserveCapacity(links.count)
        for link in links {
            for _ in 0..<link.count { keys.append(link.row) }
        }
        return keys
    }

    func count(in core: RealmCore) throws(StorageError) -> Int? {
        let (table, column) = place(in: core)
        return try table.backlinkCount(of: column, to: target)
    }

    func following(_ newKey: (Int64, TableID) -> Int64, in core: RealmCore) -> any RowSource {
        let moved = newKey(target.key, target.table)
        if moved == target.key { return self }
        return BacklinkRows(
            origin: origin, column: column, target: LinkTarget(table: target.table, key: moved))
    }

    func name(in core: RealmCore) -> String {
        "backlinks " + core.binding(for: origin).name(of: column) + " of one object"
    }

    private func place(in core: RealmCore) -> (TableView, ColumnDefinition) {
        let table = core.table(of: core.binding(for: origin))
        guard let definition = table.definition[column] else {
            preconditionFailure("The realm was opened with this property.")
        }
        return (table, definition)
    }
}
