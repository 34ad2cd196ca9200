import FreeholdStorage

/// Elements of a built-in type.
struct ScalarElementCodec<Element: ScalarValue>: ElementCodec {
    var type: PropertyType { Element._rlmType }
    var columnType: ColumnType? { Element.columnType }
    var isOptional: Bool { false }

    func converted(from value: Any?) throws(InvalidValueError) -> Element? {
        flattened(value).flatMap { Element.convertedLiteral($0) }
    }

    func persisted(_ element: Element) -> Any? { element }
}

/// Elements stored as a built-in type: enums, and values of the program's own types.
struct MappedElementCodec<Element: _MappedPersistable, Base: ScalarValue>: ElementCodec {
    var type: PropertyType { Base._rlmType }
    var columnType: ColumnType? { Base.columnType }
    var isOptional: Bool { false }
    var isMapped: Bool { true }

    func converted(from value: Any?) throws(InvalidValueError) -> Element? {
        guard let value = flattened(value) else { return nil }
        if let value = value as? Element { return value }
        guard let base = Base.convertedLiteral(value) as? Element.PersistedType else { return nil }
        return Element._rlmFromPersisted(base)
    }

    func isStorableOnly(_ value: Any) -> Bool {
        !(value is Element)
            && (Base.convertedLiteral(value) as? Element.PersistedType).map {
                Element._rlmFromPersisted($0) == nil
            } ?? false
    }

    func persisted(_ element: Element) -> Any? { element._rlmPersisted }
}

/// Optionals of other elements.
struct OptionalElementCodec<Wrapped: ElementCodec>: ElementCodec
where Wrapped.Element: _RealmCollectionValueInsideOptional {
    let wrapped: Wrapped

    var type: PropertyType { wrapped.type }
    var columnType: ColumnType? { wrapped.columnType }
    var isOptional: Bool { true }
    var isMapped: Bool { wrapped.isMapped }

    func isStorableOnly(_ value: Any) -> Bool { wrapped.isStorableOnly(value) }

    func converted(from value: Any?) throws(InvalidValueError) -> Wrapped.Element?? {
        guard let value = flattened(value) else { return .some(nil) }
        return try wrapped.converted(from: value).map { .some($0) }
    }

    func persisted(_ element: Wrapped.Element?) -> Any? {
        element.flatMap { wrapped.persisted($0) }
    }
}

/// Elements of a type that the library does not know. They are passed through unchanged.
struct PlainElementCodec<Element: RealmCollectionValue>: ElementCodec {
    var type: PropertyType { Element._rlmType }
    var columnType: ColumnType? { nil }
    var isOptional: Bool { Element._rlmOptional }

    func converted(from value: Any?) throws(InvalidValueError) -> Element? { value as? Element }

    func persisted(_ element: Element) -> Any? { element }
}
