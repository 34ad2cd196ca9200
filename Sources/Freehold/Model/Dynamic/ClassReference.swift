/// Refers to a class from another part of a realm: statically, or dynamically. Has the same
/// meaning in every realm of the file.
struct ClassReference: Sendable {
    /// The model class.
    let type: ObjectBase.Type
    /// Whether its objects are returned as ``DynamicObject``s.
    let isDynamic: Bool
}

extension ClassBinding {
    var reference: ClassReference { ClassReference(type: schema.type, isDynamic: isDynamic) }
}

extension RealmCore {
    /// The binding of a class, which must be part of the realm's schema. O(1).
    func binding(for reference: ClassReference) -> ClassBinding {
        reference.isDynamic ? dynamicBinding(for: reference.type) : binding(for: reference.type)
    }

    /// The binding of a class by its name in the schema, whose objects are returned as
    /// ``DynamicObject``s. Traps if the schema has no such class.
    func dynamicBinding(named name: String) -> ClassBinding {
        guard let bound = schema[name] else { violation(.classNotInSchema(className: name)) }
        return dynamicBinding(for: bound.schema.type)
    }
}
