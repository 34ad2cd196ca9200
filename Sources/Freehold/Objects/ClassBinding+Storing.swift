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
        let row = schema.links.isEmpty ? row : storeLinks(of: object, into: row, onlyDiffering: onlyDiffering)
        accessors.store(object, in: row, onlyIfDifferent: onlyDiffering, skippingPrimaryKey: skippingPrimaryKey)
        return schema.collections.isEmpty ? row : storeCollections(of: object, into: row, onlyDiffering: onlyDiffering)
    }

    /// The object's collections become those of the row. Adding their objects may move it.
    private func storeCollections(of object: ObjectBase, into row: MutableRow, onlyDiffering: Bool) -> MutableRow {
        let (table, key) = (row.table, row.key)
        core.noteLayoutChanges()
        for property in schema.collections {
            let column = columns[property.ordinal]
            guard let descriptor = elementDescriptors[column.position], let shape = property.shape else { continue }
            let managed = ManagedElements(core: core, binding: self, column: column, key: key.rawValue, descriptor, shape)
            property.codec.manage(object.unsafeWrapper(of: property), managed, onlyIfDifferent: onlyDiffering)
        }
        guard let moved = table.mutableRow(key) else {
            preconditionFailure("Adding objects of a collection does not delete the row \(key) of '\(schema.className)'.")
        }
        core.noteLayoutChanges()
        return moved
    }

    /// Targets are resolved before their link is written, since that may move the row; then the row is asked for again.
    private func storeLinks(of object: ObjectBase, into row: MutableRow, onlyDiffering: Bool) -> MutableRow {
        let (table, key) = (row.table, row.key)
        var row = row
        for property in schema.links {
            let column = columns[property.ordinal]
            let view = row.cluster.columns[column.position]
            let old = view.isNull(at: row.row) ? nil : view.integer(at: row.row)
            guard let target = property.link?.unmanagedTarget(in: object.unsafeWrapper(of: property)) else {
                if !(onlyDiffering && old == nil) { row.setNull(column) }
                if let old, property.isOwning { core.releaseOwned(old, by: property) }
                continue
            }
            if type(of: target) != property.link?.target {
                violation(.misuse(
                    text: property.refusal(of: target, className: schema.className),
                    remedy: "A link points to objects of exactly the class that its property declares, not of a subclass."))
            }
            if property.isOwning, target._isManaged {
                core.verifyIsOwned(target, asRow: old)
                continue
            }
            let targetKey = core.linkTargetKey(for: target)
            guard let moved = table.mutableRow(key) else {
                preconditionFailure("Adding a link's target does not delete the row \(key) of '\(schema.className)'.")
            }
            core.noteLayoutChanges()
            row = moved
            if onlyDiffering, old == targetKey { continue }
            row.setInteger(column, targetKey)
            if let old, property.isOwning { core.releaseOwned(old, by: property) }
        }
        return row
    }
}
