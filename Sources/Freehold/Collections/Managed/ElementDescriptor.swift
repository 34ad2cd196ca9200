import FreeholdStorage

/// What a collection property's elements are and how they are stored, found once for each
/// property: ``ElementDescriptor`` without its type.
class AnyElementDescriptor: @unchecked Sendable {
    // Sendable: immutable.

    let kind: StoredCollectionKind
    /// The class of elements that are embedded objects; nil where they are not.
    let ownedClass: ObjectBase.Type?
    /// The class of elements that are objects, as a realm is asked for it.
    let reference: ClassReference?
    /// The type of the elements, for people: "int", "Dog".
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

/// How elements of one type are read and written.
final class ElementDescriptor<Element: RealmCollectionValue>: AnyElementDescriptor,
    @unchecked Sendable
{
    // Sendable: immutable.

    let codec: any ElementCodec<Element>

    init(_ shape: CollectionKind, _ codec: any ElementCodec<Element>, _ type: ColumnType) {
        self.codec = codec
        let isNullable = codec.isNullable || (shape == .map && type == .link)
        super.init(
            kind: StoredCollectionKind(shape.stored, of: type, isNullable: isNullable),
            ownedClass: codec.target as? EmbeddedObject.Type, reference: codec.reference,
            typeText: codec.typeText)
    }
}

extension CollectionKind {
    /// What the storage calls it.
    var stored: StoredCollectionKind.Shape {
        switch self {
        case .list: .list
        case .set: .set
        case .map: .map
        }
    }
}

extension ElementCodec {
    /// Whether stored elements can be null: optionals, any values, and objects in maps.
    var isNullable: Bool { isOptional || columnType == .mixed }
}
