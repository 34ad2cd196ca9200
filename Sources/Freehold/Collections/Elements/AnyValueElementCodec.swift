import FreeholdStorage

/// Elements that are ``AnyRealmValue``s.
struct AnyValueElementCodec: ElementCodec {
    var type: PropertyType { .any }
    var columnType: ColumnType? { nil }
    var isOptional: Bool { false }

    func converted(from value: Any?) throws(InvalidValueError) -> AnyRealmValue? { try AnyRealmValue(literal: value) }

    func persisted(_ element: AnyRealmValue) -> Any? { element }
}
