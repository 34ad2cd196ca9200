import FreeholdStorage

/// The codec of a link to one object.
///
/// `Persisted<Dog?>` and `Persisted<Object?>` have the same layout, since all references to Swift classes have, so the
/// wrapper is accessed as the latter.
struct LinkCodec: PropertyCodec {
    let target: Object.Type
    /// Always true in a schema that was accepted.
    let isOptional: Bool

    var type: PropertyType { .object }
    var columnType: ColumnType { .link }

    /// What the link of an unmanaged object points to.
    func unmanagedTarget(in wrapper: UnsafeMutableRawPointer) -> Object? { Persisted<Object?>.unsafeUnmanagedValue(at: wrapper) }

    var storage: any WrapperStorage.Type { LinkStorage.self }

    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        guard object._isManaged else { return unmanagedTarget(in: wrapper) }
        return target._readOptional(object, Int(wrapper.assumingMemoryBound(to: Persisted<Object?>.self).pointee.column))
    }

    /// Accepts objects of exactly the target class, and literals for new ones.
    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer) throws(InvalidValueError) {
        var linked: Object?
        switch flattened(value) {
        case nil: break
        case let value as Object where Swift.type(of: value) == target: linked = value
        case let value? where value is [String: Any] || value is [Any] || value is ObjectBase:
            let made = target.init()
            try made.assign(from: value)
            linked = made
        default: throw InvalidValueError(refusing: value, of: object, wrapper: wrapper)
        }
        let persisted = wrapper.assumingMemoryBound(to: Persisted<Object?>.self)
        if object._isManaged {
            target._writeOptional(object, Int(persisted.pointee.column), linked)
        } else {
            persisted.pointee.unmanaged = .some(linked)
        }
    }

    func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue? { nil }
    func primaryKey(of value: Any?) -> PrimaryKeyValue? { nil }
}
