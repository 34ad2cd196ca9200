import FreeholdStorage

/// Moves values out of the wrappers of one property type. The functions are static, so that a
/// class needs only a list of plain words for its properties. Storing and attaching an object
/// then retains only its values.
///
/// Everywhere, `wrapper` is the address of the property's `Persisted` inside an unmanaged
/// object, which the caller keeps alive.
protocol WrapperStorage: SendableMetatype {
    /// Writes the value into a row; if requested, only if the row has another one.
    static func store(
        _ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID,
        onlyIfDifferent: Bool)
    /// Makes the wrapper read from a column, and drops its unmanaged value.
    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16)
}

extension WrapperStorage {
    /// Does nothing: values that need more than their row are stored elsewhere.
    static func store(
        _ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID,
        onlyIfDifferent: Bool
    ) {}
}

/// The wrapper of an optional built-in type.
enum OptionalScalarStorage<Scalar: ScalarValue>: WrapperStorage {
    static func store(
        _ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID,
        onlyIfDifferent: Bool
    ) { Scalar.storeOptional(wrapper, in: row, column, onlyIfDifferent: onlyIfDifferent) }

    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) {
        Scalar.attachOptional(wrapper, column: column)
    }
}

/// The wrapper of a type that is stored as another one, `Base`.
enum MappedStorage<Value: _MappedPersistable, Base: ScalarValue>: WrapperStorage {
    static func store(
        _ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID,
        onlyIfDifferent: Bool
    ) {
        let value = unsafeBitCast(
            Persisted<Value>.unsafeUnmanagedValue(at: wrapper)._rlmPersisted, to: Base.self)
        if onlyIfDifferent, Base.isStored(value, in: row, column) { return }
        Base.store(value, in: row, column)
    }

    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) {
        Persisted<Value>.unsafeAttach(wrapper, column: column)
    }
}

/// The wrapper of the optional of a type that is stored as another one, `Base`.
enum OptionalMappedStorage<Value: _MappedPersistable, Base: ScalarValue>: WrapperStorage {
    static func store(
        _ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID,
        onlyIfDifferent: Bool
    ) {
        let value = Persisted<Value?>.unsafeUnmanagedValue(at: wrapper).map {
            unsafeBitCast($0._rlmPersisted, to: Base.self)
        }
        Base.store(optional: value, in: row, column, onlyIfDifferent: onlyIfDifferent)
    }

    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) {
        Persisted<Value?>.unsafeAttach(wrapper, column: column)
    }
}

/// The wrapper of a link, which
/// ``ClassBinding/storeValues(of:into:onlyDiffering:skippingPrimaryKey:)`` stores.
enum LinkStorage: WrapperStorage {
    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) {
        Persisted<Object?>.unsafeAttach(wrapper, column: column)
    }
}

/// The wrapper of a value that is stored as an embedded object, which
/// ``ClassBinding/storeValues(of:into:onlyDiffering:skippingPrimaryKey:)`` stores, or that is not
/// stored.
enum AttachedStorage<Value: _Persistable>: WrapperStorage {
    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) {
        Persisted<Value>.unsafeAttach(wrapper, column: column)
    }
}
