import FreeholdStorage

extension Realm {
    /// Returns the same object or collection in this realm: from a draft of it, from another
    /// realm of the file on this thread, queue or actor, or of a frozen one.
    ///
    /// ```swift
    /// let edited = draft.resolve(person)!
    /// let live = realm.resolve(edited)     // person
    /// ```
    ///
    /// O(log objects), plus the cost of a necessary ``refresh()``.
    ///
    /// - Parameter value: An object, collection, section or projection that a realm manages.
    /// - Returns: Nil if it does not exist here: it was deleted, its draft has added it and was
    ///   not saved, or it belongs to another file.
    /// - Precondition: The class is part of this realm's schema, and both realms are used on
    ///   their threads, queues or actors.
    public func resolve<Confined: ThreadConfined>(_ value: Confined) -> Confined? {
        core.checkConfinement("Realm.resolve(_:)")
        return core.resolve(value)
    }
}

extension Draft {
    /// Returns the same object or collection in the draft; see ``Realm/resolve(_:)-(Confined)``.
    ///
    /// - Parameter value: An object or collection of the realm, of a frozen one, or of another
    ///   draft.
    /// - Returns: Nil if it does not exist in the draft.
    public func resolve<Confined: ThreadConfined>(_ value: Confined) -> Confined? {
        core.checkConfinement("Draft.resolve(_:)")
        return core.resolve(value)
    }

    /// Returns the object or collection in the draft that a reference is to; see
    /// ``Realm/resolve(_:)-(ThreadSafeReference<Confined>)``.
    ///
    /// - Parameter reference: A reference that was not resolved yet.
    /// - Returns: Nil if it does not exist in the draft.
    public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>)
        -> Confined?
    { realm.resolve(reference) }
}

extension RealmCore {
    fileprivate func resolve<Confined: ThreadConfined>(_ value: Confined) -> Confined? {
        if draft?.isOver == true { refuseEndedDraft() }
        let referable = referable(value)
        guard let source = referable.referableCore else {
            misuse(
                "Only managed objects and collections can be resolved.",
                remedy: "The value belongs to no realm: add it to this one.")
        }
        if source === self { return value }
        source.checkConfinement("Realm.resolve(_:) of \(Confined.self)")
        if source.coordinator !== coordinator || referable.isInvalidated { return nil }
        var portable = referable.portable
        // A frozen state of this draft has the row keys of its moment.
        if let moves = source.frozenOrigin.flatMap({ draft?.moves(since: $0) }), !moves.isEmpty {
            portable = portable.following(moves, in: self)
        }
        if let row = portable.row, !isCommon(row, with: source) { return nil }
        if draft == nil, !source.isFrozen { catchUp(with: source.currentSnapshot.version) }
        guard let type = Confined.self as? any Referable.Type else { return nil }
        return type.counterpart(of: portable, in: self) as? Confined
    }

    /// Whether a row of another realm of the file is the same object here: not if a draft has
    /// added it, as others may have used its key. The drafts of one line know each other's rows.
    private func isCommon(_ row: (reference: ClassReference, key: Int64), with source: RealmCore)
        -> Bool
    {
        let row = (table: source.binding(for: row.reference).table, key: row.key)
        if let moment = source.frozenOrigin, draft?.moves(since: moment) != nil { return true }
        if isNested(in: source) { return has(row, in: draftBase) }
        if source.isNested(in: self) { return has(row, in: source.draftBase) }
        return [self, source].allSatisfy { core in
            if core.draft == nil, core.frozenEdits == nil { return true }
            return has(row, in: core.currentSnapshot)
        }
    }

    /// Traps if a draft has added the row of a name, which other realms then cannot find.
    func checkSaved(_ name: Portable) {
        guard let row = name.row, let edits = writeSet else { return }
        let table = binding(for: row.reference).table
        if has((table, row.key), in: edits.base) { return }
        misuse(
            "Cannot construct reference to an object that its draft has not saved",
            remedy: "Save the draft first: the object has no place in the file before.")
    }

    private func has(_ row: (table: TableID, key: Int64), in source: TableSource) -> Bool {
        source.currentCatalog[row.table] != nil
            && source.table(row.table).locate(RowKey(rawValue: row.key)) != nil
    }

    /// Whether this is a draft of another one, at any depth, and rows have the same keys in both.
    private func isNested(in other: RealmCore) -> Bool {
        guard let draft, let parent = draft.parent,
            parent.draft?.moves.count == draft.parentMoveCount
        else { return false }
        return parent === other || parent.isNested(in: other)
    }
}

extension Portable {
    /// The row that the name is about; nil for a query of a class.
    fileprivate var row: (reference: ClassReference, key: Int64)? {
        switch self {
        case .object(let reference, let key): (reference, key)
        case .elements(let reference, let key, _, _): (reference, key)
        case .linkingObjects(let reference, let key, _): (reference, key)
        case .nested(.property(let reference, _, let key), _, _): (reference, key)
        case .nested(.element(let portable), _, _): portable.row
        case .query: nil
        case .sections(let portable, _): portable.row
        case .section(let portable, _): portable.row
        }
    }
}
