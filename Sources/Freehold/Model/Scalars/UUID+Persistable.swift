public import Foundation
import FreeholdStorage

extension UUID: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable,
    _PrimaryKey
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = UUID
    /// The property type in schemas: `.UUID`.
    public static var _rlmType: PropertyType { .UUID }
    /// Returns the default value, a new identifier.
    @inlinable public static func _rlmDefaultValue() -> UUID { UUID() }
    /// Returns a new identifier for a new object. Created together with the object, so that
    /// every read returns the same one.
    @inlinable public static func _rlmInitialValue() -> UUID? { UUID() }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> UUID {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> UUID? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: UUID) {
        writeProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: UUID?) {
        writeOptionalProperty(object, column, value)
    }
}

extension UUID: FixedScalar {
    static var columnType: ColumnType { .fixed16 }
    static var isOrdered: Bool { false }
    static var samples: [UUID] { [UUID()] }

    @inline(__always)
    static func load(_ view: ColumnView, _ row: Int) -> UUID {
        UUID(storedWords: view.fixed16(at: row))
    }

    @inline(__always)
    static func store(_ value: UUID, in row: MutableRow, _ column: ColumnID) {
        row.setFixed16(column, value.storedWords)
    }

    static func isStored(_ value: UUID, in row: MutableRow, _ column: ColumnID) -> Bool {
        row.cluster.columns[column.position].fixed16(at: row.row) == value.storedWords
    }

    @inline(__always)
    init(stored: FixedValue) { self.init(storedWords: stored.fixed16) }

    @inline(__always)
    var stored: FixedValue { FixedValue(storedWords) }

    static var literalName: String { "uuid" }
    static var literalDescription: String { "a UUID" }

    init?(literal: String) { self.init(uuidString: literal) }

    var literal: String { uuidString.lowercased() }
}

extension UUID {
    /// The 16 bytes as two words in memory order.
    @inline(__always)
    var storedWords: (UInt64, UInt64) {
        withUnsafeBytes(of: uuid) {
            (
                $0.loadUnaligned(as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }

    /// The inverse of ``storedWords``.
    @inline(__always)
    init(storedWords words: (UInt64, UInt64)) {
        self.init(uuid: withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) })
    }
}
