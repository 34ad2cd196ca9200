import FreeholdStorage

/// A model class as declared in the program: its properties in order of declaration, those of
/// superclasses first. Created once per class; immutable.
///
/// Thread rule: use it anywhere.
final class ClassSchema: Sendable {
    let className: String
    /// The name of the class in the file. Several classes may share one.
    let tableName: String
    let type: ObjectBase.Type
    /// The properties with a column.
    let properties: [PropertyDescriptor]
    /// The properties without a column, which follow from other objects. Their ordinals continue
    /// those of `properties`.
    let computed: [PropertyDescriptor]
    /// The ordinal of the primary key's property.
    let primaryKey: Int?
    /// Whether all stored properties of the class are persisted.
    let hasOnlyPersistedState: Bool
    /// The properties that are links.
    let links: [PropertyDescriptor]
    /// The properties that are collections.
    let collections: [PropertyDescriptor]
    /// The properties of type ``AnyRealmValue``.
    let anyValues: [PropertyDescriptor]
    let primaryKeyProperty: PropertyDescriptor?
    /// Whether objects belong to the object that links to them.
    let isEmbedded: Bool
    /// Whether some properties contain embedded objects that are values of the program.
    let convertsObjects: Bool
    /// Whether objects without a primary key get one when they are added.
    let isAutoIncremented: Bool
    /// The properties that affect the deletion of an object: all links without the nullify rule.
    let relationships: [Relationship]
    /// In a migration, the property whose values are the current or future row keys.
    let rowKeySource: PropertyDescriptor?
    private let names: [String]
    /// Empty for small classes, for which comparing the names is faster than hashing one.
    private let ordinals: [String: Int]

    init(
        className: String, tableName: String, type: ObjectBase.Type,
        properties: [PropertyDescriptor], computed: [PropertyDescriptor] = [],
        hasOnlyPersistedState: Bool, rowKeySource: PropertyDescriptor? = nil
    ) {
        self.rowKeySource = rowKeySource
        self.className = className
        self.tableName = tableName
        self.type = type
        self.properties = properties
        self.computed = computed
        self.hasOnlyPersistedState = hasOnlyPersistedState
        primaryKey = properties.first { $0.isPrimaryKey }?.ordinal
        primaryKeyProperty = properties.first { $0.isPrimaryKey }
        isEmbedded = type is EmbeddedObject.Type
        isAutoIncremented = primaryKeyProperty?.isAutoIncremented ?? false
        convertsObjects = properties.contains { $0.isConverted }
        relationships = properties.compactMap { Relationship($0) }
        links = properties.filter { $0.link != nil }
        collections = properties.filter { $0.shape != nil }
        anyValues = properties.filter { $0.shape == nil && $0.type == .any }
        names = properties.map(\.name)
        ordinals =
            properties.count <= 16
            ? [:]
            : Dictionary(
                properties.map { ($0.name, $0.ordinal) }, uniquingKeysWith: { first, _ in first })
    }

    /// The property with an ordinal, including computed ones.
    func declaredProperty(at ordinal: Int) -> PropertyDescriptor {
        ordinal < properties.count ? properties[ordinal] : computed[ordinal - properties.count]
    }

    /// The property with this name in the program, including computed ones.
    func declaredProperty(named name: String) -> PropertyDescriptor? {
        property(named: name) ?? computed.first { $0.name == name }
    }

    /// The property with this name in the program. O(1).
    func property(named name: String) -> PropertyDescriptor? {
        ordinal(named: name).map { properties[$0] }
    }

    /// The position of the property with this name in the program. O(1), without copying a
    /// descriptor.
    func ordinal(named name: String) -> Int? {
        ordinals.isEmpty ? names.firstIndex(of: name) : ordinals[name]
    }
}

/// One persisted property of a model class.
///
/// A class, so that iterating over the properties of an object copies one reference each.
final class PropertyDescriptor: Sendable {
    /// The position among the class's properties.
    let ordinal: Int
    let name: String
    /// The name in the file.
    let columnName: String
    /// True for the primary key, too.
    let isIndexed: Bool
    /// Whether the words of the text are indexed.
    let isFullText: Bool
    let isPrimaryKey: Bool
    /// Whether the history keeps the value of a deleted object.
    let isPreserved: Bool
    /// Whether an object without a value gets the next one when it is added.
    let isAutoIncremented: Bool
    /// The declared rule; embedded objects are always deleted.
    let deleteRule: DeleteRule
    /// The offset in bytes of the property's `Persisted` wrapper from the object's address.
    let offset: Int
    /// Moves values between the wrapper, columns and `Any`.
    let codec: any PropertyCodec
    /// Whether the property contains embedded objects.
    let isOwning: Bool
    /// The same codec if the property is a link.
    let link: (any LinkPropertyCodec)?
    /// Whether the embedded objects are values of the program, which are converted when they are
    /// read and written.
    let isConverted: Bool
    /// Whether the property has no column, because it follows from other objects.
    let isComputed: Bool
    /// For a computed property, the property of other objects whose links it follows backwards;
    /// nil if the declaration names none.
    let originPropertyName: String?

    init(
        ordinal: Int, name: String, columnName: String, role: PersistedRole, offset: Int,
        codec: any PropertyCodec, originPropertyName: String? = nil
    ) {
        self.ordinal = ordinal
        self.name = name
        self.columnName = columnName
        isPrimaryKey = role == .primaryKey || role == .autoIncrementedPrimaryKey
        isFullText = role == .fullTextIndexed
        isIndexed = role == .indexed || role == .indexedAndPreserved || isPrimaryKey
        isPreserved = role == .preserved || role == .indexedAndPreserved
        isAutoIncremented = role == .autoIncrementedPrimaryKey || role == .autoIncremented
        deleteRule = role == .cascading ? .cascade : role == .denying ? .deny : .nullify
        self.offset = offset
        self.codec = codec
        link = codec as? any LinkPropertyCodec
        isConverted = codec.convertsObjects
        isComputed = codec is any ComputedCodec
        self.originPropertyName = originPropertyName
        isOwning = !isComputed && (link?.target ?? codec.elementTarget) is EmbeddedObject.Type
    }

    /// The kind of collection; nil if the property is not a collection.
    var shape: CollectionKind? { codec.shape }
    var type: PropertyType { codec.type }
    /// The type of the column. Only for properties of an open realm's classes, which can be
    /// stored (``isStorable``).
    var columnType: ColumnType {
        guard let type = codec.columnType else {
            preconditionFailure("A realm does not open with '\(name)', which cannot be stored.")
        }
        return type
    }
    var isStorable: Bool { codec.columnType != nil }
    var isOptional: Bool { codec.isOptional }
    /// The class of the objects in the property.
    var objectType: ObjectBase.Type? { link?.target ?? codec.elementTarget }
    /// The name of the class that a link points to.
    var targetClassName: String? { link?.target.className() }
}
