import FreeholdStorage

/// What all persistent objects have in common: their place in a realm, or none while they are
/// unmanaged.
///
/// Model classes derive from ``Object``.
///
/// Thread rule: an object of a realm is confined to the realm's thread, queue or actor; a
/// frozen one is not; an unmanaged one belongs to whoever made it, as an instance of any other
/// class.
open class ObjectBase: CustomStringConvertible {
    // The fields are exempt from the exclusivity checks because the confinement gate is their
    // exclusivity: they are read and written on the realm's thread, queue or actor only. A
    // frozen object's never change after it was made.

    /// The realm; nil while the object is unmanaged.
    @exclusivity(unchecked) final var core: RealmCore?
    /// The realm's gate. Kept alive by `core`; nil in recorders, too.
    @exclusivity(unchecked) final var gate: UnsafeMutablePointer<ConfinementGate>?
    /// The object's class in that realm. Kept alive by `core`.
    @exclusivity(unchecked) final var binding: Unmanaged<ClassBinding>?
    /// The columns of the cluster that holds the row, valid while `generation` is the realm's.
    @exclusivity(unchecked) final var columns: UnsafeMutablePointer<ColumnView>?
    /// That cluster. Kept alive by the realm's current table view.
    @exclusivity(unchecked) final var cluster: UnsafeClusterReference?
    @exclusivity(unchecked) final var row = 0
    /// The row's key. In a recorder: the address of its ``KeyPathRecording``.
    @exclusivity(unchecked) final var key: Int64 = 0
    /// The realm's generation for which `columns` and `row` were found; 0 is never a realm's.
    @exclusivity(unchecked) final var generation: UInt64 = 0
    /// The position of the primary key's column, which refuses to be written; 0 if there is none.
    @exclusivity(unchecked) final var primaryKeyPosition: UInt16 = 0

    /// Whether property access goes through `core`; what `Persisted` looks at first. Also true
    /// in recorders, which have no `core`.
    @exclusivity(unchecked) @usableFromInline final var _managed = false

    /// Whether wrappers of this managed object keep its collections, so that a property always
    /// gives the same one.
    @exclusivity(unchecked) final var keepsCollections = false

    /// Makes an unmanaged object with the defaults of its declaration.
    public required init() {}

    /// The name of the class in schemas, in texts and for access by name: without its module; a
    /// class nested in another type is "Outer_Inner".
    ///
    /// Also its name in the file, unless `_realmObjectName()` gives another. Override it to
    /// change both.
    open class func className() -> String { ClassName.name(of: self) }

    /// The name of the class in the file, where that is not ``className()``; nil unless overridden.
    ///
    /// Classes with one name in the file see the same objects, each by its own properties. A
    /// realm has several of them if they declare the same columns.
    open class func _realmObjectName() -> String? { nil }

    /// The name of the class in the file.
    final class var tableName: String { _realmObjectName() ?? className() }

    /// What the class declares; nil where the declaration is wrong, which opening a realm
    /// reports. O(properties).
    public class func sharedSchema() -> ObjectSchema? {
        (try? ClassSchema.shared(for: self)).map { ObjectSchema($0) }
    }

    /// Whether objects of the class belong to the object that links to them.
    public class func isEmbedded() -> Bool { self is EmbeddedObject.Type }

    /// Names of `@Persisted` properties that are not stored after all.
    open class func ignoredProperties() -> [String] { [] }

    /// The names that properties have in the file, where they differ: from the property's name
    /// to the column's.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// Whether realms contain the class when their configuration names no `objectTypes`. True
    /// unless overridden.
    ///
    /// Subclasses inherit the answer. Base classes without properties of their own are left out
    /// in any case.
    open class func shouldIncludeInDefaultSchema() -> Bool { true }

    /// The object with its properties, as text. Follows links to a depth of five.
    ///
    /// Traps off the realm's thread, queue or actor.
    open var description: String { describe(depth: ObjectBase.descriptionDepth) }
}

@available(
    *, unavailable,
    message: """
        Objects are confined to their realm's thread, queue or actor: freeze() them, or \
        open a realm there and look them up by primary key.
        """
)
extension ObjectBase: Sendable {}

extension ObjectBase {
    /// Whether the object belongs to a realm. Not an API: public because `Persisted` is inlined
    /// into its users.
    @inlinable @inline(__always)
    public final var _isManaged: Bool { _managed }

    /// The address of a property's wrapper in this object, which is no dynamic one.
    @inline(__always)
    final func unsafeWrapper(of property: PropertyDescriptor) -> UnsafeMutableRawPointer {
        assert(!(self is DynamicObject), "A dynamic object has no wrappers.")
        return Unmanaged.passUnretained(self).toOpaque() + property.offset
    }
}
