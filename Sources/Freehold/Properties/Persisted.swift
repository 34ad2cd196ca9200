import FreeholdStorage

/// A value that a property of a model class can have.
public protocol _Persistable {
    static func _rlmDefaultValue() -> Self
    /// Reads the property of a managed object.
    static func _read(_ object: ObjectBase, _ column: Int) -> Self
    /// Writes the property of a managed object.
    static func _write(_ object: ObjectBase, _ column: Int, _ value: Self)
}

@propertyWrapper
public struct Persisted<Value: _Persistable> {
    /// The column's position while the object is managed; first, so that it lies at the wrapper's own address.
    @usableFromInline var column = 0
    /// The unmanaged value; nil until the default is first needed, and in managed objects.
    @usableFromInline var unmanaged: Value?

    public init() {}

    public init(wrappedValue: Value) { unmanaged = wrappedValue }

    @available(*, unavailable, message: "@Persisted can only be used as a property on a Realm object")
    public var wrappedValue: Value {
        get { fatalError() }
        set { fatalError() }
    }

    public static subscript<EnclosingSelf: ObjectBase>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrapped: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storage: ReferenceWritableKeyPath<EnclosingSelf, Self>
    ) -> Value {
        @inlinable @inline(__always) get {
            // The attributes stand on the accessor, not on the subscript: only then does the optimiser fold the key
            // path away (2 ns instead of 32).
            if object._isManaged { return Value._read(object, object[keyPath: storage].column) }
            if let value = object[keyPath: storage].unmanaged { return value }
            let value = Value._rlmDefaultValue()
            object[keyPath: storage].unmanaged = value
            return value
        }
        @inlinable @inline(__always) set {
            if object._isManaged {
                Value._write(object, object[keyPath: storage].column, newValue)
            } else {
                object[keyPath: storage].unmanaged = newValue
            }
        }
    }
}
extension Int: _Persistable {
    public static func _rlmDefaultValue() -> Int { 0 }
    public static func _read(_ object: ObjectBase, _ column: Int) -> Int {
        Int(truncatingIfNeeded: object.columnForReading(column).pointee.integer(at: object.row))
    }
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Int) {
        object.rowForWriting(column).setInteger(ColumnID(rawValue: UInt16(truncatingIfNeeded: column)), Int64(value))
    }
}
