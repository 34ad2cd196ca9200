import FreeholdStorage

/// A list or map inside of an any value of a realm: what the collections that ``AnyRealmValue``
/// gives are made of.
///
/// It is named by the place of the outermost value and the identities of the collections on the
/// way to it. So it stays itself while elements are added and removed around it, and is invalid
/// as soon as it, or a collection around it, is removed or replaced.
///
/// The whole value is decoded once after each change of the realm, and is stored anew with each
/// change of the collection.
///
/// Thread rule: confined like the realm. Of a frozen realm, everything is found in `init` and
/// not written afterwards, so any number of threads may read it.
final class NestedCollection {
    private let root: MixedPlace
    /// The identities of the collections, from the outermost one to this.
    private let path: ContiguousArray<UInt64>
    let shape: CollectionKind
    /// The realm's generation when this was made: an earlier epoch means that the realm was
    /// invalidated since.
    private let birth: UInt64

    @exclusivity(unchecked) private var contents: MixedValue?
    @exclusivity(unchecked) private var generation: UInt64 = 0
    @exclusivity(unchecked) private var changes: UInt64 = 0
    /// Where the outermost value was among the elements of its collection.
    @exclusivity(unchecked) private var hint: Int

    /// The outermost collection of a value.
    init(_ root: MixedPlace, _ identity: UInt64, _ shape: CollectionKind, hint: Int = 0) {
        self.root = root
        self.hint = hint
        path = [identity]
        self.shape = shape
        birth = root.core.generation
        if root.core.isFrozen { locate() }
    }

    /// A collection in another one, whose contents were just read.
    init(_ contents: MixedValue, in parent: NestedCollection) {
        root = parent.root
        hint = parent.hint
        path = parent.path + [contents.identity.unsafelyUnwrapped]
        shape = contents.shape
        birth = parent.birth
        self.contents = contents
        generation = parent.generation
        changes = parent.changes
    }

    /// A collection by its name.
    private init(_ root: MixedPlace, _ path: ContiguousArray<UInt64>, _ shape: CollectionKind) {
        self.root = root
        hint = 0
        self.path = path
        self.shape = shape
        birth = root.core.generation
        locate()
    }

    var core: RealmCore { root.core }
    /// The class of the object that has the value.
    var binding: ClassBinding { root.binding }
    var identity: UInt64 { path[path.count - 1] }
    /// How many collections are around its elements.
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

    /// The contents as they are now. O(1) while nothing changed, else O(bytes of the outermost
    /// value).
    ///
    /// Traps off the realm's thread, queue or actor, and if the collection is gone. Where
    /// damage was found it may only seem to be, and is empty.
    private func current(_ operation: @autoclosure () -> String) -> MixedValue {
        checkConfinement(operation())
        if !isCurrent { locate() }
        guard let contents else { refuseInvalid(operation()) }
        return contents
    }

    /// The values of a list.
    func values(_ operation: @autoclosure () -> String) -> ContiguousArray<MixedValue?> {
        guard case .list(let values, _) = current(operation()) else {
            preconditionFailure("A list's contents are a list.")
        }
        return values
    }

    /// The entries of a map, in the order of their keys.
    func entries(_ operation: @autoclosure () -> String) -> ContiguousArray<
        (key: ContiguousArray<UInt8>, value: MixedValue?)
    > {
        guard case .map(let entries, _) = current(operation()) else {
            preconditionFailure("A map's contents are a map.")
        }
        return entries
    }

    /// Whether the collection, one around it or its object was removed, or its realm invalidated.
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

    /// The gate in front of every change. Traps off the realm's thread, queue or actor, outside
    /// of write transactions, in sets, and if the collection is gone.
    func checkChangeable(_ operation: @autoclosure () -> String) {
        checkConfinement(operation())
        if core.writeSet == nil { refuseChange(operation()) }
        _ = current(operation())
        if case .element(let managed) = root, managed.shape == .set {
            violation(
                .misuse(
                    text: "Cannot modify a collection that is an element of a set.",
                    remedy:
                        """
                        \(operation()) of \(title): the place of an element in a set \
                        depends on its contents. Remove the element and insert another one.
                        """
                ))
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

    /// Changes a map, whose keys are to stay in order.
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

    /// O(bytes of the outermost value).
    private func change(_ operation: @autoclosure () -> String, _ body: (MixedValue) -> MixedValue)
    {
        checkChangeable(operation())
        // Finds the outermost value, too, so that the hint is right.
        let old = current(operation())
        // There may be no place for a change, nor the elements that it changes, and nothing
        // will be committed.
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

    /// Whether both are the same collection of the same version.
    func isSame(as other: NestedCollection) -> Bool {
        core === other.core && identity == other.identity
    }

    var portable: Portable { .nested(root.name, path, shape) }

    /// What a name means in a realm; nil if it means nothing there. The caller passed that
    /// realm's gate.
    static func counterpart(of portable: Portable, in core: RealmCore) -> NestedCollection? {
        guard case .nested(let name, let path, let shape) = portable,
            let place = MixedPlace(name, in: core)
        else { return nil }
        let found = NestedCollection(place, path, shape)
        return found.contents == nil ? nil : found
    }

    /// The collection in the version that its realm reads; in a write transaction: the version
    /// before it.
    ///
    /// Traps as every use does, and if the collection was made in the transaction that is open.
    func frozen() -> NestedCollection {
        _ = current("freeze()")
        let frozen = NestedCollection(root.frozen(), path, shape)
        if frozen.contents == nil {
            shape.refuseFreezing(title)
        }
        return frozen
    }

    /// The live collection in the caller's realm; nil if it was removed since.
    func thawed() -> NestedCollection? {
        NestedCollection.counterpart(of: portable, in: core.thawedCore())
    }
}

extension CollectionKind {
    /// What a collection reads as whose bytes are damaged.
    fileprivate func nothing(_ identity: UInt64) -> MixedValue {
        self == .map ? .map([], identity: identity) : .list([], identity: identity)
    }
}

extension MixedValue {
    /// Which collection it is; only of collections is it looked at.
    fileprivate var shape: CollectionKind { if case .map = self { .map } else { .list } }
}
