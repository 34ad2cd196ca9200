import FreeholdStorage

/// The place of a managed collection (a row and column of a realm), and the elements there.
///
/// The elements are found again after each change of the realm. The generation counts versions
/// and layout changes; inside of a write transaction, the change counter counts the writes.
/// Between two changes, further elements of the leaf read last need no look-up.
///
/// Thread rule: confined like the realm. In a frozen realm, `init` finds everything and nothing
/// is written afterwards, so any number of threads may read it.
@usableFromInline
final class ManagedCollection {
    let core: RealmCore
    private let gate: UnsafeMutablePointer<ConfinementGate>
    /// The class of the object that has the collection. Owned by `core`.
    private let unownedBinding: Unmanaged<ClassBinding>
    let column: ColumnID
    /// The row of the object that has the collection. In a draft, it may get another key.
    var key: Int64 {
        if let draft = core.draft, !draft.moves.isEmpty {
            core.follow(&locatedKey, since: &keyGeneration, in: binding.table)
        }
        return locatedKey
    }
    @exclusivity(unchecked) private var locatedKey: Int64
    /// The realm's generation in which the row had `locatedKey`.
    @exclusivity(unchecked) private var keyGeneration: UInt64
    let descriptor: AnyElementDescriptor
    let shape: CollectionKind
    /// The realm's generation when the collection was made. If its epoch is in the past, the
    /// realm was invalidated.
    private let birth: UInt64

    @exclusivity(unchecked) private var generation: UInt64 = 0
    @exclusivity(unchecked) private var changes: UInt64 = 0
    /// With `leaf`, points into the table, which the realm owns until the generation moves. Not
    /// owned here: an unused collection would keep its version in the file.
    @exclusivity(unchecked) private var stored: StoredCollection?
    /// Whether the object had a row when `stored` was found.
    @exclusivity(unchecked) private var hasRow = false
    /// The leaf that was read last; valid with `stored`.
    @exclusivity(unchecked) private var leaf: CollectionLeaf?
    /// The elements that the open transaction changes; valid for `treeGeneration`.
    @exclusivity(unchecked) private var tree: MutableStoredCollection?
    /// `tree`, for accesses that skip reference counting.
    @exclusivity(unchecked) private var unsafeTree: Unmanaged<MutableStoredCollection>?
    @exclusivity(unchecked) private var treeGeneration: UInt64 = 0

    init(
        core: RealmCore, binding: ClassBinding, column: ColumnID, key: Int64,
        _ descriptor: AnyElementDescriptor, _ shape: CollectionKind
    ) {
        self.core = core
        gate = core.gate
        unownedBinding = .passUnretained(binding)
        self.column = column
        locatedKey = key
        self.descriptor = descriptor
        self.shape = shape
        birth = core.generation
        keyGeneration = birth
        if core.isFrozen { locate() }
    }

    var kind: StoredCollectionKind { descriptor.kind }
    var binding: ClassBinding { unownedBinding.takeUnretainedValue() }

    /// The collection's name for messages: "List 'Person.dogs'".
    var title: String {
        let ordinal = binding.columns.firstIndex(of: column)
        let property = ordinal.map { binding.schema.properties[$0].name } ?? "?"
        return "\(shape.className) '\(binding.schema.className).\(property)'"
    }

    // MARK: Reading

    @inline(__always)
    func checkConfinement(_ operation: @autoclosure () -> String) {
        let gate = core.gate
        if !gate.pointee.admitsCaller && !gate.pointee.admitsActor {
            core.checkConfinementSlowly(
                .operation("\(operation()) of \(title)", className: binding.schema.className))
        }
    }

    private var currentChanges: UInt64 {
        core.gate.pointee.changes?._withUnsafeGuaranteedRef { $0.values } ?? 0
    }

    /// Returns the current elements. O(1) while nothing changed, else one look-up.
    ///
    /// Traps off the realm's thread, queue or actor, if the object was deleted, and if the
    /// realm was invalidated.
    @inline(__always)
    func current(_ operation: @autoclosure () -> String) -> StoredCollection {
        checkConfinement(operation())
        if let stored,
            core.isFrozen || (generation == core.generation && changes == currentChanges)
        {
            return stored
        }
        locate()
        guard let stored else { refuseInvalid() }
        return stored
    }

