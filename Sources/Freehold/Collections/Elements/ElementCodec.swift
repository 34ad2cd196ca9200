import FreeholdStorage

/// What a collection does with elements whose type it only knows as a generic parameter.
///
/// Found from the type of the elements: ``RealmCollectionValue/elementCodec``.
protocol ElementCodec<Element>: Sendable {
    associatedtype Element: RealmCollectionValue

    /// What the elements are in a schema.
    var type: PropertyType { get }
    /// How they are stored; nil if realms do not store them.
    var columnType: ColumnType? { get }
    var isOptional: Bool { get }
    /// Whether elements are values of the program, and not each value of the stored type is one.
    var isMapped: Bool { get }
    /// The class of elements that are objects.
    var target: ObjectBase.Type? { get }
    /// The same as a realm is asked for it: dynamically, if the elements are dynamic objects.
    var reference: ClassReference? { get }

    /// A value of another type as an element; nil if it does not fit. Nil at any depth of
    /// optionals is nil.
    func converted(from value: Any?) throws(InvalidValueError) -> Element?
    /// Whether a value is what elements are stored as, and no element stands for it.
    func isStorableOnly(_ value: Any) -> Bool
    /// What a map has for null, if that is neither refused nor null. Traps if the element's
    /// type has no default.
    var standInForNull: Element? { get }
    /// What is stored for an element, nil for null.
    func persisted(_ element: Element) -> Any?

    /// The element in a row of a leaf. O(1), or O(length) for text and bytes.
    func load(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element
    /// The same, or nil where the stored value is none of the type.
    func loadOptional(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element?
    /// Appends all elements of a leaf.
    func append(_ leaf: CollectionLeaf, _ managed: ManagedCollection, to elements: inout [Element])
    /// The row of the first element of a leaf that equals a given one.
    func firstIndex(of element: Element, in leaf: CollectionLeaf, _ managed: ManagedCollection) -> Int?
    /// Writes an element that is no link.
    func store(_ element: Element, in row: MutableRow)
    /// Adds an element in front of the one at `index`; an unmanaged object is added to the realm.
    func insert(_ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore)
    /// Replaces the element at `index`.
    func set(_ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore)
    /// As ``set(_:at:in:_:)``, but changes an embedded object in its place.
    func update(_ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore)
    /// Makes an element one that the realm can hold, before anything is looked up: adds an
    /// unmanaged object.
    func resolved(_ element: Element, _ core: RealmCore) -> Element
    /// Where an element is in a set, or where it belongs; nil if the realm cannot hold it as it is.
    func find(_ element: Element, in elements: StoredCollection, _ core: RealmCore) -> (
        index: Int, isFound: Bool
    )?
}

extension ElementCodec {
    var isMapped: Bool { false }
    var target: ObjectBase.Type? { nil }
    var standInForNull: Element? { nil }
    func isStorableOnly(_ value: Any) -> Bool { false }
    var reference: ClassReference? { target.map { ClassReference(type: $0, isDynamic: false) } }
    /// The type of the elements, for people: "int", "Dog".
    var typeText: String { target?.className() ?? "\(type)" }
}

extension RealmCollectionValue {
    static var elementCodec: any ElementCodec<Self> {
        if let optional = Self.self as? any OptionalProtocol.Type {
            return makeCodec(optionalOf: optional) as? any ElementCodec<Self> ?? plain
        }
        return ownCodec() as? any ElementCodec<Self> ?? plain
    }

    private static var plain: PlainElementCodec<Self> { PlainElementCodec() }

    private static func makeCodec<Value: OptionalProtocol>(optionalOf: Value.Type)
        -> any ElementCodec
    {
        if let target = Value.Wrapped.self as? ObjectBase.Type {
            return LinkElementCodec<Self>(object: target, isOptional: true)
        }
        if let mapped = Value.Wrapped.self as? any _MappedPersistable.Type,
            let codec = ownedCodec(mapped, isOptional: true)
        {
            return codec
        }
        return codecOfElements(Value.Wrapped.self, isOptional: true) ?? plain
    }

    private static func ownCodec() -> any ElementCodec {
        if let target = Self.self as? ObjectBase.Type {
            return LinkElementCodec<Self>(object: target, isOptional: false)
        }
        if let mapped = Self.self as? any _MappedPersistable.Type,
            let codec = ownedCodec(mapped, isOptional: false)
        {
            return codec
        }
        return codecOfElements(Self.self, isOptional: false) ?? plain
    }

    /// Nil for types that are not stored as embedded objects.
    private static func ownedCodec<Value: _MappedPersistable>(_: Value.Type, isOptional: Bool) -> (
        any ElementCodec
    )? {
        OwnedConversion<Value>().map {
            MappedLinkElementCodec<Value, Self>($0, isOptional: isOptional)
        }
    }
}

private func codecOfElements(_ type: Any.Type, isOptional: Bool) -> (any ElementCodec)? {
    switch type {
    case let type as any ScalarValue.Type: scalarCodec(type, isOptional)
    case let type as any _MappedPersistable.Type: mappedCodec(type, isOptional)
    case is AnyRealmValue.Type where !isOptional: AnyValueElementCodec()
    default: nil
    }
}

private func scalarCodec<Value: ScalarValue>(_: Value.Type, _ isOptional: Bool) -> (
    any ElementCodec
)? {
    guard isOptional else { return ScalarElementCodec<Value>() }
    return OptionalElementCodec<ScalarElementCodec<Value>>(wrapped: ScalarElementCodec())
}

private func mappedCodec<Value: _MappedPersistable>(_: Value.Type, _ isOptional: Bool) -> (
    any ElementCodec
)? {
    guard let base = Value.PersistedType.self as? any ScalarValue.Type else { return nil }
    return mappedCodec(Value.self, base, isOptional)
}

private func mappedCodec<Value: _MappedPersistable, Base: ScalarValue>(
    _: Value.Type, _: Base.Type, _ isOptional: Bool
) -> any ElementCodec {
    guard isOptional else { return MappedElementCodec<Value, Base>() }
    return OptionalElementCodec<MappedElementCodec<Value, Base>>(wrapped: MappedElementCodec())
}
