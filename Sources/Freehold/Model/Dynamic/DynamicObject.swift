import FreeholdStorage

/// An object of any class of a realm, whose properties are looked up by name at run time.
///
/// ```swift
/// for dog in realm.dynamicObjects("Dog") {
///     print(dog["name"] ?? "", dog.age ?? 0)              // Any?
///     let owner = dog.owner as? Person
///     let friends = dog.friends as? List<DynamicObject>
/// }
/// ```
///
/// - Values are those of ``ObjectBase/subscript(_:)``: an enum's raw value, nil for null. A link
///   returns an object of its class, in a migration a dynamic one. Elements of object
///   collections are dynamic objects; other collections have elements of the stored type,
///   integers as `List<Int>`.
/// - Assigned values are converted like literals. A link accepts a dynamic object, an object of
///   the class, or a literal for a new one.
/// - Only realms create useful dynamic objects: one created with `init()` belongs to no class
///   and has no properties.
/// - It equals an object of its class under the same conditions as two of those are equal;
///   `isSameObject(as:)` tells whether both are the same row.
///
/// O(properties) to find a name, then as the property. Traps if the class has no such property.
///
/// Thread rule: that of every ``Object``.
@dynamicMemberLookup
public final class DynamicObject: Object {
    /// The property with a name.
    public subscript(dynamicMember member: String) -> Any? {
        get { self[member] }
        set { self[member] = newValue }
    }

    /// Returns the value of the property with a name. The subscript knows all names of the
    /// class.
    public func value(forUndefinedKey key: String) -> Any? { self[key] }

    /// Assigns the property with a name, like the subscript.
    public func setValue(_ value: Any?, forUndefinedKey key: String) { self[key] = value }

    /// Returns false: a dynamic object has the class of its row.
    public override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The name of ``DynamicObject`` in migrations.
public typealias MigrationObject = DynamicObject

extension ObjectBase {
    /// The binding of a dynamic object; nil for objects of model classes and for unmanaged ones.
    final var dynamicBinding: ClassBinding? {
        guard let binding = binding?.takeUnretainedValue(), binding.isDynamic else { return nil }
        return binding
    }

    /// The model class of the row, which is not the type of a dynamic object.
    final var classOfRow: ObjectBase.Type { dynamicBinding?.schema.type ?? type(of: self) }

    /// The same row as an object of its model class, if this is a dynamic object and the realm's
    /// schema has its class.
    final var typed: ObjectBase? {
        guard let binding = dynamicBinding, let core, core.schema[binding.schema.type] != nil else {
            return nil
        }
        return core.accessor(key, of: core.binding(for: binding.schema.type), birth: generation)
    }

    /// The same row as an object of a model class, if this is a dynamic object and the class has
    /// the row's table.
    final func typed(as target: ObjectBase.Type) -> ObjectBase? {
        guard let own = dynamicBinding, let core, let binding = core.bindingIfManaged(for: target),
            binding.table == own.table
        else { return nil }
        return core.accessor(key, of: binding, birth: generation)
    }

    /// The same row as a dynamic object. Managed objects only.
    final var dynamic: DynamicObject? {
        if let dynamic = self as? DynamicObject { return dynamic }
        guard let core, let binding = binding?.takeUnretainedValue() else { return nil }
        return core.accessor(
            key, of: core.dynamicBinding(for: binding.schema.type), birth: generation)
            as? DynamicObject
    }
}

extension RealmCore {
    /// An accessor of a row; a dangling one if there is no such row.
    fileprivate func accessor(_ key: Int64, of binding: ClassBinding, birth: UInt64) -> ObjectBase {
        (isInvalidated(since: birth) ? nil : accessor(key, of: binding))
            ?? binding.makeDanglingAccessor(key: key, since: birth)
    }
}
