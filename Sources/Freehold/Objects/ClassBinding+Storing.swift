import FreeholdStorage

extension ClassBinding {
    /// Writes the values of an unmanaged object into a row of this class.
    ///
    /// Objects that it links to are resolved by ``RealmCore/linkTargetKey(for:)``, which adds those that are unmanaged.
    /// Adding may move the row.
    ///
    /// - Parameters:
    ///   - onlyDiffering: leave values alone that the row holds already.
    ///   - skippingPrimaryKey: the row has its primary key.
    /// - Returns: the row, where it is now.
    @discardableResult
    func storeValues(of object: ObjectBase, into row: MutableRow, onlyDiffering: Bool, skippingPrimaryKey: Bool) -> MutableRow {
        let address = Unmanaged.passUnretained(object).toOpaque()
        var row = row
        if schema.hasLinks { row = storeLinks(of: object, into: row, onlyDiffering: onlyDiffering) }
        for property in schema.properties where property.link == nil {
            if property.isPrimaryKey, skippingPrimaryKey || property.isRowKey { continue }
            property.codec.store(
                from: address + property.offset, into: row, column: columns[property.ordinal], onlyIfDifferent: onlyDiffering)
        }
        return row
    }

    /// All link targets are resolved before the first link is written, since resolving one may move the row.
    private func storeLinks(of object: ObjectBase, into row: MutableRow, onlyDiffering: Bool) -> MutableRow {
        let key = row.key
        let targets = schema.properties.compactMap { property -> (ColumnID, Int64?)? in
            guard let link = property.link else { return nil }
            let target = link.unmanagedTarget(in: object.unsafeWrapper(of: property))
            if let target, type(of: target) != link.target {
                violation(.misuse(
                    text: property.refusal(of: target, className: schema.className),
                    remedy: "A link points to objects of exactly the class that its property declares, not of a subclass."))
            }
            return (columns[property.ordinal], target.map { core.linkTargetKey(for: $0) })
        }
        guard let row = row.table.mutableRow(key) else { return row }
        core.noteLayoutChanges()
        for (column, target) in targets {
            let view = row.cluster.columns[column.position]
            let stored = view.isNull(at: row.row) ? nil : view.integer(at: row.row)
            if onlyDiffering, stored == target { continue }
            if let target { row.setInteger(column, target) } else { row.setNull(column) }
        }
        return row
    }
}
