import FreeholdStorage

/// A model class as declared in the program, found once per class and immutable: its properties in order of declaration.
final class ClassSchema: Sendable {
    let className: String
    let type: ObjectBase.Type
    let properties: [PropertyDescriptor]
    /// The ordinal of the primary key's property.
    let primaryKey: Int?

    init(className: String, type: ObjectBase.Type, properties: [PropertyDescriptor], primaryKey: Int?) {
        self.className = className
        self.type = type
        self.properties = properties
        self.primaryKey = primaryKey
    }
}

/// One persisted property of a model class.
struct PropertyDescriptor: Sendable {
    let name: String
    /// The name in the file.
    let columnName: String
    let columnType: ColumnType
    let isOptional: Bool
    let isIndexed: Bool
    let isPrimaryKey: Bool
    /// The class that a link points to.
    let targetClassName: String?
    /// Where the property's `Persisted` wrapper begins in an instance, in bytes from the object's address.
    let offset: Int
    /// Moves values between the wrapper, columns and `Any`.
    let codec: any PropertyCodec
}

/// What the library does with a property whose type it does not know statically. One instance per property type.
protocol PropertyCodec: Sendable {
    /// Writes the unmanaged object's value into a new row. Links are resolved (and added) by `core`.
    func store(from wrapper: UnsafeMutableRawPointer, into row: MutableRow, column: ColumnID, core: RealmCore)
    /// Makes the wrapper read from the given column; its unmanaged value is dropped.
    func attach(_ wrapper: UnsafeMutableRawPointer, column: ColumnID)
    /// The value as `Any?`, managed or not.
    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any?
    /// Converts and assigns, managed or not; throws if the value does not fit.
    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer) throws
}
