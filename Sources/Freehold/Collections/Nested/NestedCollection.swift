import FreeholdStorage

/// The contents of a list or map inside of an ``AnyRealmValue`` of a realm. The collections that
/// ``AnyRealmValue`` gives are built on it.
///
/// Its name is the place of the outermost value and the identities of the collections on the way
/// to it. So it stays the same collection while elements are added and removed around it. It
/// becomes invalid once it, or a collection around it, is removed or replaced.
///
/// The outermost value is decoded once after each change of the realm, and stored anew with each
/// change of the collection.
///
/// Thread rule: confined like the realm. In a frozen realm, `init` finds everything and nothing
/// is written afterwards, so any number of threads may read it.
final class NestedCollection {
    private var root: MixedPlace {
        guard let draft = givenRoot.core.draft, !draft.moves.isEmpty else { return givenRoot }
        return givenRoot.following(since: birth)
    }
    /// The place when the collection was made.
    private let givenRoot: MixedPlace
    /// The identities of the collections, from the outermost one to this one.
    private let path: ContiguousArray<UInt64>
    let shape: CollectionKind
    /// The realm's generation when the collection was made. If its epoch is in the past, the
    /// realm was invalidated.
    private let birth: UInt64

    @exclusivity(unchecked) private var contents: MixedValue?
    @exclusivity(unchecked) private var generation: UInt64 = 0
    @exclusivity(unchecked) private var changes: UInt64 = 0
    /// The last known position of the outermost value among the elements of its collection.
    @exclusivity(unchecked) private var hint: Int

    /// Makes the outermost collection of a value.
    init(_ root: MixedPlace, _ identity: UInt64, _ shape: CollectionKind, hint: Int = 0) {
        givenRoot = root
        self.hint = hint
        path = [identity]
        self.shape = shape
        birth = root.core.generation
        if root.core.isFrozen { locate() }
    }

    /// Makes a collection inside of another one, whose contents the caller has just read.
    init(_ contents: MixedValue, in parent: NestedCollection) {
        givenRoot = parent.givenRoot
        hint = parent.hint
        path = parent.path + [contents.identity.unsafelyUnwrapped]
        shape = contents.shape
        birth = parent.birth
        self.contents = contents
        generation = parent.generation
        changes = parent.changes
    }

    /// Makes a collection from its name.
    private init(_ root: MixedPlace, _ path: ContiguousArray<UInt64>, _ shape: CollectionKind) {
        givenRoot = root
        hint = 0
        self.path = path
        self.shape = shape
        birth = root.core.generation
        locate()
    }

    var core: RealmCore { givenRoot.core }
    /// The class of the object that has the value.
    var binding: ClassBinding { givenRoot.binding }
    var identity: UInt64 { path[path.count - 1] }
    /// How many collections surround its elements.
    var level: Int { path.count }

    private var title: String { "\(shape.className) in \(root.title)" }

    // MARK: Reading

    func checkConfinement(_ operation: @autoclosure () -> String) {
        let gate = core.gate
        if !gate.pointee.admitsCaller && !gate.pointee.admitsActor {
            core.checkConfinementSlowly(
                .operation("\(operation()) of \(title)", className: root.binding.schema.className))
        }
    }

    private var currentChanges: UInt64 {
        core.gate.pointee.changes?._withUnsafeGuaranteedRef { $0.values } ?? 0
    }

    private func locate() {
        contents =
            core.isInvalidated(since: birth)
            ? nil : root.read(path[0], hint: &hint)?.nested(at: path[...])
        if contents?.shape != shape { contents = nil }
        if contents == nil, core.store.isDamaged { contents = shape.nothing(identity) }
        generation = core.generation
        changes = currentChanges
    }

    /// Whether nothing changed since the contents were found.
    private var isCurrent: Bool {
        core.isFrozen
            || (contents != nil && generation == core.generation && changes == currentChanges)
    }

    /// Returns the current contents. O(1) while nothing changed, else O(bytes of the outermost
    /// value).
    ///
    /// Traps off the realm's thread, queue or actor, and if the collection is gone. In a damaged
    /// file, a missing collection is empty instead.
    private func current(_ operation: @autoclosure () -> String) -> MixedValue {
        checkConfinement(operation())
        if !isCurrent { locate() }
        guard let contents else { refuseInvalid(operation()) }
        return contents
    }

    /// Returns the values of a list.
    func values(_ operation: @autoclosure () -> String) -> ContiguousArray<MixedValue?> {
        guard case .list(let values, _) = current(operation()) else {
            preconditionFailure("A list's contents are a list.")
        }
        return values
    }

    /// Returns the entries of a map, in the order of their keys.
    func entries(_ operation: @autoclosure () -> String) -> ContiguousArray<
        (key: ContiguousArray<UInt8>, value: MixedValue?)
    > {
        guard case .map(let entries, _) = current(operation()) else {
            preconditionFailure("A map's contents are a map.")
        }
        return entries
    }

