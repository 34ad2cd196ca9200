import FreeholdStorage

/// A model class as declared in the program, found once per class and immutable: its properties
/// in order of declaration, those of superclasses first.
///
/// Thread rule: use it anywhere.
final class ClassSchema: Sendable {
    let className: String
    /// The name of the class in the file. Several classes may have one.
    let tableName: String
    let type: ObjectBase.Type
    /// Those that have a column.
    let properties: [PropertyDescriptor]
    /// Those that have none, because they follow from other objects. Their ordinals go on from
    /// those of `properties`.
    let computed: [PropertyDescriptor]
    /// The ordinal of the primary key's property.
    let primaryKey: Int?
    /// Whether the class has no stored properties but persisted ones.
    let hasOnlyPersistedState: Bool
    /// The properties that are links.
    let links: [PropertyDescriptor]
    /// The properties that are collections.
    let collections: [PropertyDescriptor]
    /// The properties that are any values.
    let anyValues: [PropertyDescriptor]
    let primaryKeyProperty: PropertyDescriptor?
    /// Whether objects belong to the object that links to them.
    let isEmbedded: Bool
    /// Whether some properties hold embedded objects that are values to the program.
    let convertsObjects: Bool
    /// Whether objects without a primary key get one when they are added.
    let isAutoIncremented: Bool
    /// The properties whose targets matter when an object is deleted: all but links with the
    /// rule to nullify.
    let relationships: [Relationship]
    /// In a migration, the property that has the values of the rows' keys, or will have.
    let rowKeySource: PropertyDescriptor?
    private let names: [String]
    /// Empty for small classes, where comparing the names is faster than hashing one.
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

    /// The property with an ordinal, computed ones included.
    func declaredProperty(at ordinal: Int) -> PropertyDescriptor {
        ordinal < properties.count ? properties[ordinal] : computed[ordinal - properties.count]
    }

    /// The property with this name in the program, computed ones included.
    func declaredProperty(named name: String) -> PropertyDescriptor? {
        property(named: name) ?? computed.first { $0.name == name }
    }

    /// The property with this name in the program. O(1).
    func property(named name: String) -> PropertyDescriptor? {
        ordinal(named: name).map { properties[$0] }
    }

    /// The position of the property with this name in the program. O(1), and copies no descriptor.
    func ordinal(named name: String) -> Int? {
        ordinals.isEmpty ? names.firstIndex(of: name) : ordinals[name]
    }
}

/// One persisted property of a model class.
///
/// A class, so that going through the properties of an object copies one reference each.
final class PropertyDescriptor: Sendable {
    /// The position among the class's properties.
    let ordinal: Int
    let name: String
    /// The name in the file.
    let columnName: String
    /// True for the primary key too.
    let isIndexed: Bool
    /// Whether its words are indexed.
    let isFullText: Bool
    let isPrimaryKey: Bool
    /// Whether an object without a value gets the next one when it is added.
    let isAutoIncremented: Bool
    /// What the declaration says; embedded objects are deleted in any case.
    let deleteRule: DeleteRule
    /// Where the property's `Persisted` wrapper begins in an instance, in bytes from the
    /// object's address.
    let offset: Int
    /// Moves values between the wrapper, columns and `Any`.
    let codec: any PropertyCodec
    /// Whether the object or the objects that the property holds are embedded.
    let isOwning: Bool
    /// The same codec if the property is a link.
    let link: (any LinkPropertyCodec)?
    /// Whether its embedded objects are values to the program, which are converted when they
    /// are read and written.
    let isConverted: Bool
    /// Whether the property has no column, because it follows from other objects.
    let isComputed: Bool
    /// Of a computed property: the property of other objects whose links it follows back; nil
    /// if the declaration names none.
    let originPropertyName: String?

    init(
        ordinal: Int, name: String, columnName: String, role: PersistedRole, offset: Int,
        codec: any PropertyCodec,
        originPropertyName: String? = nil
    ) {
        self.ordinal = ordinal
        self.name = name
        self.columnName = columnName
        isPrimaryKey = role == .primaryKey || role == .autoIncrementedPrimaryKey
        isFullText = role == .fullTextIndexed
        isIndexed = role == .indexed || isPrimaryKey
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

    /// Which collection it is, nil if it is none.
    var shape: CollectionKind? { codec.shape }
    var type: PropertyType { codec.type }
    /// How it is stored. Only of classes that a realm has, which are refused otherwise
    /// (``isStorable``).
    var columnType: ColumnType {
        guard let type = codec.columnType else {
            preconditionFailure("A realm does not open with '\(name)', which cannot be stored.")
        }
        return type
    }
    var isStorable: Bool { codec.columnType != nil }
    var isOptional: Bool { codec.isOptional }
    /// The class of the object or of the objects that the property holds.
    var objectType: ObjectBase.Type? { link?.target ?? codec.elementTarget }
    /// The name of the class that a link points to.
    var targetClassName: String? { link?.target.className() }
}
