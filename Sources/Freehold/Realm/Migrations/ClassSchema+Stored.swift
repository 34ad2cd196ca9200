import Foundation
import FreeholdStorage

extension SchemaSet {
    /// The classes in a file's catalog, whether or not the program declares them.
    convenience init(storedIn catalog: Catalog) {
        self.init(
            unchecked: catalog.classTables.map { ClassSchema(stored: $0, in: catalog) }.sorted {
                $0.className < $1.className
            })
    }
}

extension ClassSchema {
    /// A class as stored in a file. Its objects are available as dynamic objects only; its
    /// properties are named after their columns.
    convenience init(stored table: TableDefinition, in catalog: Catalog) {
        let properties = table.columns.enumerated().map { ordinal, column in
            let role: PersistedRole =
                column.id == table.primaryKey
                ? .primaryKey
                : column.isFullText
                    ? .fullTextIndexed
                    : column.isIndexed && column.isIndexedByChoice ? .indexed : .plain
            return PropertyDescriptor(
                ordinal: ordinal, name: column.name, columnName: column.name, role: role, offset: 0,
                codec: StoredCodecs.codec(of: column, in: catalog))
        }
        self.init(
            className: table.name, tableName: table.name,
            type: StoredClasses.type(named: table.name, isEmbedded: table.isOwned),
            properties: properties, hasOnlyPersistedState: false)
    }

    /// Whether the class is known only from a file.
    var isStored: Bool { type is any StoredClass.Type }
}

extension ColumnDefinition {
    /// Whether the index of the column is optional.
    fileprivate var isIndexedByChoice: Bool { collection == nil && type != .link && type != .mixed }
}

/// The codecs of columns.
private enum StoredCodecs {
    static func codec(of column: ColumnDefinition, in catalog: Catalog) -> any PropertyCodec {
        func target() -> ObjectBase.Type {
            guard let table = column.target.flatMap({ catalog[$0] }) else {
                preconditionFailure("A link's column names a table of its catalog.")
            }
            return StoredClasses.type(named: table.name, isEmbedded: table.isOwned)
        }
        if let kind = column.collection {
            if kind.type == .link { return StoredLinksCodec(kind: kind.shape, target: target()) }
            if kind.type == .mixed { return collection(of: AnyRealmValue.self, kind.shape) }
            guard let scalar = kind.type.scalar else {
                preconditionFailure("Links and mixed values are no scalars; all else is.")
            }
            return kind.isNullable
                ? optionals(of: scalar, kind.shape) : values(of: scalar, kind.shape)
        }
        if column.type == .link { return LinkCodec(target: target(), isOptional: true) }
        guard let scalar = column.type.scalar else { return AnyValueCodec(isOptional: false) }
        return scalar.codec(isOptional: column.isNullable)
    }

    private static func values<Value: ScalarValue>(
        of type: Value.Type, _ shape: StoredCollectionKind.Shape
    ) -> any PropertyCodec { collection(of: Value.self, shape) }

    private static func optionals<Value: ScalarValue>(
        of type: Value.Type, _ shape: StoredCollectionKind.Shape
    ) -> any PropertyCodec { collection(of: Value?.self, shape) }

    private static func collection<Element: RealmCollectionValue>(
        of type: Element.Type, _ shape: StoredCollectionKind.Shape
    ) -> any PropertyCodec {
        switch shape {
        case .list: CollectionCodec<List<Element>>()
        case .set: CollectionCodec<MutableSet<Element>>()
        case .map: CollectionCodec<Map<String, Element>>()
        }
    }
}

/// The codec of a collection of objects of a ``StoredClass``. Such a collection is read as a
/// collection of dynamic objects, which does not use the codec.
private struct StoredLinksCodec: PropertyCodec {
    let kind: CollectionKind
    let target: ObjectBase.Type

    var shape: CollectionKind? { kind }
    var type: PropertyType { .object }
    var columnType: ColumnType? { .bytes }
    var isOptional: Bool { kind == .map }
    var elementTarget: ObjectBase.Type? { target }
    var storage: any WrapperStorage.Type { LinkStorage.self }

    func elementDescriptor() -> AnyElementDescriptor? {
        kind == .map
            ? ElementDescriptor(
                kind,
                LinkElementCodec<DynamicObject?>(object: target, isOptional: true, isDynamic: true),
                .link)
            : ElementDescriptor(
                kind,
                LinkElementCodec<DynamicObject>(object: target, isOptional: false, isDynamic: true),
                .link)
    }

    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? { nil }

    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer)
        throws(InvalidValueError)
    { throw InvalidValueError(refusing: value, of: object, wrapper: wrapper) }
}
