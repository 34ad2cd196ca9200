@_spi(Reflection) import Swift

// A class's declaration comes from two places. The program's reflection metadata has names,
// offsets and types of its stored properties; the wrappers of one instance have the arguments of
// `@Persisted(...)`.

extension ClassSchema {
    /// Reads a class's declaration. Runs its initialiser once.
    static func reflect(_ type: ObjectBase.Type) throws(SchemaValidationError) -> ClassSchema {
        let className = type.className()
        let fields = storedProperties(of: type)
        let ignored = Set(type.ignoredProperties())
        let persisted = persistedProperties(among: fields, ignoring: ignored)
        var check = DeclarationCheck(className: className)
        if persisted.isEmpty { check.noProperties() }
        if let property = endlessProperty(among: persisted, in: [ObjectIdentifier(type)]) {
            check.endlessValue(property)
            // No instance can be created.
            try check.finish()
        }

        let instance = type.init()
        let declaredPrimaryKey = (type as? Object.Type)?.primaryKey()
        let declaredIndexes = Set((type as? Object.Type)?.indexedProperties() ?? [])
        let columnNames = type.propertiesMapping()
        var properties: [PropertyDescriptor] = []
        var computed: [(field: StoredProperty, codec: any ComputedCodec)] = []
        for (field, storage) in persisted {
            let name = field.propertyName
            guard let codec = storage.codec else {
                check.unsupportedType(name)
                continue
            }
            if let codec = codec as? any ComputedCodec {
                computed.append((field, codec))
                continue
            }
            var role = storage.wrapper.role(
                at: Unmanaged.passUnretained(instance).toOpaque() + field.offset)
            if name == declaredPrimaryKey, role != .autoIncrementedPrimaryKey {
                role = .primaryKey
            } else if role == .plain, declaredIndexes.contains(name) {
                role = .indexed
            }
            properties.append(
                PropertyDescriptor(
                    ordinal: properties.count, name: name, columnName: columnNames[name] ?? name,
                    role: role, offset: field.offset, codec: codec))
        }
        let computedProperties = computed.enumerated().map { index, property in
            PropertyDescriptor(
                ordinal: properties.count + index, name: property.field.propertyName,
                columnName: property.field.propertyName, role: .plain,
                offset: property.field.offset, codec: property.codec,
                originPropertyName: property.codec.originProperty(
                    in: Unmanaged.passUnretained(instance).toOpaque() + property.field.offset))
        }
        withExtendedLifetime(instance) {}

        check.properties(properties)
        check.computedProperties(computedProperties)
        if type is EmbeddedObject.Type { check.embedded(properties) }
        check.names(declaredPrimaryKey.map { [$0] } ?? [], existIn: properties) {
            "Specified primary key '\(className).\($0)' does not exist."
        }
        check.names(declaredIndexes.sorted(), existIn: properties) {
            "Property '\(className).\($0)', which indexedProperties() names, does not exist."
        }
        check.names(columnNames.keys.sorted(), existIn: properties, orIn: ignored) {
            "Property '\(className).\($0)', which propertiesMapping() names, does not exist."
        }
        try check.finish()
        // Ignored wrappers contain unmanaged values, which a copied accessor would lack.
        return ClassSchema(
            className: className, tableName: type.tableName, type: type, properties: properties,
            computed: computedProperties,
            hasOnlyPersistedState: fields.count == properties.count + computedProperties.count)
    }

    /// Whether a class or its superclasses have persisted properties. Creates no instance.
    /// O(properties).
    static func hasProperties(_ type: ObjectBase.Type) -> Bool {
        !persistedProperties(
            among: storedProperties(of: type), ignoring: Set(type.ignoredProperties())
        ).isEmpty
    }

    /// The first property whose default value would never end; nil if there is none. The values
    /// of such a property are stored as embedded objects and contain, through non-optional
    /// properties only, a value of a class that they are in. Creates no instance.
    private static func endlessProperty(
        among persisted: [(field: StoredProperty, storage: PersistedType)],
        in outer: Set<ObjectIdentifier>
    ) -> String? {
        for (field, storage) in persisted {
            guard let type = storage.endlessTarget else { continue }
            let target = ObjectIdentifier(type)
            if outer.contains(target) { return field.propertyName }
            let inner = persistedProperties(
                among: storedProperties(of: type), ignoring: Set(type.ignoredProperties()))
            if endlessProperty(among: inner, in: outer.union([target])) != nil {
                return field.propertyName
            }
        }
        return nil
    }

    private static func persistedProperties(
        among fields: [StoredProperty], ignoring ignored: Set<String>
    ) -> [(field: StoredProperty, storage: PersistedType)] {
        fields.compactMap { field in
            guard let storage = PersistedType.of(field.type), !ignored.contains(field.propertyName)
            else { return nil }
            return (field, storage)
        }
    }

    /// A stored property of a class or its superclasses, except ``ObjectBase``.
    private struct StoredProperty {
        let label: String
        let offset: Int
        let type: Any.Type

        /// The wrapper's variable is named like the property, with a leading underscore.
        var propertyName: String { label.hasPrefix("_") ? String(label.dropFirst()) : label }
    }

    /// `_EachFieldOptions.classType`, which is not declared as a constant.
    static let classOption: UInt32 = 1

    private static func storedProperties(of type: ObjectBase.Type) -> [StoredProperty] {
        var found: [StoredProperty] = []
        let base = unsafeInstanceLayout(of: ObjectBase.self).size
        _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: classOption)) {
            label, offset, type, _ in
            if offset >= base {
                found.append(
                    StoredProperty(label: String(cString: label), offset: offset, type: type))
            }
            return true
        }
        return found
    }
}
