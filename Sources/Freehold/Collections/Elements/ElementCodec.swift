import FreeholdStorage

/// Reads and writes the elements of a collection whose code knows their type only as a generic
/// parameter.
///
/// ``RealmCollectionValue/elementCodec`` finds the codec from the type of the elements.
protocol ElementCodec<Element>: Sendable {
    associatedtype Element: RealmCollectionValue

    /// The type of the elements in a schema.
    var type: PropertyType { get }
    /// How the elements are stored; nil if realms do not store them.
    var columnType: ColumnType? { get }
    var isOptional: Bool { get }
    /// Whether elements are values of the program's own types, and some stored values have no
    /// such element.
    var isMapped: Bool { get }
    /// The class of elements that are objects.
    var target: ObjectBase.Type? { get }
    /// The reference by which a realm finds ``target``: a dynamic one if the elements are dynamic
    /// objects.
    var reference: ClassReference? { get }

    /// Converts a value of another type to an element; nil if it does not fit. Nil at any depth
    /// of optionals counts as nil.
    func converted(from value: Any?) throws(InvalidValueError) -> Element?
    /// Whether a value has the stored type, but no element represents it.
    func isStorableOnly(_ value: Any) -> Bool
    /// The value that a map reads for null, where null is neither refused nor read as nil. Traps
    /// if the element's type has no default.
    var standInForNull: Element? { get }
    /// Returns what is stored for an element; nil for null.
    func persisted(_ element: Element) -> Any?

    /// Returns the element in a row of a leaf. O(1); O(length) for text and bytes.
    func load(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element
    /// As ``load(_:_:_:)``, but returns nil where the stored value is not of the type.
    func loadOptional(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element?
    /// Appends all elements of a leaf.
    func append(_ leaf: CollectionLeaf, _ managed: ManagedCollection, to elements: inout [Element])
    /// The row of the first element of a leaf that equals a given one.
    func firstIndex(of element: Element, in leaf: CollectionLeaf, _ managed: ManagedCollection)
        -> Int?
    /// Writes an element that is no link.
    func store(_ element: Element, in row: MutableRow)
    /// Inserts an element in front of the one at `index`. Adds an unmanaged object to the realm.
    func insert(
        _ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore)
    /// Replaces the element at `index`.
    func set(_ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore)
    /// As ``set(_:at:in:_:)``, but changes an embedded object in its place.
    func update(
        _ element: Element, at index: Int, in tree: MutableStoredCollection, _ core: RealmCore)
    /// Turns an element into one that the realm can hold, by adding an unmanaged object. Called
    /// before any look-up.
    func resolved(_ element: Element, _ core: RealmCore) -> Element
    /// Returns the position of an element in a set, or the position where it belongs; nil if the
    /// realm cannot hold it as it is.
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
    /// The type of the elements, for messages: "int", "Dog".
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
