import FreeholdStorage

extension Realm {
    /// Returns all objects of the class with a name, as a live collection. O(1).
    ///
    ///     let dogs = realm.dynamicObjects("Dog")
    ///         .where { $0["age", as: Int.self] > 5 }
    ///         .sorted(byKeyPath: "name")
    ///
    /// - Note: Traps off the realm's thread, queue or actor, and if the realm's schema has no
    ///   such class.
    public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
        core.checkConfinement("Realm.dynamicObjects(\"\(typeName)\")")
        return Results(
            core: core, state: core.dynamicBinding(named: typeName).allObjects,
            identity: core.nextResultsIdentity())
    }

    /// Returns the object of the class with a name that has a primary key, or nil. See
    /// ``object(ofType:forPrimaryKey:)``.
    ///
    /// - Note: Traps if the realm's schema has no such class, if the class has no primary key,
    ///   and if `key` is not of its type.
    public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
        core.checkConfinement("Realm.dynamicObject(ofType:forPrimaryKey:)")
        let binding = core.dynamicBinding(named: typeName)
        return core.object(binding, forPrimaryKey: core.primaryKey(from: key, binding)).map {
            unsafeDowncast($0, to: DynamicObject.self)
        }
    }

    /// Creates an object of the class with a name from a value. See ``create(_:value:update:)``.
    ///
    ///     realm.dynamicCreate("Dog", value: ["name": "Rex", "age": 3])
    ///
    /// - Parameters:
    ///   - typeName: The name of the class.
    ///   - value: The values of the properties.
    ///   - update: What to do if an object has the same primary key.
    /// - Returns: The managed object.
    /// - Note: Traps if the realm's schema has no such class, and where `create` traps.
    @discardableResult
    public func dynamicCreate(
        _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error
    ) -> DynamicObject {
        core.checkConfinement("Realm.dynamicCreate(\"\(typeName)\")")
        guard let bound = core.schema[typeName] else {
            violation(.classNotInSchema(className: typeName))
        }
        guard let created = core.create(bound.schema.type, from: value, update: update).dynamic
        else { preconditionFailure("A created object is managed.") }
        return created
    }
}

extension Query where T == DynamicObject {
    /// The property with a name, for conditions: `where { $0["age", as: Int.self] > 5 }`. An
    /// enum is queried by its raw value.
    ///
    /// The type is checked when the collection is created. Traps if the class has no such
    /// property, or the property has another type.
    public subscript<Value: _RealmSchemaDiscoverable>(
        name: String, as type: Value.Type = Value.self
    ) -> Query<Value> { appending(name, type: Value._rlmType) }
}

extension Query where T == DynamicObject? {
    /// The property of the linked object with a name; nil if the link is nil.
    public subscript<Value: _RealmSchemaDiscoverable>(
        name: String, as type: Value.Type = Value.self
    ) -> Query<Value> { appending(name, type: Value._rlmType) }
}
