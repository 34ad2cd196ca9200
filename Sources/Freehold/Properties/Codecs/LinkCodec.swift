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
    var columnType: ColumnType? { .link }

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
        if let given = flattened(value) {
            linked = try self.linked(from: given)
            if linked == nil { throw InvalidValueError(refusing: value, of: object, wrapper: wrapper) }
        }
        let persisted = wrapper.assumingMemoryBound(to: Persisted<Object?>.self)
        if object._isManaged {
            target._writeOptional(object, Int(persisted.pointee.column), linked)
        } else {
            persisted.pointee.unmanaged = .some(linked)
        }
    }

    /// The object itself if it is of exactly the target class, a new one for a literal; nil for other values.
    func linked(from value: Any) throws(InvalidValueError) -> Object? {
        if let object = value as? Object, Swift.type(of: object) == target { return object }
        if let typed = (value as? DynamicObject)?.typed as? Object, Swift.type(of: typed) == target { return typed }
        guard value is [String: Any] || value is [Any] || value is ObjectBase else { return nil }
        let made = target.init()
        try made.assign(from: value)
        return made
    }

    func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue? { nil }
    func primaryKey(of value: Any?) -> PrimaryKeyValue? { nil }
}
