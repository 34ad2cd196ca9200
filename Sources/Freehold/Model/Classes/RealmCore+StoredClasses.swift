import FreeholdStorage

// Classes that a file has and the realm's schema lacks. ``AnyRealmValue``s may link to their
// objects, which are returned as dynamic ones.

extension RealmCore {
    /// The binding of a class that an ``AnyRealmValue`` links to; nil if the file has no such
    /// table, or the class is embedded.
    func binding(ofLinked table: TableID, isDynamic: Bool) -> ClassBinding? {
        if let bound = schema[table], let typed = bindingIfManaged(for: bound.schema.type) {
            // `AnyRealmValue`s contain no embedded objects.
            if bound.schema.isEmbedded { return nil }
            return isDynamic ? dynamicBinding(for: bound.schema.type) : typed
        }
        guard let definition = currentSnapshot.catalog[table], !definition.isOwned else {
            return nil
        }
        return dynamicBinding(for: StoredClasses.type(named: definition.name, isEmbedded: false))
    }

    /// The binding of a class for working on its rows, whether or not the schema has it. Traps
    /// if the file lacks it, too.
    func bindingOfTable(for type: ObjectBase.Type) -> ClassBinding {
        if let known = bindingIfManaged(for: type) { return known }
        return type is any StoredClass.Type ? dynamicBinding(for: type) : binding(for: type)
    }

    /// The table of a class, whether or not the schema has it; nil if the file lacks it. O(1) if
    /// the schema has it, otherwise O(classes).
    func table(named className: String) -> TableID? {
        binding(named: className)?.table ?? currentSnapshot.catalog[className]?.id
    }

    /// The bound class for a type that represents a class of the file; nil for other types, or
    /// if the file has no such class.
    func boundStoredClass(_ type: ObjectBase.Type) -> BoundClass? {
        guard type is any StoredClass.Type else { return nil }
        let catalog = currentSnapshot.catalog
        guard let definition = catalog[StoredClasses.name(of: type)] else { return nil }
        return BoundClass(ClassSchema(stored: definition, in: catalog), definition, in: catalog)
    }

    /// Whether the classes that the realm reads are the same in another catalog, of a later
    /// version. O(1) for the same catalog, otherwise O(columns).
    func fits(_ other: Catalog) -> Bool {
        schema.fits(other)
            && classesBesideSchema.allSatisfy {
                $0.catalog == other || $0.bound.isSame(in: $0.catalog, and: other)
            }
    }
}
