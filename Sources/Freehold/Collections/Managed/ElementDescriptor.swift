import FreeholdStorage

/// Describes the elements of a collection property and how they are stored; made once for each
/// property. The untyped part of ``ElementDescriptor``.
class AnyElementDescriptor: @unchecked Sendable {
    // Sendable: immutable.

    let kind: StoredCollectionKind
    /// The class of elements that are embedded objects; nil for other elements.
    let ownedClass: ObjectBase.Type?
    /// The reference by which a realm finds the class of elements that are objects.
    let reference: ClassReference?
    /// The type of the elements, for messages: "int", "Dog".
    let typeText: String

    init(
        kind: StoredCollectionKind, ownedClass: ObjectBase.Type?, reference: ClassReference?,
        typeText: String
    ) {
        self.kind = kind
        self.typeText = typeText
        self.ownedClass = ownedClass
        self.reference = reference
    }
}

/// Describes how elements of one type are read and written.
final class ElementDescriptor<Element: RealmCollectionValue>: AnyElementDescriptor,
    @unchecked Sendable
{
    // Sendable: immutable.

    let codec: any ElementCodec<Element>

    init(_ shape: CollectionKind, _ codec: any ElementCodec<Element>, _ type: ColumnType) {
        self.codec = codec
        let isNullable = codec.isNullable || (shape == .map && type == .link)
        super.init(
            kind: StoredCollectionKind(shape, of: type, isNullable: isNullable),
            ownedClass: codec.target as? EmbeddedObject.Type, reference: codec.reference,
            typeText: codec.typeText)
    }
}

extension ElementCodec {
    /// Whether stored elements can be null: optionals, ``AnyRealmValue``s, and objects in maps.
    var isNullable: Bool { isOptional || columnType == .mixed }
}
