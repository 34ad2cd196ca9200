import FreeholdStorage

extension ConflictReport {
    /// Translates a decision. Nil if it leaves the conflict: what others have removed from the
    /// schema cannot be kept.
    ///
    /// - Throws: `invalidInput` for a value that does not fit.
    func resolution(_ resolution: DraftConflict.Resolution, of conflict: Conflict)
        throws(Realm.Error) -> Resolution?
    {
        switch resolution {
        case .mine: return conflict.kind == .missing ? nil : .mine
        case .theirs: return .theirs
        case .value(let value):
            guard let id = conflict.column, let column = definition(conflict.table)?[id],
                conflict.kind == .value || conflict.kind == .list
            else { throw wholeObject(conflict) }
            guard let stored = stored(value, column, conflict), isStorable(value, conflict) else {
                throw misfit(value, column, conflict)
            }
            return .value(stored)
        }
    }

    private func stored(_ value: DraftValue, _ column: ColumnDefinition, _ conflict: Conflict)
        -> StoredValue?
    {
        let type = column.collection?.type ?? column.type
        let isNullable = column.collection?.isNullable ?? column.isNullable
        if conflict.kind == .list {
            guard case .list(let values) = value else { return nil }
            if column.collection == nil || !conflict.path.isEmpty {
                return mixed(value, depth: 0).map { .mixed($0) }
            }
            var elements = ContiguousArray<StoredValue>()
            for value in values {
                guard let element = element(value, type, isNullable, column.target, conflict) else {
                    return nil
                }
                elements.append(element)
            }
            return owns(elements, column.target) ? .list(elements) : nil
        }
        return element(value, type, isNullable, column.target, conflict)
    }

    private func element(
        _ value: DraftValue, _ type: ColumnType, _ isNullable: Bool, _ target: TableID?,
        _ conflict: Conflict
    ) -> StoredValue? {
        if case .none = value { return isNullable || type == .mixed ? .null : nil }
        switch type {
        case .mixed: return mixed(value, depth: 0).map { .mixed($0) }
        case .link:
            guard case .object(let object) = value, let target,
                let row = row(object, of: target)
            else { return nil }
            let link = StoredValue.plain(.link(RowKey(rawValue: row)))
            let isOwned = definition(target)?.isOwned ?? false
            return !isOwned || conflict.sides.contains(link) ? link : nil
        default: return value.storedScalar(type)
        }
    }

    /// Whether no embedded object is there twice.
    private func owns(_ elements: ContiguousArray<StoredValue>, _ target: TableID?) -> Bool {
        guard let target, definition(target)?.isOwned ?? false else { return true }
        return Set(elements).count == elements.count
    }

    private func mixed(_ value: DraftValue, depth: Int) -> MixedValue? {
        switch value {
        case .list, .map: if depth >= MixedValue.greatestDepth { return nil }
        default: break
        }
        func inner(_ value: DraftValue) -> MixedValue?? {
            if case .none = value { return .some(nil) }
            return mixed(value, depth: depth + 1).map { .some($0) }
        }
        switch value {
        case .object(let object):
            guard let table = core.schema[object.className]?.table,
                definition(table)?.isOwned == false, let row = row(object, of: table)
            else { return nil }
            return .link(LinkTarget(table: table, key: row))
        case .list(let values):
            var elements = ContiguousArray<MixedValue?>()
            for value in values {
                guard let element = inner(value) else { return nil }
                elements.append(element)
            }
            return .list(elements, identity: MixedValue.newIdentity())
        case .map(let values):
            var entries = ContiguousArray<(key: ContiguousArray<UInt8>, value: MixedValue?)>()
            for (key, value) in values {
                guard let entry = inner(value) else { return nil }
                entries.append((ContiguousArray(key.utf8), entry))
            }
            entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
            return .map(entries, identity: MixedValue.newIdentity())
        default: return value.mixedScalar
        }
    }

    /// Whether the declared property can have the value: an `Int8` has fewer than its column.
    private func isStorable(_ value: DraftValue, _ conflict: Conflict) -> Bool {
        guard let column = conflict.column, let descriptor = descriptor(conflict.table, column),
            let type = core.schema[conflict.table]?.schema.type, var assigned = value.plain
        else { return true }
        switch (descriptor.shape, conflict.path.first, conflict.path.count) {
        case (_, nil, _): break
        case (.map?, .key(let key)?, 1):
            assigned = [String(decoding: key, as: UTF8.self): assigned]
        default: return true
        }
        do throws(InvalidValueError) {
            try type.init().assign(assigned, to: descriptor)
            return true
        } catch {
            return false
        }
    }

    // MARK: Errors

    private func place(_ conflict: Conflict) -> String {
        let object = conflict.row.map { row in
            let name = name(LinkTarget(table: conflict.table, key: row))
            return core.hidesValues ? "\(name.className) #\(name.row)" : "\(name)"
        }
        let property = core.hidesValues ? conflict.pathless : conflict
        return [object ?? className(conflict.table), propertyAndPath(property)]
            .compactMap { $0 }.joined(separator: ".")
    }

    private func wholeObject(_ conflict: Conflict) -> Realm.Error {
        Realm.Error(
            .invalidInput,
            """
            The conflict about \(place(conflict)) is about the whole object, and cannot be settled \
            by a value. Settle it with .mine or .theirs.
            """)
    }

    private func misfit(_ value: DraftValue, _ column: ColumnDefinition, _ conflict: Conflict)
        -> Realm.Error
    {
        let target = column.target.flatMap { definition($0)?.name }
        let type =
            column.collection?.typeName(target: target) ?? column.type.typeName(target: target)
        let shown = core.hidesValues ? "A value" : "The value \(value.shortDescription)"
        return Realm.Error(
            .invalidInput,
            """
            \(shown) cannot settle the conflict about \(place(conflict)): the property has the \
            type '\(type + (column.isNullable && column.type != .mixed ? "?" : ""))'. Pass a value \
            of the type, .mine or .theirs.
            """)
    }
}

extension Conflict {
    /// The links of all sides' values.
    fileprivate var sides: Set<StoredValue> {
        var links: Set<StoredValue> = []
        for value in [base, mine, theirs] {
            switch value {
            case .list(let elements)?: links.formUnion(elements)
            case let value?: links.insert(value)
            case nil: break
            }
        }
        return links
    }

    fileprivate var pathless: Conflict {
        var conflict = self
        conflict.path = []
        return conflict
    }
}
