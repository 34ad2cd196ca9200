import FreeholdStorage

/// Elements that are values of the program's own types, stored as embedded objects; in maps also
/// optionals of them. `Element` is `Value` or `Value?`.
struct MappedLinkElementCodec<Value: _MappedPersistable, Element: RealmCollectionValue>:
    ElementCodec
{
    let isOptional: Bool
    private let conversion: OwnedConversion<Value>
    /// The same elements as embedded objects.
    private let links: LinkElementCodec<EmbeddedObject?>

    init(_ conversion: OwnedConversion<Value>, isOptional: Bool) {
        precondition(
            isOptional ? Element.self == Value?.self : Element.self == Value.self,
            "the elements are the values or their optionals")
        self.isOptional = isOptional
        self.conversion = conversion
        links = LinkElementCodec(object: conversion.target, isOptional: true)
    }

    var type: PropertyType { .object }
    var columnType: ColumnType? { .link }
    var target: ObjectBase.Type? { conversion.target }
    var reference: ClassReference? { links.reference }

    private func element(_ value: Value?) -> Element? {
        if isOptional { return unsafeBitCast(value, to: Element.self) }
        return value.map { unsafeBitCast($0, to: Element.self) }
    }

    private func value(_ element: Element) -> Value? {
        isOptional
            ? unsafeBitCast(element, to: Value?.self) : unsafeBitCast(element, to: Value.self)
    }

    /// Accepts values of the type, and embedded objects and literals that convert to one.
    func converted(from value: Any?) throws(InvalidValueError) -> Element? {
        guard let value = flattened(value) else { return isOptional ? element(nil) : nil }
        return try conversion.value(from: value).flatMap { element($0) }
    }

    var standInForNull: Element? {
        isOptional ? nil : element(Value._rlmInitialValue() ?? Value._rlmDefaultValue())
    }

    func persisted(_ element: Element) -> Any? { value(element).map(conversion.object(for:)) }

    func load(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element {
        let object = links.load(leaf, row, managed)
        if let element = element(object.flatMap(conversion.value(of:))) { return element }
        // As with a property, the object of a map's value may have been deleted.
        if object == nil, managed.descriptor.kind.shape == .map, let standInForNull {
            return standInForNull
        }
        // Any other null is damage: the element must be an object.
        if object == nil {
            managed.core.noteMissingRow(Int64.min, ofClass: conversion.target.className())
        }
        let standIn = Value._withoutMapping(object as Any, in: managed) {
            managed.core.firstRow(
                of: managed.core.binding(for: conversion.target), conversion.value(of:))
        }
        return unsafeBitCast(standIn, to: Element.self)
    }

    func store(_ element: Element, in row: MutableRow) {
        preconditionFailure("Links are set together with what they link to.")
    }

    func insert(
        _ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore
    ) { links.insert(object(for: element, in: tree), at: index, in: tree, core) }

    func set(_ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore)
    { links.update(object(for: element, in: tree), at: index, in: tree, core) }

    func update(
        _ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore
    ) {
        let leaf = tree.stored.leaf(at: index)
        guard !leaf.values.isNull(at: index - leaf.start), let new = value(element) else {
            return set(element, at: index, in: tree, core)
        }
        let old = leaf.values.integer(at: index - leaf.start)
        guard let stored = core.accessor(old, of: core.binding(for: conversion.target)) else {
            return set(element, at: index, in: tree, core)
        }
        if conversion.value(of: stored) == new { return }
        guard let object = object(for: element, in: tree) else { return }
        if object._isManaged { return links.update(object, at: index, in: tree, core) }
        _ = core.addConverted(object, over: old)
    }

    /// Returns the object to store for an element. It is of exactly the class, and either has no
    /// owner or has the element's place already.
    private func object(for element: Element, in tree: MutableStoredCollection) -> EmbeddedObject? {
        guard let object = value(element).map(conversion.object(for:)) else { return nil }
        (tree.kind.shape == .map ? CollectionKind.map : .list).check(
            object, isOf: conversion.target)
        if object.core != nil, !object._isManaged { violation(.embeddedObjectHasOwner(object)) }
        return unsafeDowncast(object, to: EmbeddedObject.self)
    }

    /// Traps: only sets find elements by order, and they hold no embedded objects.
    func find(_ element: Element, in elements: StoredCollection, _ core: RealmCore) -> (
        index: Int, isFound: Bool
    )? { preconditionFailure("A realm does not open with sets of embedded objects.") }
}
