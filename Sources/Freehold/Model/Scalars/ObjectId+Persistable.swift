import FreeholdStorage

extension ObjectId: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable,
    _PrimaryKey
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = ObjectId
    /// The property type in schemas: `.objectId`.
    public static var _rlmType: PropertyType { .objectId }
    /// Returns the default value, a new identifier.
    @inlinable public static func _rlmDefaultValue() -> ObjectId { .generate() }
    /// Returns a new identifier for a new object. Created together with the object, so that
    /// every read returns the same one.
    @inlinable public static func _rlmInitialValue() -> ObjectId? { .generate() }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> ObjectId {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> ObjectId? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: ObjectId) {
        writeProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: ObjectId?) {
        writeOptionalProperty(object, column, value)
    }
}

extension ObjectId: FixedScalar {
    static var columnType: ColumnType { .fixed12 }
    static var isOrdered: Bool { false }
    static var samples: [ObjectId] { [.generate()] }

    @inline(__always)
    static func load(_ view: ColumnView, _ row: Int) -> ObjectId {
        ObjectId(storedWords: view.fixed12(at: row))
    }

    @inline(__always)
    static func store(_ value: ObjectId, in row: MutableRow, _ column: ColumnID) {
        row.setFixed12(column, value.storedWords)
    }

    static func isStored(_ value: ObjectId, in row: MutableRow, _ column: ColumnID) -> Bool {
        row.cluster.columns[column.position].fixed12(at: row.row) == value.storedWords
    }

    @inline(__always)
    init(stored: FixedValue) { self.init(storedWords: stored.fixed12) }

    @inline(__always)
    var stored: FixedValue { FixedValue(storedWords) }

    static var literalName: String { "oid" }
    static var literalDescription: String { "an object id of 24 hexadecimal digits" }

    init?(literal: String) {
        guard let id = try? ObjectId(string: literal) else { return nil }
        self = id
    }
}

extension ObjectId {
    /// The 12 bytes as two words in memory order.
    @inline(__always)
    var storedWords: (UInt64, UInt32) {
        (UInt64(word0.bigEndian) | UInt64(word1.bigEndian) &<< 32, word2.bigEndian)
    }

    /// The inverse of ``storedWords``.
    @inline(__always)
    init(storedWords words: (UInt64, UInt32)) {
        self.init(
            words: (
                UInt32(bigEndian: UInt32(truncatingIfNeeded: words.0)),
                UInt32(bigEndian: UInt32(truncatingIfNeeded: words.0 &>> 32)),
                UInt32(bigEndian: words.1)
            ))
    }
}
