/// The base class of models whose objects are part of another object.
///
/// ```swift
/// class Address: EmbeddedObject {
///     @Persisted var street = ""
///     @Persisted var city = ""
/// }
/// class Person: Object {
///     @Persisted var name = ""
///     @Persisted var address: Address?
/// }
/// ```
///
/// An embedded object belongs to exactly one object, its owner, which may be embedded itself: in
/// a property, in a `List` or in a `Map`. It is added to a realm when it is assigned to a
/// managed owner, or when its owner is added. It is deleted with its owner, when it is removed,
/// and when another object or nil replaces it. So it has no primary key, cannot be added,
/// created or fetched on its own, and cannot have two owners. Everything else is as for
/// ``Object``: links to other objects, conditions in queries (`$0.address.city == "Rome"`),
/// `freeze()`, references.
///
/// - Precondition: What is assigned is unmanaged, or is what the property holds already: an
///   object with an owner cannot get another one. Make a copy with `Address(value: other)`.
///
/// Two embedded objects are equal if they are the same instance, or if both are frozen and the
/// same row of the same version.
///
/// Thread rule: see ``ObjectBase``.
open class EmbeddedObject: ObjectBase {
    /// Creates an unmanaged object with the defaults of its declaration.
    public required init() { super.init() }

    /// Creates an unmanaged object from a dictionary by property name, an array in order of
    /// declaration, or the properties of another object. Nested literals create the linked
    /// objects, and embedded objects of `value` are copied. Properties without a value keep
    /// their defaults.
    ///
    /// Traps if a value cannot be converted to its property's type, or if an array has more
    /// values than there are properties.
    public convenience init(value: Any) {
        self.init()
        assignOrTrap(value)
    }

    /// Returns whether two objects are the same row of the same realm, or the same instance.
    /// O(1).
    public final func isSameObject(as object: EmbeddedObject?) -> Bool {
        guard let object else { return false }
        return isSameRow(as: object)
    }
}

extension EmbeddedObject: ThreadConfined {}

extension EmbeddedObject {
    /// Makes an unmanaged copy of an embedded object, with copies of the objects embedded in it.
    /// It links to the same objects. O(objects); uses no recursion. If damage leads to an object
    /// twice, it is copied once; the second copy has the defaults.
    static func unmanagedCopy(of source: ObjectBase) -> ObjectBase {
        unmanagedCopy(of: source, CopiedEmbeddedObjects())
    }

    private static func unmanagedCopy(of source: ObjectBase, _ copied: CopiedEmbeddedObjects)
        -> ObjectBase
    {
        let source = (source as? DynamicObject)?.typed ?? source
        let root = type(of: source).init()
        if !copied.insert(source) { return root }
        var work = [(source: source, copy: root)]
        while let (source, copy) = work.popLast() {
            for property in source.reflectedSchema?.properties ?? [] {
                var value = source.value(of: property)
                if property.isConverted {
                    // The conversion reads the object, so its copy must be complete.
                    value = mapObjects(in: value, of: property) {
                        $0._isManaged ? unmanagedCopy(of: $0, copied) : $0
                    }
                } else if property.isOwning {
                    value = mapObjects(in: value, of: property) { child in
                        let made = type(of: child).init()
                        if copied.insert(child) { work.append((child, made)) }
                        return made
                    }
                }
                do throws(InvalidValueError) {
                    try copy.assign(value, to: property)
                } catch {
                    preconditionFailure(
                        "A value of '\(property.name)' fits a property of the same class: \(error)")
                }
            }
        }
        return root
    }
}
