import FreeholdStorage

/// The place where a realm stores an ``AnyRealmValue``. Collections nested in the value are found
/// from here.
enum MixedPlace {
    /// A property of a row. The realm owns the class binding.
    case property(RealmCore, Unmanaged<ClassBinding>, ColumnID, key: Int64)
    /// An element of a stored collection, found by the identity of the nested collection that it
    /// is.
    case element(ManagedCollection)

    var core: RealmCore {
        switch self {
        case .property(let core, _, _, _): core
        case .element(let managed): managed.core
        }
    }

    /// The same place in a draft that has given some rows other keys since a generation. A
    /// place in a stored collection needs no new key: the collection follows its object.
    func following(since generation: UInt64) -> MixedPlace {
        guard case .property(let core, let binding, let column, let key) = self else {
            return self
        }
        let table = binding._withUnsafeGuaranteedRef(\.table)
        let moved = core.key(key, since: generation, in: table)
        return moved == key ? self : .property(core, binding, column, key: moved)
    }

    var binding: ClassBinding {
        switch self {
        case .property(_, let binding, _, _): binding.takeUnretainedValue()
        case .element(let managed): managed.binding
        }
    }

    /// "'Person.value'" or "List 'Person.values'", for messages.
    var title: String {
        switch self {
        case .property(_, let binding, let column, _):
            let binding = binding.takeUnretainedValue()
            let ordinal = binding.columns.firstIndex(of: column)
            let property = ordinal.map { binding.schema.properties[$0].name } ?? "?"
            return "'\(binding.schema.className).\(property)'"
        case .element(let managed): return managed.title
        }
    }

    // MARK: Reading

    /// Returns the outermost collection with this identity; nil if it is gone. Damage is
    /// recorded, and gives nil.
    ///
    /// For elements: O(1) if the collection is still at the position of the hint, else
    /// O(elements). Corrects the hint.
    func read(_ identity: UInt64, hint: inout Int) -> MixedValue? {
        switch self {
        case .property(let core, let binding, let column, let key):
            let binding = binding.takeUnretainedValue()
            guard let place = core.locate(key, of: binding),
                !place.cluster.columns[column.position].isNull(at: place.row)
            else { return nil }
            return core.table(of: binding).withBytes(place.cluster, column, place.row) {
                decode($0, identity)
            }
        case .element(let managed):
            if managed.isInvalidated { return nil }
            let elements = managed.current("reading")
            guard let index = find(identity, in: elements, hint) else { return nil }
            hint = index
            let leaf = elements.leaf(at: index)
            return withExtendedLifetime(managed) {
                decode(leaf.values.heapBytes(at: index - leaf.start), identity)
            }
        }
    }

    private func decode(_ bytes: UnsafeRawBufferPointer, _ identity: UInt64) -> MixedValue? {
        guard MixedValue.identity(in: bytes) == identity else { return nil }
        guard let value = MixedValue(decoding: bytes) else {
            core.noteDamagedMixedValue()
            return nil
        }
        return value
    }

    private func find(_ identity: UInt64, in elements: StoredCollection, _ hint: Int) -> Int? {
        func has(_ leaf: CollectionLeaf, _ index: Int) -> Bool {
            !leaf.values.isNull(at: index - leaf.start)
                && MixedValue.identity(in: leaf.values.heapBytes(at: index - leaf.start))
                    == identity
        }
        if hint < elements.count, has(elements.leaf(at: hint), hint) { return hint }
        var found: Int?
        elements.forEachLeaf { leaf in
            found = (leaf.start..<leaf.end).first { has(leaf, $0) }
            return found == nil
        }
        return found
    }

    // MARK: Writing

    /// Replaces the outermost collection by its changed value. The caller has just read the old
    /// value, which set the hint; the realm is in a write transaction.
    func write(_ value: MixedValue, hint: Int) {
        switch self {
        case .property(let core, let binding, let column, let key):
            guard let writeSet = core.writeSet,
                let row = binding.takeUnretainedValue().mutableTable(in: writeSet).mutableRow(
                    RowKey(rawValue: key))
            else { preconditionFailure("The value was read in the transaction.") }
            core.noteLayoutChanges()
            withEncoded(value) { row.setMixed(column, $0) }
        case .element(let managed):
            let tree = managed.changeable("changing")
            withEncoded(value) { tree.set(mixed: $0, at: hint) }
        }
    }

    // MARK: Identity

    /// Returns the place in the version that its realm reads; in a write transaction, in the
    /// version before it.
    func frozen() -> MixedPlace {
        switch self {
        case .property(let core, let binding, let column, let key):
            let frozen = core.frozenCore()
            return .property(
                frozen,
                .passUnretained(frozen.binding(for: binding.takeUnretainedValue().reference)),
                column, key: key)
        case .element(let managed): return .element(managed.frozen())
        }
    }

    /// The name of the place, valid in all realms of its file.
    enum Name: Sendable {
        case property(ClassReference, ColumnID, key: Int64)
        case element(Portable)
    }

    var name: Name {
        switch self {
        case .property(_, let binding, let column, let key):
            .property(binding.takeUnretainedValue().reference, column, key: key)
        case .element(let managed): .element(managed.portable)
        }
    }

    /// Resolves a name in a realm; nil if its object does not exist there. The caller has checked
    /// that realm's confinement.
    init?(_ name: Name, in core: RealmCore) {
        switch name {
        case .property(let reference, let column, let key):
            let binding = core.binding(for: reference)
            guard core.locate(key, of: binding) != nil else { return nil }
            self = .property(core, .passUnretained(binding), column, key: key)
        case .element(let portable):
            guard let managed = ManagedCollection(portable, in: core) else { return nil }
            self = .element(managed)
        }
    }
}