    /// Whether the object that has the collection exists. O(1) while nothing changed. The caller
    /// has checked confinement.
    var isThere: Bool {
        if core.isFrozen
            || (generation == core.generation && changes == currentChanges && stored != nil)
        {
            return stored != nil
        }
        locate()
        return stored != nil
    }

    @inline(never)
    private func locate() {
        stored = nil
        leaf = nil
        if core.isInvalidated(since: birth) { return }
        let place = core.locate(key, of: binding)
        hasRow = place != nil
        if place == nil, !core.store.isDamaged { return }
        let table = core.table(of: binding)
        stored =
            place.map { table.collection(of: column, kind, $0.cluster, row: $0.row) }
            ?? table.emptyCollection(of: column, kind, row: key)
        generation = core.generation
        changes = currentChanges
    }

    /// Returns the leaf that has an element. O(1) for the leaf read last, else O(log n).
    @inline(__always)
    func leaf(at index: Int, _ operation: @autoclosure () -> String) -> CollectionLeaf {
        let stored = current(operation())
        if core.isFrozen { return stored.leaf(at: index) }
        if let leaf, leaf.start <= index, index < leaf.end { return leaf }
        let found = stored.leaf(at: index)
        leaf = found
        return found
    }

    /// Returns the row keys of elements that are objects. O(count). Null in a list or set is
    /// damage; its key is that of no row.
    func keys(_ operation: @autoclosure () -> String) -> ContiguousArray<Int64> {
        let stored = current(operation())
        var keys = ContiguousArray<Int64>()
        keys.reserveCapacity(stored.count)
        stored.forEachLeaf { leaf in
            if leaf.values.encoding == .absent, shape != .map {
                keys.append(contentsOf: repeatElement(.min, count: leaf.count))
                return true
            }
            for row in 0..<leaf.count {
                if !leaf.values.isNull(at: row) {
                    keys.append(leaf.values.integer(at: row))
                } else if shape != .map {
                    keys.append(.min)
                }
            }
            return true
        }
        return keys
    }

    /// The owners of the memory that the elements point into. The caller keeps them for as long
    /// as it reads the elements.
    var memory: (table: TableView, source: TableSource) { (core.table(of: binding), core.source) }

    /// Whether the object was deleted or its realm invalidated.
    var isInvalidated: Bool {
        checkConfinement("isInvalidated")
        if core.isFrozen { return !hasRow }
        return core.isInvalidated(since: birth) || core.locate(key, of: binding) == nil
    }

    private func refuseInvalid() -> Never {
        shape.refuseInvalid(
            remedy: """
                Using \(title): test isInvalidated first, and do not keep collections beyond \
                the deletion of their object.
                """)
    }

    // MARK: Writing

    /// Returns the collection for a change. Traps as ``current(_:)``, and outside of a write
    /// transaction.
    func changeable(_ operation: @autoclosure () -> String) -> MutableStoredCollection {
        checkConfinement(operation())
        guard let writeSet = core.writeSet else { refuseChange(operation()) }
        if let tree, treeGeneration == core.generation, !tree.isFrozen { return tree }
        guard !core.isInvalidated(since: birth),
            let found = findTree(in: binding.mutableTable(in: writeSet))
        else { refuseInvalid() }
        tree = found
        unsafeTree = .passUnretained(found)
        treeGeneration = core.generation
        if core.draft != nil { core.noteEdit() }
        return found
    }

    private func findTree(in table: MutableTable) -> MutableStoredCollection? {
        if let found = table.mutableCollection(of: column, key: RowKey(rawValue: key)) {
            return found
        }
        guard core.insertMissingRow(key, in: table) != nil else { return nil }
        core.noteLayoutChanges()
        return table.mutableCollection(of: column, key: RowKey(rawValue: key))
    }

    /// Inserts an element of 8 bytes at or near the place of the last insertion; at the end if
    /// there is no index. Returns false if anything must be looked up or refused first; the
    /// caller then takes the general path.
    @usableFromInline
    func insertQuickly(word: UInt64, at index: Int?) -> Bool {
        // A tree belongs to one transaction, whose end moves the generation.
        guard gate.pointee.admitsCaller, treeGeneration == gate.pointee.generation, let unsafeTree
        else { return false }
        return unsafeTree._withUnsafeGuaranteedRef { tree in
            tree.insertAtFinger(word: word, at: index ?? tree.count)
        }
    }

