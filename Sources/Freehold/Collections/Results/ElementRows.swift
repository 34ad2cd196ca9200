import FreeholdStorage

/// The objects in a collection of one object, in the collection's order and with its repetitions.
/// Empty once the object is deleted.
final class ElementRows: RowSource {
    private let owner: ObjectBase.Type
    private let column: ColumnID
    private let key: RowKey

    /// - Parameters:
    ///   - owner: The class of the object that has the collection.
    ///   - column: The column of its lists, sets or maps of objects.
    ///   - key: The object's row.
    init(owner: ObjectBase.Type, column: ColumnID, key: Int64) {
        self.owner = owner
        self.column = column
        self.key = RowKey(rawValue: key)
    }

    func keys(in core: RealmCore) throws(StorageError) -> ContiguousArray<Int64> {
        var keys = ContiguousArray<Int64>()
        guard
            let elements = core.table(of: core.binding(for: owner)).collection(of: column, key: key)
        else { return keys }
        keys.reserveCapacity(elements.count)
        elements.forEachLeaf { leaf in
            // A map's values may be null, which are skipped.
            for row in 0..<leaf.count where !leaf.values.isNull(at: row) {
                keys.append(leaf.values.integer(at: row))
            }
            return true
        }
        return keys
    }

    func following(_ newKey: (Int64, TableID) -> Int64, in core: RealmCore) -> any RowSource {
        let moved = newKey(key.rawValue, core.binding(for: owner).table)
        return moved == key.rawValue ? self : ElementRows(owner: owner, column: column, key: moved)
    }

    func name(in core: RealmCore) -> String {
        core.binding(for: owner).name(of: column) + " of one object"
    }
}
