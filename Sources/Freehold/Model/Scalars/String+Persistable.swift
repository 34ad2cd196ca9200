import FreeholdStorage

extension String: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable,
    _PrimaryKey, SortableType, _QueryString
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = String
    /// The property type in schemas: `.string`.
    public static var _rlmType: PropertyType { .string }
    /// Returns the default value, which is empty.
    @inlinable public static func _rlmDefaultValue() -> String { "" }

    /// Reads the property of a managed object. O(length).
    public static func _read(_ object: ObjectBase, _ column: Int) -> String {
        object.withBytes(column) { String(storedBytes: $0) }
    }

    /// Reads the optional property of a managed object. O(length).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> String? {
        object.withOptionalBytes(column) { String(storedBytes: $0) }
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: String) {
        writeProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: String?) {
        writeOptionalProperty(object, column, value)
    }
}

extension String: ScalarValue {
    static var columnType: ColumnType { .text }
    static var samples: [String] { ["x", "Sample Text"] }

    @inline(__always)
    static func load(_ view: ColumnView, _ row: Int) -> String {
        String(storedBytes: view.heapBytes(at: row))
    }

    @inline(__always)
    static func store(_ value: String, in row: MutableRow, _ column: ColumnID) {
        var value = value
        value.withUTF8 { row.setBytes(column, UnsafeRawBufferPointer($0)) }
    }

    static func isStored(_ value: String, in row: MutableRow, _ column: ColumnID) -> Bool {
        var value = value
        return value.withUTF8 { row.holds(UnsafeRawBufferPointer($0), column) }
    }

    static func indexKey(for value: String) -> IndexKey? {
        var value = value
        return value.withUTF8 { .bytes(UnsafeRawBufferPointer($0)) }
    }

    /// Accepts texts.
    static func converted(from value: Any) -> String? {
        (value as? String) ?? (value as? Substring).map { String($0) }
    }
}

extension String {
    /// Creates a text from storage. Bytes that are not UTF-8, which only a damaged file
    /// contains, become U+FFFD.
    @inline(__always)
    init(storedBytes bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
    }
}

extension MutableRow {
    /// Whether the row's text or bytes equal these.
    func holds(_ bytes: UnsafeRawBufferPointer, _ column: ColumnID) -> Bool {
        table.withBytes(cluster, column, row) { $0.elementsEqual(bytes) }
    }
}