    /// Called when the collection of a new object was stored. A small collection moves into the
    /// row, so that a transaction of many objects does not keep a tree for each.
    func settle() {
        guard let writeSet = core.writeSet else { return }
        tree = nil
        unsafeTree = nil
        binding.mutableTable(in: writeSet).settleSmallElements(
            of: column, key: RowKey(rawValue: key))
        core.noteLayoutChanges()
    }

    private func refuseChange(_ operation: String) -> Never {
        if core.isFrozen { shape.refuseFrozen(operation, title) }
        if core.isReadOnly { violation(.transactionOnReadOnlyRealm(core)) }
        if core.isInvalidated(since: birth) || core.locate(key, of: binding) == nil {
            refuseInvalid()
        }
        shape.refuseOutsideTransaction(operation, title)
    }

    // MARK: Identity

    /// Whether both are the same collection of the same version.
    func isSame(as other: ManagedCollection) -> Bool {
        core === other.core && key == other.key && column == other.column
            && binding === other.binding
    }

    /// ``isSame(as:)`` for collections that may be unmanaged. A managed collection never is the
    /// same as an unmanaged one.
    static func areSame(_ a: ManagedCollection?, _ b: ManagedCollection?) -> Bool {
        guard let a, let b else { return false }
        return a.isSame(as: b)
    }

    /// Consistent with ``isSame(as:)``.
    func hashPlace(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(column)
    }

    /// Returns the collection in another realm of the same file; nil if its object does not exist
    /// there.
    ///
    /// - Parameter evenIfMissing: Whether to return an empty collection instead, for an object
    ///   that damage may have hidden.
    func counterpart(in other: RealmCore, evenIfMissing: Bool = false) -> ManagedCollection? {
        let otherBinding = other.binding(for: binding.reference)
        guard evenIfMissing || other.locate(key, of: otherBinding) != nil else { return nil }
        return ManagedCollection(
            core: other, binding: otherBinding, column: column, key: key, descriptor, shape)
    }
}

extension ObjectBase {
    /// Returns the collection object of a managed object in a column: the same one each time. For
    /// a frozen object, which several threads may read, a new one each time.
    ///
    /// Traps off the realm's thread, queue or actor, and if the object was deleted.
    final func collection<Collection: PersistedCollection>(_ column: Int) -> Collection {
        let binding = binding.unsafelyUnwrapped.takeUnretainedValue()
        let offset =
            column < binding.collectionOffsets.count && !binding.core.isFrozen
            ? binding.collectionOffsets[column] : 0
        if offset == 0 { return Collection(managedCollection(column, Collection.kind)) }
        let wrapper = (Unmanaged.passUnretained(self).toOpaque() + offset).assumingMemoryBound(
            to: Persisted<Collection>.self)
        if let kept = wrapper.pointee.unmanaged {
            if columnAtHand(column) == nil { checkKeptCollection(column) }
            return kept
        }
        let made = Collection(managedCollection(column, Collection.kind))
        wrapper.pointee.unmanaged = made
        keepsCollections = true
        return made
    }

    /// Checks access to a collection that was read earlier. As in Realm, the collection of a
    /// deleted object stays accessible, so that the program can ask whether it is invalidated.
    @inline(never)
    private final func checkKeptCollection(_ column: Int) {
        if let core, core.gate.pointee.admitsCaller || core.gate.pointee.admitsActor,
            core.isDeleted(self)
        {
            return
        }
        _ = columnForReading(column)
    }

    /// Returns the place of the collection that a managed object has in a column.
    ///
    /// Traps off the realm's thread, queue or actor, and if the object was deleted.
    final func managedCollection(_ column: Int, _ shape: CollectionKind) -> ManagedCollection {
        _ = columnForReading(column)
        let binding = binding.unsafelyUnwrapped.takeUnretainedValue()
        guard let descriptor = binding.elementDescriptors[column] else {
            preconditionFailure("Column \(column) has collections.")
        }
        return ManagedCollection(
            core: core.unsafelyUnwrapped, binding: binding, column: ColumnID(position: column),
            key: key, descriptor, shape)
    }
}
