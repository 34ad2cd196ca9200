import FreeholdStorage

/// Elements that are ``AnyRealmValue``s.
struct AnyValueElementCodec: ElementCodec {
    var type: PropertyType { .any }
    var columnType: ColumnType? { .mixed }
    var isOptional: Bool { false }

    func converted(from value: Any?) throws(InvalidValueError) -> AnyRealmValue? {
        try AnyRealmValue(literal: value)
    }

    func persisted(_ element: AnyRealmValue) -> Any? { element }

    func load(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> AnyRealmValue {
        if leaf.values.isNull(at: row) { return .none }
        return AnyRealmValue(storedBytes: leaf.values.heapBytes(at: row), of: managed.binding) {
            identity, shape in
            NestedCollection(.element(managed), identity, shape, hint: leaf.start + row)
        }
    }

    /// Compares stored values, without making the elements.
    func firstIndex(
        of element: AnyRealmValue, in leaf: CollectionLeaf, _ managed: ManagedCollection
    ) -> Int? {
        guard let wanted = managed.core.known(element) else { return nil }
        return (0..<leaf.count).first { row in
            MixedValue.compare(
                leaf.values.isNull(at: row)
                    ? nil : MixedValue(decoding: leaf.values.heapBytes(at: row)), wanted) == 0
        }
    }

    func store(_ element: AnyRealmValue, in row: MutableRow) {
        preconditionFailure("AnyRealmValues are set together with what they link to.")
    }

    func insert(
        _ element: AnyRealmValue, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore
    ) { withEncoded(core.stored(element)) { tree.insert(mixed: $0, at: index) } }

    func set(
        _ element: AnyRealmValue, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore
    ) {
        let leaf = tree.stored.leaf(at: index)
        let row = index - leaf.start
        // Assigning a collection to its own place changes nothing.
        if !leaf.values.isNull(at: row),
            element.isNested(MixedValue.identity(in: leaf.values.heapBytes(at: row)), in: core)
        {
            return
        }
        withEncoded(core.stored(element)) { tree.set(mixed: $0, at: index) }
    }

    /// Adds unmanaged objects to the realm.
    func resolved(_ element: AnyRealmValue, _ core: RealmCore) -> AnyRealmValue {
        element.forEachObject { _ = core.binding(ofHeld: $0) }
        element.forEachObject { _ = core.linkTargetKey(for: $0) }
        return element
    }

    func find(_ element: AnyRealmValue, in elements: StoredCollection, _ core: RealmCore) -> (
        index: Int, isFound: Bool
    )? { core.known(element).map { elements.find(mixed: $0) } }
}
