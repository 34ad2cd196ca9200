import FreeholdStorage

// How elements of each type are read from leaves, written, and found.

extension ElementCodec {
    func append(_ leaf: CollectionLeaf, _ managed: ManagedCollection, to elements: inout [Element])
    {
        for row in 0..<leaf.count { elements.append(load(leaf, row, managed)) }
    }

    func firstIndex(of element: Element, in leaf: CollectionLeaf, _ managed: ManagedCollection)
        -> Int?
    { (0..<leaf.count).first { load(leaf, $0, managed) == element } }

    func insert(
        _ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore
    ) { store(element, in: tree.insert(at: index)) }

    func set(_ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore)
    { store(element, in: tree.element(at: index)) }

    func update(
        _ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore
    ) {
        set(element, at: index, in: tree, core)
    }

    func resolved(_ element: Element, _ core: RealmCore) -> Element { element }

    func find(_ element: Element, in elements: StoredCollection, _ core: RealmCore) -> (
        index: Int, isFound: Bool
    )? {
        guard let value = PredicateConstant(element).scanValue else { return nil }
        return elements.find(value)
    }
}

extension ScalarElementCodec {
    func load(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element {
        Element.load(leaf.values, row)
    }

    func append(_ leaf: CollectionLeaf, _ managed: ManagedCollection, to elements: inout [Element])
    { Element.appendAll(leaf.values, leaf.count, to: &elements) }

    func store(_ element: Element, in row: MutableRow) {
        Element.store(element, in: row, MutableStoredCollection.values)
    }
}

extension MappedElementCodec {
    func load(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element {
        let base = Base.load(leaf.values, row)
        return Element._rlmFromPersisted(unsafeBitCast(base, to: Element.PersistedType.self))
            ?? Element._withoutMapping(base, in: managed) {
                managed.firstElement { loadOptional($0, $1, managed) }
            }
    }

    func store(_ element: Element, in row: MutableRow) {
        Base.store(
            unsafeBitCast(element._rlmPersisted, to: Base.self), in: row,
            MutableStoredCollection.values)
    }
}

extension OptionalElementCodec {
    func load(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Wrapped.Element?
    { leaf.values.isNull(at: row) ? nil : wrapped.loadOptional(leaf, row, managed) }

    func store(_ element: Wrapped.Element?, in row: MutableRow) {
        if let element {
            wrapped.store(element, in: row)
        } else {
            row.setNull(MutableStoredCollection.values)
        }
    }
}

extension ElementCodec {
    func loadOptional(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element?
    { load(leaf, row, managed) }
}

extension MappedElementCodec {
    func loadOptional(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element?
    {
        Element._rlmFromPersisted(
            unsafeBitCast(Base.load(leaf.values, row), to: Element.PersistedType.self))
    }
}

extension LinkElementCodec {
    func load(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element {
        let isNull = leaf.values.isNull(at: row)
        if isNull, isOptional { return wrapped(nil) }
        // Null for an element that must be an object is damage; it becomes an object without a
        // row.
        let key =
            isNull || leaf.values.encoding == .absent ? Int64.min : leaf.values.integer(at: row)
        let core = managed.core
        let binding = isDynamic ? core.dynamicBinding(for: object) : core.binding(for: object)
        guard let place = core.locate(key, of: binding) else {
            return wrapped(binding.makeMissingAccessor(key: key))
        }
        return wrapped(binding.makeAccessor(key: key, cluster: place.cluster, row: place.row))
    }

    /// Returns the object as an element, whose type is the object's class or its optional.
    private func wrapped(_ object: ObjectBase?) -> Element {
        if isOptional { return unsafeBitCast(object, to: Element.self) }
        guard let object else { preconditionFailure("Elements that are objects are not null.") }
        return unsafeBitCast(object, to: Element.self)
    }

    private func object(in element: Element) -> ObjectBase? {
        unsafeBitCast(element, to: ObjectBase?.self)
    }

    /// Returns the row that an element links to. Adds an unmanaged object to the realm; an
    /// embedded object must be unmanaged.
    private func key(of element: Element, _ core: RealmCore, _ shape: StoredCollectionKind.Shape)
        -> RowKey?
    {
        object(in: element).map { object in
            if isDynamic { check(object) }
            guard isOwning else { return RowKey(rawValue: core.linkTargetKey(for: object)) }
            if object._isManaged {
                core.verifyIsOwnedTwice(object, in: shape == .map ? "Dictionary" : "List")
            }
            // An object that is being added has its row already.
            return RowKey(rawValue: object.core === core ? object.key : core.addOwned(object))
        }
    }

    /// Whether an object is a row of the class that the collection declares. The type guarantees
    /// it for all but dynamic objects.
    private func hasClass(_ element: ObjectBase) -> Bool {
        guard isDynamic else { return true }
        guard let given = element.dynamicBinding?.schema else { return false }
        return given.type == object || given.tableName == object.tableName
    }

    /// Traps if a dynamic object is not of the class that the collection declares.
    private func check(_ dynamic: ObjectBase) {
        if hasClass(dynamic) { return }
        let given = dynamic.dynamicBinding?.schema
        misuse(
            """
            Object of type '\(given?.className ?? "DynamicObject")' does not match \
            collection type '\(object.className())'.
            """,
            remedy: given == nil
                ? "A dynamic object of no realm has no class: make it with Realm.dynamicCreate."
                : "Add an object of the class that the collection declares.")
    }

    /// Compares row keys, without making the objects.
    func firstIndex(of element: Element, in leaf: CollectionLeaf, _ managed: ManagedCollection)
        -> Int?
    {
        guard let object = object(in: element) else {
            return (0..<leaf.count).first { leaf.values.isNull(at: $0) }
        }
        guard object._isManaged, object.core === managed.core, hasClass(object) else { return nil }
        return (0..<leaf.count).first {
            leaf.values.integer(at: $0) == object.key && !leaf.values.isNull(at: $0)
        }
    }

    func store(_ element: Element, in row: MutableRow) {
        preconditionFailure("Links are set together with what they link to.")
    }

    func insert(
        _ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore
    ) { tree.insert(link: key(of: element, core, tree.kind.shape), at: index) }

    func set(_ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore)
    {
        guard isOwning else {
            return tree.set(link: key(of: element, core, tree.kind.shape), at: index)
        }
        let leaf = tree.stored.leaf(at: index)
        let old =
            leaf.values.isNull(at: index - leaf.start)
            ? nil : leaf.values.integer(at: index - leaf.start)
        let new = key(of: element, core, tree.kind.shape)
        // In a damaged file, the new object may be the one already in place.
        if let old, new?.rawValue == old { return }
        tree.set(link: new, at: index)
        if let old { core.releaseOwned([old], of: core.binding(for: object)) }
    }

    /// Leaves in place what is there already, and an object that is being stored in the row of
    /// the old one.
    func update(
        _ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore
    ) {
        if let object = object(in: element), isOwning, object.core === core {
            let leaf = tree.stored.leaf(at: index)
            if !leaf.values.isNull(at: index - leaf.start),
                leaf.values.integer(at: index - leaf.start) == object.key
            {
                return
            }
        }
        set(element, at: index, in: tree, core)
    }

    /// Adds an unmanaged object to the realm. An embedded object is added later, when it is in
    /// its place.
    func resolved(_ element: Element, _ core: RealmCore) -> Element {
        if let object = object(in: element), !isOwning { _ = core.linkTargetKey(for: object) }
        return element
    }

    func find(_ element: Element, in elements: StoredCollection, _ core: RealmCore) -> (
        index: Int, isFound: Bool
    )? {
        guard let object = object(in: element) else { return elements.find(.null) }
        // An object that is being added has its row already, but is not managed yet.
        guard object.core === core, hasClass(object), !(object._isManaged && core.isDeleted(object))
        else { return nil }
        return elements.find(.link(RowKey(rawValue: object.key)))
    }
}

extension PlainElementCodec {
    func load(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element {
        preconditionFailure("Realms do not open with elements of other types.")
    }
    func store(_ element: Element, in row: MutableRow) {
        preconditionFailure("Realms do not open with elements of other types.")
    }
}
