import FreeholdStorage

/// Adds unmanaged objects with everything that they link to.
///
/// An object that links to no unmanaged object takes a short path: find or insert its row, store
/// the values, attach.
///
/// A graph of objects takes two passes, because storing a link needs the row key of its target,
/// and inserting the target's row may move the row being stored. The first pass walks the links
/// with a work list, so long chains need no stack, and finds or inserts a row for each object.
/// An object that has a row but not yet its values is *pending*: `core` and `key` are set,
/// `_isManaged` is not. This state also ends cycles. The second pass stores the values of each
/// object, including links, and attaches it.
///
/// With the policy `.modified`, an object without a primary key, embedded or not, takes over the
/// row at the same place in the existing object. That row is then changed instead of replaced.
/// The first pass hands these rows down.
extension RealmCore {
    /// Makes an object managed in place, with everything that it links to. Does nothing if this
    /// realm already manages it.
    func add(_ object: ObjectBase, update policy: Realm.UpdatePolicy) {
        let writeSet = requireWrite("Realm.add")
        if object._isManaged {
            verifyManagedHere(object)
            return
        }
        let binding = binding(for: type(of: object))
        if binding.schema.isEmbedded {
            violation(
                .embeddedObjectWithoutOwner(
                    className: binding.schema.className, operation: "Realm.add"))
        }
        if policy != .error, binding.schema.primaryKey == nil {
            violation(.noPrimaryKeyToUpdate(className: binding.schema.className))
        }
        insert(object, binding, writeSet, policy)
    }

    /// Finds or inserts the row of an object whose values come later.
    ///
    /// The object is pending, with a row but not managed, until ``addReserved(_:_:_:_:)``.
    func reserveRow(for object: ObjectBase, _ binding: ClassBinding, _ policy: Realm.UpdatePolicy)
        -> ReservedRow
    {
        let table = binding.mutableTable(in: requireWrite("Realm.create"))
        // A policy may come with a class that has no primary key: it then applies to the objects
        // that this one links to.
        let place = place(for: object, binding, table, policy, in: nil)
        object.core = self
        object.key = place.key.rawValue
        noteLayoutChanges()
        return ReservedRow(key: place.key.rawValue, isNew: place.isNew)
    }

    /// Stores an object in its row, or in a new row if storing other objects deleted it.
    func addReserved(
        _ object: ObjectBase, _ binding: ClassBinding, _ reserved: ReservedRow,
        _ policy: Realm.UpdatePolicy
    ) {
        let writeSet = requireWrite("Realm.create")
        object.core = nil
        insert(object, binding, writeSet, policy, in: reserved)
    }

    /// Stores an unmanaged object. Unlike ``add(_:update:)``, accepts a policy for a class
    /// without a primary key: it then applies to the objects that this one links to.
    ///
    /// - Parameter reserved: The row to use. Another one is used if this is nil or the row does
    ///   not exist.
    func insert(
        _ object: ObjectBase, _ binding: ClassBinding, _ writeSet: WriteSet,
        _ policy: Realm.UpdatePolicy, in reserved: ReservedRow? = nil
    ) {
        // Values that are stored as embedded objects are converted and added while their owner
        // is being stored.
        let (isOutermost, outerPolicy) = (!isStoring, storingPolicy)
        (isStoring, storingPolicy) = (true, policy)
        if !hasUnmanagedLinks(object, binding) {
            let table = binding.mutableTable(in: writeSet)
            let place = place(for: object, binding, table, policy, in: reserved)
            if let row = place.inserted ?? table.mutableRow(place.key) {
                store(object, binding, row, isNew: place.isNew, policy)
            }
        } else {
            addGraph(from: object, writeSet, policy, in: reserved)
        }
        storingPolicy = outerPolicy
        noteLayoutChanges()
        guard isOutermost else { return }
        isStoring = false
        // Deleted only after everything is stored: their delete rules may reach the stored
        // objects.
        while let replaced = replacedEmbedded.popLast() {
            deleteOwned(replaced.keys, of: replaced.binding)
        }
    }

    /// Returns the row key of an object that a managed object is about to link to. Adds the
    /// object if it is unmanaged.
    ///
    /// Adding inserts rows, so a `MutableRow` obtained before this call may be stale after it.
    func linkTargetKey(for object: ObjectBase) -> Int64 {
        if let core = object.core, core === self, !object._isManaged { return object.key }
        add(object, update: .error)
        return object.key
    }

    // MARK: Embedded objects

    /// Adds an unmanaged embedded object whose owner is about to link to it. Inserts rows; see
    /// ``linkTargetKey(for:)``.
    ///
    /// - Parameter old: The row of an embedded object to overwrite with this one.
    func addOwned(_ object: ObjectBase, over old: Int64? = nil) -> Int64 {
        let writeSet = requireWrite("Assigning an embedded object")
        let row = old.map { ReservedRow(key: $0, isNew: false) }
        insert(object, binding(for: type(of: object)), writeSet, storingPolicy, in: row)
        return object.key
    }

