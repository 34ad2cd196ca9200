import FreeholdStorage

/// The codec of an ``AnyRealmValue``.
struct AnyValueCodec: PropertyCodec {
    /// Always false in a validated schema.
    let isOptional: Bool

    var type: PropertyType { .any }
    var columnType: ColumnType? { isOptional ? nil : .mixed }

    /// Includes objects in nested collections.
    func forEachObject(in wrapper: UnsafeMutableRawPointer, _ body: (ObjectBase) -> Void) {
        wrapper.assumingMemoryBound(to: Persisted<AnyRealmValue>.self).pointee.unmanaged?
            .forEachObject { body($0) }
    }

    var storage: any WrapperStorage.Type { AnyValueStorage.self }

    /// The content of the value: nil, a built-in value, an object or a collection.
    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        if isOptional {
            return Persisted<AnyRealmValue?>.unsafeValue(of: object, at: wrapper)?.held
        }
        return Persisted<AnyRealmValue>.unsafeValue(of: object, at: wrapper).held
    }

    /// Accepts values of all built-in types, objects, and arrays and dictionaries of them.
    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer)
        throws(InvalidValueError)
    {
        guard let value = try AnyRealmValue(literal: value), !isOptional else {
            throw InvalidValueError(refusing: value, of: object, wrapper: wrapper)
        }
        Persisted<AnyRealmValue>.unsafeSetValue(value, of: object, at: wrapper)
    }
}

/// The wrapper of an ``AnyRealmValue``, which
/// ``ClassBinding/storeValues(of:into:onlyDiffering:skippingPrimaryKey:)`` stores.
enum AnyValueStorage: WrapperStorage {
    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) {
        Persisted<AnyRealmValue>.unsafeAttach(wrapper, column: column)
    }
}
