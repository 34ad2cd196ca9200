extension ClassSchema {
    /// The schemas of a realm: those of the given classes, or of all in the program (see
    /// ``discoverAll()``).
    ///
    /// Throws all errors in the classes and in the links between them at once.
    static func schemas(for types: [ObjectBase.Type]?) throws(SchemaValidationError)
        -> [ClassSchema]
    {
        guard let types else { return try discoverAll() }
        return try validated(types)
    }

    /// All model classes of the program that belong to default schemas, in order of their names.
    ///
    /// Leaves out base classes without properties: they store nothing, and overriding
    /// `shouldIncludeInDefaultSchema()` in one would also exclude its subclasses.
    ///
    /// Searches the program once, and again after libraries were loaded. Throws like
    /// ``schemas(for:)``.
    static func discoverAll() throws(SchemaValidationError) -> [ClassSchema] {
        let discovered = ClassDiscovery.modelClasses()
        let bases = superclasses(of: discovered)
        return try validated(
            discovered.filter {
                $0.shouldIncludeInDefaultSchema()
                    && !(bases.contains(ObjectIdentifier($0)) && !hasProperties($0))
            }, areDiscovered: true)
    }

    /// The superclasses of the classes, up to ``ObjectBase``.
    private static func superclasses(of types: [ObjectBase.Type]) -> Set<ObjectIdentifier> {
        var found: Set<ObjectIdentifier> = []
        for type in types {
            var next: AnyClass? = _getSuperclass(type)
            while let superclass = next, found.insert(ObjectIdentifier(superclass)).inserted {
                next = _getSuperclass(superclass)
            }
        }
        return found
    }

    private static func validated(_ types: [ObjectBase.Type], areDiscovered: Bool = false)
        throws(SchemaValidationError) -> [ClassSchema]
    {
        var messages: [String] = []
        var schemas: [ClassSchema] = []
        var seen: Set<ObjectIdentifier> = []
        for type in types where seen.insert(ObjectIdentifier(type)).inserted {
            do throws(SchemaValidationError) {
                schemas.append(try shared(for: type))
            } catch {
                messages += error.messages
                if areDiscovered, !hasProperties(type) {
                    messages.append(
                        """
                        '\(type.className())' is in the schema because the configuration has \
                        no objectTypes. If the class is not meant to be stored, override \
                        shouldIncludeInDefaultSchema() in it to return false.
                        """)
                }
            }
        }
        schemas.sort { $0.className < $1.className }
        for (one, next) in zip(schemas, schemas.dropFirst()) where one.className == next.className {
            messages.append(
                """
                Type '\(one.className)' appears more than once in the schema. Name the classes \
                of the realm in `objectTypes`, or override className() in one of them.
                """)
        }
        messages += SharedTables.disagreements(among: schemas)
        for schema in schemas {
            for property in schema.properties {
                if !property.isStorable {
                    messages.append(
                        """
                        Property '\(schema.className).\(property.name)' is of a type that \
                        cannot be stored.
                        """)
                }
                guard let target = property.objectType, !seen.contains(ObjectIdentifier(target))
                else { continue }
                messages.append(
                    """
                    Property '\(schema.className).\(property.name)' of type \
                    '\(property.typeText)' has unknown object type '\(target.className())'
                    """)
            }
            for property in schema.computed {
                if let message = wrongOrigin(of: property, in: schema, among: schemas) {
                    messages.append(message)
                }
            }
        }
        if !messages.isEmpty { throw SchemaValidationError(messages: messages) }
        return schemas
    }

    /// The error in the origin of a computed property's links; nil if it is correct.
    private static func wrongOrigin(
        of property: PropertyDescriptor, in schema: ClassSchema, among schemas: [ClassSchema]
    ) -> String? {
        guard let origin = property.objectType, let name = property.originPropertyName else {
            return nil
        }
        guard let originSchema = schemas.first(where: { $0.type == origin }) else {
            return """
                Property '\(schema.className).\(property.name)' of type '\(property.type)' \
                has unknown object type '\(origin.className())'
                """
        }
        let title = """
            Property '\(originSchema.className).\(name)' declared as origin of linking objects \
            property '\(schema.className).\(property.name)'
            """
        guard let linking = originSchema.property(named: name) else {
            return "\(title) does not exist"
        }
        guard let target = linking.objectType else { return "\(title) is not a link" }
        return target.tableName == schema.tableName
            ? nil : "\(title) links to type '\(target.className())'"
    }
}