    /// Does the same as ``addOwned(_:over:)`` for the object that a value was converted to. The
    /// object has a row only if the program returns the same object twice.
    func addConverted(_ object: ObjectBase, over old: Int64? = nil) -> Int64 {
        if object.core != nil { violation(.embeddedObjectHasOwner(object)) }
        return addOwned(object, over: old)
    }

    /// Whether the result of converting a value equals the embedded object in a row, as a value.
    func isStored(_ object: ObjectBase, asRow key: Int64, _ link: any LinkPropertyCodec) -> Bool {
        noteLayoutChanges()
        guard let stored = accessor(key, of: binding(for: link.target)) else { return false }
        return link.isSameValue(stored, object)
    }

    /// Traps unless a managed embedded object is the one that its new owner already has.
    func verifyIsOwned(_ object: ObjectBase, asRow key: Int64?) {
        verifyManagedHere(object)
        if object.key != key, !isDamagedWhenChecked() { violation(.embeddedObjectHasOwner(object)) }
    }

    /// Traps, because a collection accepts no managed embedded object. In a damaged file two
    /// places may own one object; it is then already added through the first.
    func verifyIsOwnedTwice(_ object: ObjectBase, in collection: String) {
        verifyManagedHere(object)
        if !isDamagedWhenChecked() {
            violation(.embeddedObjectHasOwnerElsewhere(object, collection: collection))
        }
    }

    /// Deletes embedded objects that were replaced by others or nil: at once, or, while values
    /// are being stored, when all are stored.
    func releaseOwned(_ keys: [Int64], of binding: ClassBinding) {
        if isStoring {
            replacedEmbedded.append((binding, keys))
        } else {
            deleteOwned(keys, of: binding)
        }
    }

    /// Does the same as ``releaseOwned(_:of:)`` for the object that a property held.
    func releaseOwned(_ key: Int64, by property: PropertyDescriptor) {
        guard let target = property.objectType else { return }
        releaseOwned([key], of: binding(for: target))
    }

    /// Traps unless the object belongs to this realm and is not deleted.
    private func verifyManagedHere(_ object: ObjectBase) {
        guard object.core === self else { violation(.foreignObject(object, self)) }
        if object.generation == generation { return }
        if isDeleted(object) { violation(.addedInvalidatedObject(object)) }
    }

    // MARK: Rows

    /// The row for an object: a new row, or an existing row with its primary key that the policy
    /// allows to change.
    private func place(
        for object: ObjectBase, _ binding: ClassBinding, _ table: MutableTable,
        _ policy: Realm.UpdatePolicy, in reserved: ReservedRow?
    ) -> (key: RowKey, inserted: MutableRow?, isNew: Bool) {
        if let reserved, table.hasRow(RowKey(rawValue: reserved.key)) {
            return (RowKey(rawValue: reserved.key), nil, reserved.isNew)
        }
        let found = place(for: object, binding, table, policy)
        return (found.key, found.inserted, found.inserted != nil)
    }

    private func place(
        for object: ObjectBase, _ binding: ClassBinding, _ table: MutableTable,
        _ policy: Realm.UpdatePolicy
    ) -> (key: RowKey, inserted: MutableRow?) {
        guard binding.schema.primaryKey != nil else {
            let key =
                binding.migratingRowKey(of: object, in: table) ?? binding.unusedRowKey(in: table)
            return (key, table.insertRow(key))
        }
        if binding.schema.isAutoIncremented, let property = binding.schema.primaryKeyProperty,
            object.lacksValue(of: property)
        {
            let key = binding.unusedPrimaryKey(in: table)
            if !binding.usesPrimaryKeyAsRowKey {
                // Row keys are greater than the values, too.
                object.assignMissingKey(key, to: property)
                table.notePrimaryKey(.integer(key.rawValue), of: key)
            }
            return (key, table.insertRow(key))
        }
        switch binding.primaryKeyValue(of: object) {
        case nil:
            preconditionFailure("'\(binding.schema.className)' has a primary key.")
        case .rowKey(let value):
            let key = RowKey(rawValue: value)
            if table.hasRow(key) {
                if policy == .error {
                    violation(
                        .duplicatePrimaryKey(
                            className: binding.schema.className,
                            value: hidesValues ? nil : "\(value)"))
                }
                return (key, nil)
            }
            return (key, table.insertRow(key))
        case .index(let value):
            if let key = existingRow(value, table) {
                if policy == .error {
                    violation(
                        .duplicatePrimaryKey(
                            className: binding.schema.className,
                            value: hidesValues ? nil : primaryKeyText(of: object, binding)))
                }
                return (key, nil)
            }
            let key = binding.unusedRowKey(in: table)
            let row = table.insertRow(key)
            table.notePrimaryKey(value, of: key)
            if binding.schema.isAutoIncremented, let assigned = value.integer {
                table.raiseNextKey(above: assigned)
            }
            return (key, row)
        }
    }

    private func existingRow(_ value: IndexKey, _ table: MutableTable) -> RowKey? {
        do throws(StorageError) {
            return try table.rowKey(forPrimaryKey: value)
        } catch {
            store.noteDamage(error)
            return nil
        }
    }

