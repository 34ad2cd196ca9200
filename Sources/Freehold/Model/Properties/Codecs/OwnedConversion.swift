/// Converts between values of the program and the embedded objects that store them.
struct OwnedConversion<Value: _MappedPersistable>: Sendable {
    /// The class of the embedded objects: `Value.PersistedType`.
    let target: EmbeddedObject.Type

    /// Nil for types that are stored differently.
    init?() {
        guard let target = Value.PersistedType.self as? EmbeddedObject.Type else { return nil }
        self.target = target
    }

    /// The object that stores a value: in most programs a new one with each call. The
    /// initialiser has checked the type.
    func object(for value: Value) -> ObjectBase {
        unsafeDowncast(value._rlmPersisted as AnyObject, to: ObjectBase.self)
    }

    /// The value of an embedded object; nil if it does not convert. The object must be of the
    /// class.
    func value(of object: ObjectBase) -> Value? {
        Value._rlmFromPersisted(unsafeBitCast(object, to: Value.PersistedType.self))
    }

    /// Returns the value itself, or converts an embedded object or a literal of one; an object
    /// with an owner is copied first. Nil for other values.
    func value(from given: Any) throws(InvalidValueError) -> Value? {
        if let value = given as? Value { return value }
        guard let object = try LinkCodec(target: target, isOptional: true).linked(from: given)
        else { return nil }
        return value(of: object._isManaged ? EmbeddedObject.unmanagedCopy(of: object) : object)
    }
}
