import FreeholdStorage

/// Moves values out of the wrappers of one property type. Static, so that what a class needs for its properties is a list of plain
/// words: storing and attaching an object counts no references but those of its values.
///
/// Everywhere, `wrapper` is the address of the property's `Persisted` inside an unmanaged object, which the caller keeps alive.
protocol WrapperStorage: SendableMetatype {
    /// Writes the value into a row; if asked so, only if the row holds another one.
    static func store(_ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID, onlyIfDifferent: Bool)
    /// Makes the wrapper read from a column; its unmanaged value is dropped.
    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16)
}

/// The wrapper of an optional built-in type.
enum OptionalScalarStorage<Scalar: ScalarValue>: WrapperStorage {
    static func store(_ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID, onlyIfDifferent: Bool) {
        Scalar.storeOptional(wrapper, in: row, column, onlyIfDifferent: onlyIfDifferent)
    }

    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) { Scalar.attachOptional(wrapper, column: column) }
}

/// The wrapper of an enum. `Raw` is the enum's raw value type.
enum EnumStorage<Enum: PersistableEnum, Raw: ScalarValue>: WrapperStorage {
    static func store(_ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID, onlyIfDifferent: Bool) {
        let value = unsafeBitCast(Persisted<Enum>.unsafeUnmanagedValue(at: wrapper).rawValue, to: Raw.self)
        if onlyIfDifferent, Raw.isStored(value, in: row, column) { return }
        Raw.store(value, in: row, column)
    }

    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) { Persisted<Enum>.unsafeAttach(wrapper, column: column) }
}

/// The wrapper of an optional enum. `Raw` is the enum's raw value type.
enum OptionalEnumStorage<Enum: PersistableEnum, Raw: ScalarValue>: WrapperStorage {
    static func store(_ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID, onlyIfDifferent: Bool) {
        let value = Persisted<Enum?>.unsafeUnmanagedValue(at: wrapper).map { unsafeBitCast($0.rawValue, to: Raw.self) }
        Raw.store(optional: value, in: row, column, onlyIfDifferent: onlyIfDifferent)
    }

    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) { Persisted<Enum?>.unsafeAttach(wrapper, column: column) }
}

/// The wrapper of a link, which ``ClassBinding/storeValues(of:into:onlyDiffering:skippingPrimaryKey:)`` stores.
enum LinkStorage: WrapperStorage {
    static func store(_ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID, onlyIfDifferent: Bool) {}

    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) { Persisted<Object?>.unsafeAttach(wrapper, column: column) }
}
