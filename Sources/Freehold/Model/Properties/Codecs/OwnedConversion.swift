/// Converts between values of the program and the embedded objects that they are stored as.
struct OwnedConversion<Value: _MappedPersistable>: Sendable {
    /// The class of the embedded objects: `Value.PersistedType`.
    let target: EmbeddedObject.Type

    /// Nil for types that are stored as something else.
    init?() {
        guard let target = Value.PersistedType.self as? EmbeddedObject.Type else { return nil }
        self.target = target
    }

    /// What is stored for a value: in most programs a new object with each call. The
    /// initialiser has checked the type.
    func object(for value: Value) -> ObjectBase {
        unsafeDowncast(value._rlmPersisted as AnyObject, to: ObjectBase.self)
    }

    /// The value that an embedded object stands for, nil if there is none. The object must be
    /// one of the class.
    func value(of object: ObjectBase) -> Value? {
        Value._rlmFromPersisted(unsafeBitCast(object, to: Value.PersistedType.self))
    }

    /// A value itself, or what converts to one: an embedded object, of one that has an owner
    /// its copy, or the literal of one. Nil for all else.
    func value(from given: Any) throws(InvalidValueError) -> Value? {
        if let value = given as? Value { return value }
        guard let object = try LinkCodec(target: target, isOptional: true).linked(from: given)
        else { return nil }
        return value(of: object._isManaged ? EmbeddedObject.unmanagedCopy(of: object) : object)
    }
}
