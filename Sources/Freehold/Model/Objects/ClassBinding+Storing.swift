import FreeholdStorage

extension ClassBinding {
    /// Writes the values of an unmanaged object into a row of this class.
    ///
    /// Linked objects are resolved by ``RealmCore/linkTargetKey(for:)``, which adds unmanaged
    /// ones. Adding may move the row.
    ///
    /// - Parameters:
    ///   - onlyDiffering: Whether to leave values unchanged that the row already has.
    ///   - skippingPrimaryKey: Whether the row already has its primary key.
    /// - Returns: The row at its current position.
    @discardableResult
    func storeValues(
        of object: ObjectBase, into row: MutableRow, onlyDiffering: Bool, skippingPrimaryKey: Bool
    ) -> MutableRow {
        var row =
            schema.links.isEmpty
            ? row : storeLinks(of: object, into: row, onlyDiffering: onlyDiffering)
        accessors.store(
            object, in: row, onlyIfDifferent: onlyDiffering, skippingPrimaryKey: skippingPrimaryKey)
        row =
            schema.anyValues.isEmpty
            ? row : storeAnyValues(of: object, into: row, onlyDiffering: onlyDiffering)
        return schema.collections.isEmpty
            ? row : storeCollections(of: object, into: row, onlyDiffering: onlyDiffering)
    }

    /// Makes the object's collections those of the row. Adding their objects may move it.
    private func storeCollections(of object: ObjectBase, into row: MutableRow, onlyDiffering: Bool)
        -> MutableRow
    {
        let (table, key) = (row.table, row.key)
        core.noteLayoutChanges()
        for property in schema.collections {
            let column = columns[property.ordinal]
            guard let descriptor = elementDescriptors[column.position], let shape = property.shape
            else { continue }
            let managed = ManagedCollection(
                core: core, binding: self, column: column, key: key.rawValue, descriptor, shape)
            property.codec.manage(
                object.unsafeWrapper(of: property), managed, onlyIfDifferent: onlyDiffering)
        }
        guard let moved = table.mutableRow(key) ?? core.insertMissingRow(key.rawValue, in: table)
        else {
            preconditionFailure(
                """
                Adding objects of a collection does not delete the row \(key) of \
                '\(schema.className)'.
                """)
        }
        core.noteLayoutChanges()
        return moved
    }

    /// Objects in the values are added before the values are written, because that may move the
    /// row.
    private func storeAnyValues(of object: ObjectBase, into row: MutableRow, onlyDiffering: Bool)
        -> MutableRow
    {
        var row = row
        for property in schema.anyValues {
            let value = Persisted<AnyRealmValue>.unsafeUnmanagedValue(
                at: object.unsafeWrapper(of: property))
            row = store(value, in: row, columns[property.ordinal], onlyIfDifferent: onlyDiffering)
        }
        return row
    }

    /// Writes an ``AnyRealmValue`` into a row of this class. Adds unmanaged objects in it to
    /// the realm, which may move the row.
    ///
    /// - Returns: The row at its current position.
    @discardableResult
    func store(
        _ value: AnyRealmValue, in row: MutableRow, _ column: ColumnID, onlyIfDifferent: Bool
    ) -> MutableRow {
        let (table, key) = (row.table, row.key)
        core.noteLayoutChanges()
        func bytes<Result>(_ row: MutableRow, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result
        {
            if row.cluster.columns[column.position].isNull(at: row.row) { return body(nil) }
            return table.withBytes(row.cluster, column, row.row) { body($0) }
        }
        // Assigning a collection to its own place changes nothing.
        if value.isNested(bytes(row) { $0.flatMap { MixedValue.identity(in: $0) } }, in: core) {
            return row
        }
        let stored = core.stored(value)
        guard let moved = table.mutableRow(key) ?? core.insertMissingRow(key.rawValue, in: table)
        else {
            preconditionFailure(
                "Adding objects of a value does not delete the row \(key) of '\(schema.className)'."
            )
        }
        core.noteLayoutChanges()
        let isSame =
            (onlyIfDifferent || stored == nil)
            && bytes(moved) { MixedValue.isSame($0.flatMap { MixedValue(decoding: $0) }, stored) }
        if !isSame { withEncoded(stored) { moved.setMixed(column, $0) } }
        return moved
    }

    /// Targets are resolved before their link is written, because that may move the row; the row
    /// is then looked up again.
    private func storeLinks(of object: ObjectBase, into row: MutableRow, onlyDiffering: Bool)
        -> MutableRow
    {
        let (table, key) = (row.table, row.key)
        var row = row
        for property in schema.links {
            let column = columns[property.ordinal]
            let view = row.cluster.columns[column.position]
            let old = view.isNull(at: row.row) ? nil : view.integer(at: row.row)
            guard let link = property.link,
                let target = link.unmanagedTarget(in: object.unsafeWrapper(of: property))
            else {
                if !(onlyDiffering && old == nil) { row.setNull(column) }
                if let old, property.isOwning { core.releaseOwned(old, by: property) }
                continue
            }
            if type(of: target) != link.target {
                misuse(
                    property.refusal(of: target, className: schema.className),
                    remedy: """
                        A link points to objects of exactly the class that its \
                        property declares, not of a subclass.
                        """)
            }
            if property.isOwning, target._isManaged {
                core.verifyIsOwned(target, asRow: old)
                continue
            }
            if property.isConverted, onlyDiffering, let old, core.isStored(target, asRow: old, link)
            {
                continue
            }
            let targetKey =
                property.isConverted
                ? core.addConverted(target, over: onlyDiffering ? old : nil)
                : core.linkTargetKey(for: target)
            guard
                let moved = table.mutableRow(key) ?? core.insertMissingRow(key.rawValue, in: table)
            else {
                preconditionFailure(
                    """
                    Adding a link's target does not delete the row \(key) of \
                    '\(schema.className)'.
                    """)
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
