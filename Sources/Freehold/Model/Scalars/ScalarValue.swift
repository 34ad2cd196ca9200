import FreeholdStorage

/// A built-in property type, for code that does not know it statically.
///
/// Property access does not use a witness table: each type's `_read` and `_write` are concrete
/// functions. The requirements with default implementations are called once per property when
/// objects are added, created from literals or read by name. Because they are requirements, they
/// are compiled for each conforming type instead of running as generic code.
protocol ScalarValue: _PersistableInsideOptional, _RealmCollectionValueInsideOptional,
    WrapperStorage
{
    static var columnType: ColumnType { get }
    /// Whether queries have `<` and its like for the values.
    static var isOrdered: Bool { get }
    /// Values to try a property of the type out with, no two the same.
    static var samples: [Self] { get }
    /// The value at a row of a column, which must not be null. Text and bytes must lie in the
    /// column, not in the blob database.
    static func load(_ view: ColumnView, _ row: Int) -> Self
    /// Appends the values of the first rows of a column without nulls.
    static func appendAll(_ view: ColumnView, _ count: Int, to values: inout [Self])
    /// Writes a value into a row.
    static func store(_ value: Self, in row: MutableRow, _ column: ColumnID)
    /// Whether the row, which must not be null, has exactly this value: bit by bit for
    /// floating-point numbers.
    static func isStored(_ value: Self, in row: MutableRow, _ column: ColumnID) -> Bool
    /// The value as a key of an index; nil for types without indexes.
    static func indexKey(for value: Self) -> IndexKey?
    /// The value as a row key; nil except for integers.
    static func rowKey(for value: Self) -> Int64?
    /// Converts like Realm's dynamic API; nil if the value does not fit.
    static func converted(from value: Any) -> Self?

    // Implemented once, compiled for each type. The requirements of ``WrapperStorage`` are for
    // the wrappers of plain properties.

    static func storeOptional(
        _ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID,
        onlyIfDifferent: Bool)
    static func attachOptional(_ wrapper: UnsafeMutableRawPointer, column: UInt16)
    /// The primary key in the wrapper of a plain property.
    static func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue?
}

// A cached column is read without a call and without saving a register; everything else is one
// call at the end. A call in between would need the object afterwards, and so registers that
// every read would have to save.
extension ScalarValue {
    /// The value of a managed object's property.
    @inline(__always)
    static func readProperty(_ object: ObjectBase, _ column: Int) -> Self {
        guard let view = object.columnAtHand(column) else {
            return readPropertySlowly(object, column)
        }
        return load(view.pointee, object.row)
    }

    /// The value of a managed object's property that may be null.
    @inline(__always)
    static func readOptionalProperty(_ object: ObjectBase, _ column: Int) -> Self? {
        guard let view = object.columnAtHand(column) else {
            return readOptionalPropertySlowly(object, column)
        }
        return view.pointee.isNull(at: object.row) ? nil : load(view.pointee, object.row)
    }

    /// Writes the value of a managed object's property.
    @inline(__always)
    static func writeProperty(_ object: ObjectBase, _ column: Int, _ value: Self) {
        store(value, in: object.rowForWriting(column), ColumnID(position: column))
    }

    /// Writes the value of a managed object's property that may be null.
    @inline(__always)
    static func writeOptionalProperty(_ object: ObjectBase, _ column: Int, _ value: Self?) {
        let row = object.rowForWriting(column)
        if let value {
            store(value, in: row, ColumnID(position: column))
        } else {
            row.setNull(ColumnID(position: column))
        }
    }

    @inline(never)
    private static func readPropertySlowly(_ object: ObjectBase, _ column: Int) -> Self {
        load(object.findColumn(column).pointee, object.row)
    }

    @inline(never)
    private static func readOptionalPropertySlowly(_ object: ObjectBase, _ column: Int) -> Self? {
        let view = object.findColumn(column)
        return view.pointee.isNull(at: object.row) ? nil : load(view.pointee, object.row)
    }
}

extension ScalarValue {
    static var isOrdered: Bool { true }

    static func appendAll(_ view: ColumnView, _ count: Int, to values: inout [Self]) {
        values.reserveCapacity(values.count + count)
        for row in 0..<count { values.append(load(view, row)) }
    }

    static func indexKey(for value: Self) -> IndexKey? { nil }
    static func rowKey(for value: Self) -> Int64? { nil }

    static func store(
        _ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID,
        onlyIfDifferent: Bool
    ) {
        let value = Persisted<Self>.unsafeUnmanagedValue(at: wrapper)
        if onlyIfDifferent, isStored(value, in: row, column) { return }
        store(value, in: row, column)
    }

    static func storeOptional(
        _ wrapper: UnsafeMutableRawPointer, in row: MutableRow, _ column: ColumnID,
        onlyIfDifferent: Bool
    ) {
        store(
            optional: Persisted<Self?>.unsafeUnmanagedValue(at: wrapper), in: row, column,
            onlyIfDifferent: onlyIfDifferent)
    }

    @inline(__always)
    static func store(
        optional value: Self?, in row: MutableRow, _ column: ColumnID, onlyIfDifferent: Bool
    ) {
        let wasNull = onlyIfDifferent && row.cluster.columns[column.position].isNull(at: row.row)
        guard let value else {
            if !wasNull { row.setNull(column) }
            return
        }
        if onlyIfDifferent, !wasNull, isStored(value, in: row, column) { return }
        store(value, in: row, column)
    }

    static func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue? {
        primaryKey(for: Persisted<Self>.unsafeUnmanagedValue(at: wrapper))
    }

    /// The value of a primary key that cannot be null.
    @inline(__always)
    static func primaryKey(for value: Self) -> PrimaryKeyValue? {
        if let key = rowKey(for: value) { return .rowKey(key) }
        return indexKey(for: value).map { .index($0) }
    }

    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) {
        Persisted<Self>.unsafeAttach(wrapper, column: column)
    }

    static func attachOptional(_ wrapper: UnsafeMutableRawPointer, column: UInt16) {
        Persisted<Self?>.unsafeAttach(wrapper, column: column)
    }
}

extension Persisted {
    /// The value of the unmanaged wrapper at an address; creates the default if there is no
    /// value yet. An auto-incremented key stays without a value.
    ///
    /// The caller ensures that a `Persisted<Value>` is there.
    @inline(__always)
    static func unsafeUnmanagedValue(at wrapper: UnsafeMutableRawPointer) -> Value {
        let wrapper = wrapper.assumingMemoryBound(to: Self.self)
        if let value = wrapper.pointee.unmanaged { return value }
        let value = Value._rlmDefaultValue()
        if wrapper.pointee.role != .autoIncrementedPrimaryKey { wrapper.pointee.unmanaged = value }
        return value
    }

    /// Makes the wrapper at an address read from a column, and drops its unmanaged value.
    ///
    /// The caller ensures that a `Persisted<Value>` is there.
    @inline(__always)
    static func unsafeAttach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) {
        let wrapper = wrapper.assumingMemoryBound(to: Self.self)
        wrapper.pointee.column = column
        wrapper.pointee.roleOrOwner = 0
        wrapper.pointee.ownerLow = 0
        wrapper.pointee.unmanaged = nil
    }
}

extension ScalarValue {
    /// Does the same as ``converted(from:)``, but also accepts values of the program by their
    /// stored values: enums, and ``CustomPersistable`` types.
    static func convertedLiteral(_ value: Any) -> Self? {
        converted(from: value)
            ?? (value as? any _MappedPersistable).flatMap { converted(from: $0._rlmPersisted) }
    }
}
