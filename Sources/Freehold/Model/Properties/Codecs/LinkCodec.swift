import FreeholdStorage

/// The codec of a property that is stored as a link.
protocol LinkPropertyCodec: PropertyCodec {
    var target: ObjectBase.Type { get }
    /// The target of an unmanaged object's link. If the codec converts
    /// (``PropertyCodec/convertsObjects``), each call may create a new object.
    func unmanagedTarget(in wrapper: UnsafeMutableRawPointer) -> ObjectBase?
    /// Whether two embedded objects convert to equal values; false if they are not converted.
    func isSameValue(_ a: ObjectBase, _ b: ObjectBase) -> Bool
}

/// The codec of a link to one object, or of one embedded object.
///
/// `Persisted<Dog?>` and `Persisted<Object?>` have the same layout, because all references to
/// Swift classes do. So the wrapper is accessed as the latter. Its value need not be an
/// `Object`, and is not used as one.
struct LinkCodec: LinkPropertyCodec {
    let target: ObjectBase.Type
    /// Always true in a validated schema.
    let isOptional: Bool

    var type: PropertyType { .object }
    var columnType: ColumnType? { .link }

    /// The target of an unmanaged object's link.
    func unmanagedTarget(in wrapper: UnsafeMutableRawPointer) -> ObjectBase? {
        unsafeBitCast(Persisted<Object?>.unsafeUnmanagedValue(at: wrapper), to: ObjectBase?.self)
    }

    func isSameValue(_ a: ObjectBase, _ b: ObjectBase) -> Bool { false }

    /// Whether the property contains an embedded object.
    var isOwning: Bool { target is EmbeddedObject.Type }

    var storage: any WrapperStorage.Type { LinkStorage.self }

    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        guard object._isManaged else { return unmanagedTarget(in: wrapper) }
        return target.readLink(
            of: object, Int(wrapper.assumingMemoryBound(to: Persisted<Object?>.self).pointee.column)
        )
    }

    /// Accepts objects of exactly the target class, and literals for new ones. An unmanaged
    /// object receives a copy of an embedded object that has an owner.
    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer)
        throws(InvalidValueError)
    {
        var linked: ObjectBase?
        if let given = flattened(value) {
            linked = try self.linked(from: given)
            if linked == nil {
                throw InvalidValueError(refusing: value, of: object, wrapper: wrapper)
            }
            if isOwning, let owned = linked, owned._isManaged, !object._isManaged {
                linked = EmbeddedObject.unmanagedCopy(of: owned)
            }
        }
        let persisted = wrapper.assumingMemoryBound(to: Persisted<Object?>.self)
        if object._isManaged {
            target.writeAnyLink(of: object, Int(persisted.pointee.column), linked)
        } else {
            persisted.pointee.unmanaged = .some(unsafeBitCast(linked, to: Object?.self))
        }
    }

    /// Returns the object itself if it is of exactly the target class. Converts a literal to a new
    /// object, and a value of the program to its stored object. Returns nil for other values.
    func linked(from value: Any) throws(InvalidValueError) -> ObjectBase? {
        if let object = value as? ObjectBase, Swift.type(of: object) == target { return object }
        if let dynamic = value as? DynamicObject {
            if let typed = dynamic.typed(as: target) { return typed }
            // The realm's schema lacks its class.
            if dynamic.classOfRow == target { return dynamic }
        }
        if let stored = storedObject(for: value), Swift.type(of: stored) == target {
            return stored._isManaged ? EmbeddedObject.unmanagedCopy(of: stored) : stored
        }
        try LiteralNesting.checkFoundationContainer(value)
        guard value is [String: Any] || value is [Any] || value is ObjectBase,
            !isOfAnotherClass(value, than: target)
        else { return nil }
        let made = target.init()
        try LiteralNesting.enter()
        defer { LiteralNesting.leave() }
        try made.assign(from: value)
        return made
    }
}

/// Whether a value is an object of a class with another name, which a link must not point to. A
/// class of the same name may belong to another realm, or, by its name in the file, to the
/// schema before a migration.
func isOfAnotherClass(_ value: Any, than target: ObjectBase.Type) -> Bool {
    guard let object = value as? ObjectBase, let schema = object.reflectedSchema else {
        return false
    }
    return schema.isStored
        ? schema.className != target.tableName : schema.className != target.className()
}