    /// Whether the collection, one around it or its object was removed, or its realm was
    /// invalidated.
    var isInvalidated: Bool {
        checkConfinement("isInvalidated")
        if !isCurrent { locate() }
        return contents == nil
    }

    private func refuseInvalid(_ operation: String) -> Never {
        shape.refuseInvalid(
            remedy: """
                \(operation) of \(title): it, or a value around it, was removed or replaced by \
                another one. Read it from its property again, or test isInvalidated first.
                """)
    }

    // MARK: Writing

    /// Checks that a change is legal. Traps off the realm's thread, queue or actor, outside of
    /// write transactions, in sets, and if the collection is gone.
    func checkChangeable(_ operation: @autoclosure () -> String) {
        checkConfinement(operation())
        if core.writeSet == nil { refuseChange(operation()) }
        _ = current(operation())
        if case .element(let managed) = root, managed.shape == .set {
            misuse(
                "Cannot modify a collection that is an element of a set.",
                remedy: """
                    \(operation()) of \(title): the place of an element in a set \
                    depends on its contents. Remove the element and insert another one.
                    """)
        }
    }

    /// Changes a list.
    func changeValues(
        _ operation: @autoclosure () -> String, _ body: (inout ContiguousArray<MixedValue?>) -> Void
    ) {
        change(operation()) { contents in
            guard case .list(var values, let identity) = contents else {
                preconditionFailure("A list's contents are a list.")
            }
            body(&values)
            return .list(values, identity: identity)
        }
    }

    /// Changes a map. `body` must keep the keys in order.
    func changeEntries(
        _ operation: @autoclosure () -> String,
        _ body: (inout ContiguousArray<(key: ContiguousArray<UInt8>, value: MixedValue?)>) -> Void
    ) {
        change(operation()) { contents in
            guard case .map(var entries, let identity) = contents else {
                preconditionFailure("A map's contents are a map.")
            }
            body(&entries)
            return .map(entries, identity: identity)
        }
    }

    /// Replaces the contents by what `body` makes of them. O(bytes of the outermost value).
    private func change(_ operation: @autoclosure () -> String, _ body: (MixedValue) -> MixedValue)
    {
        checkChangeable(operation())
        // Reading finds the outermost value, too, which makes the hint right.
        let old = current(operation())
        // Damage may have taken the place of the change, or the elements. Nothing will be
        // committed.
        if core.store.isDamaged { return }
        let new = body(old)
        var outermost = new
        if path.count > 1 {
            guard let read = root.read(path[0], hint: &hint) else { refuseInvalid(operation()) }
            outermost = read
            if !outermost.replaceNested(at: path[...], by: new) { refuseInvalid(operation()) }
        }
        root.write(outermost, hint: hint)
        contents = new
        generation = core.generation
        changes = currentChanges
    }

    private func refuseChange(_ operation: String) -> Never {
        if core.isFrozen { shape.refuseFrozen(operation, title) }
        if core.isReadOnly { violation(.transactionOnReadOnlyRealm(core)) }
        shape.refuseOutsideTransaction(operation, title)
    }

    // MARK: Identity

    /// Whether both are the same collection in the same version.
    func isSame(as other: NestedCollection) -> Bool {
        core === other.core && identity == other.identity
    }

    var portable: Portable { .nested(root.name, path, shape) }

    /// Resolves a portable name in a realm; nil if the collection does not exist there. The
    /// caller has checked that realm's confinement.
    static func counterpart(of portable: Portable, in core: RealmCore) -> NestedCollection? {
        guard case .nested(let name, let path, let shape) = portable,
            let place = MixedPlace(name, in: core)
        else { return nil }
        let found = NestedCollection(place, path, shape)
        return found.contents == nil ? nil : found
    }

    /// Returns the collection in the version that its realm reads; in a write transaction, in the
    /// version before it.
    ///
    /// Traps as every use does, and if the collection was made in the open transaction.
    func frozen() -> NestedCollection {
        _ = current("freeze()")
        let frozen = NestedCollection(root.frozen(), path, shape)
        if frozen.contents == nil { shape.refuseFreezing(title) }
        return frozen
    }

    /// Returns the live collection in the caller's realm; nil if it was removed.
    func thawed() -> NestedCollection? {
        NestedCollection.counterpart(of: portable, in: core.thawedCore())
    }
}

extension CollectionKind {
    /// Returns the contents of a collection whose bytes are damaged: none.
    fileprivate func nothing(_ identity: UInt64) -> MixedValue {
        self == .map ? .map([], identity: identity) : .list([], identity: identity)
    }
}

extension MixedValue {
    /// The kind of the collection; read only from collections.
    fileprivate var shape: CollectionKind { if case .map = self { .map } else { .list } }
}