    private func primaryKeyText(of object: ObjectBase, _ binding: ClassBinding) -> String {
        guard let property = binding.schema.primaryKeyProperty else { return "" }
        return property.codec.value(of: object, wrapper: object.unsafeWrapper(of: property)).map {
            "\($0)"
        } ?? "null"
    }

    private func store(
        _ object: ObjectBase, _ binding: ClassBinding, _ row: MutableRow, isNew: Bool,
        _ policy: Realm.UpdatePolicy
    ) {
        // The row key is the primary key, or the primary key found the existing row: equal
        // either way.
        let skipsPrimaryKey = !isNew || binding.usesPrimaryKeyAsRowKey
        let stored = binding.storeValues(
            of: object, into: row, onlyDiffering: !isNew && policy == .modified,
            skippingPrimaryKey: skipsPrimaryKey)
        noteLayoutChanges()
        binding.attach(object, to: stored)
    }

    // MARK: Graphs

    private func hasUnmanagedLinks(_ object: ObjectBase, _ binding: ClassBinding) -> Bool {
        // Converted values may link to this very object, which must then have its row.
        if binding.schema.convertsObjects { return true }
        let isLinked = binding.schema.links.contains { property in
            guard
                let target = property.link?.unmanagedTarget(in: object.unsafeWrapper(of: property))
            else { return false }
            return !target._isManaged
        }
        if isLinked { return true }
        var isHeld = false
        for property in binding.schema.collections + binding.schema.anyValues {
            property.codec.forEachObject(in: object.unsafeWrapper(of: property)) {
                if !$0._isManaged { isHeld = true }
            }
        }
        return isHeld
    }

    private struct Pending {
        let object: ObjectBase
        let binding: ClassBinding
        let isNew: Bool
    }

    /// An object to add, and the row to store it in.
    private typealias Addition = (object: ObjectBase, row: ReservedRow?)

    private func addGraph(
        from root: ObjectBase, _ writeSet: WriteSet, _ policy: Realm.UpdatePolicy,
        in row: ReservedRow?
    ) {
        var pending: [Pending] = []
        var work: [Addition] = [(root, row)]
        while let (object, row) = work.popLast() {
            if object._isManaged {
                verifyManagedHere(object)
                continue
            }
            if let core = object.core {
                if core !== self { violation(.foreignObject(object, self)) }
                // Visited before, so it has an owner. In a damaged file, two owners may have led
                // to one row.
                if object is EmbeddedObject, !isDamagedWhenChecked() {
                    violation(.embeddedObjectHasOwner(object))
                }
                continue
            }
            let binding = binding(for: type(of: object))
            // Objects without a primary key get a new row, unless they take over a row.
            let own = binding.schema.primaryKey == nil ? .error : policy
            let place = place(
                for: object, binding, binding.mutableTable(in: writeSet), own, in: row)
            object.core = self
            object.key = place.key.rawValue
            pending.append(Pending(object: object, binding: binding, isNew: place.isNew))
            // Reversed because the last entry is taken first: rows are inserted in the order of
            // the properties that link to them.
            let updates = !place.isNew && policy == .modified
            work += linkedObjects(of: object, binding, updates: updates).reversed()
        }
        noteLayoutChanges()
        for item in pending {
            let key = RowKey(rawValue: item.object.key)
            let table = item.binding.mutableTable(in: writeSet)
            guard let row = table.mutableRow(key) ?? insertMissingRow(key.rawValue, in: table)
            else {
                preconditionFailure(
                    """
                    The row \(key) of '\(item.binding.schema.className)' was inserted in \
                    the first pass.
                    """)
            }
            store(item.object, item.binding, row, isNew: item.isNew, policy)
        }
    }

    /// The targets of an unmanaged object's links, in the order of the properties, without those
    /// that values are converted to.
    ///
    /// - Parameter updates: Whether objects without a primary key take over the rows at the same
    ///   places in the object's existing row.
    private func linkedObjects(of object: ObjectBase, _ binding: ClassBinding, updates: Bool)
        -> [Addition]
    {
        if updates { noteLayoutChanges() }
        var linked: [Addition] = []
        func add(_ target: ObjectBase, over old: Int64?) {
            linked.append((target, old.map { ReservedRow(key: $0, isNew: false) }))
        }
        for property in binding.schema.properties where !property.isConverted {
            let wrapper = object.unsafeWrapper(of: property)
            if let target = property.link?.unmanagedTarget(in: wrapper) {
                add(
                    target,
                    over: updates && changesInPlace(property)
                        ? ownedKey(object.key, binding, property) : nil)
            }
            guard property.shape != nil || property.type == .any else { continue }
            let old =
                updates && changesInPlace(property)
                ? ownedCollection(object.key, binding, property).map {
                    property.codec.ownedKeys(in: wrapper, of: $0)
                } ?? [] : []
            var rows = old.makeIterator()
            property.codec.forEachObject(in: wrapper) { add($0, over: rows.next() ?? nil) }
        }
        return linked
    }
}

/// The row for an object: one inserted for it, or one that it takes over.
struct ReservedRow {
    let key: Int64
    let isNew: Bool
}
