import FreeholdStorage

/// The common base class of all persistent objects. It holds their place in a realm, or none
/// while they are unmanaged.
///
/// Model classes derive from ``Object`` or ``EmbeddedObject``.
///
/// Thread rule: a managed object is confined to its realm's thread, queue or actor, unless it is
/// frozen. An unmanaged object belongs to its creator, like an instance of any other class.
open class ObjectBase: CustomStringConvertible {
    // The fields are exempt from exclusivity checks because the confinement gate provides
    // exclusivity: they are read and written only on the realm's thread, queue or actor. A
    // frozen object's fields never change after its creation.

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
    /// The row's key when the object was located last; ``key`` follows the row. In a recorder:
    /// the address of its ``KeyPathRecording``.
    @exclusivity(unchecked) final var locatedKey: Int64 = 0
    /// The realm's generation in which `columns` and `row` were found; 0 is never a realm's.
    @exclusivity(unchecked) final var generation: UInt64 = 0
    /// The position of the primary key's column, which cannot be written; 0 if there is none.
    @exclusivity(unchecked) final var primaryKeyPosition: UInt16 = 0

    /// Whether property access goes through `core`; `Persisted` checks this first. Also true in
    /// recorders, which have no `core`.
    @exclusivity(unchecked) @usableFromInline final var _managed = false

    /// Whether wrappers of this managed object cache its collections, so that a property always
    /// returns the same one.
    @exclusivity(unchecked) final var keepsCollections = false

    /// Creates an unmanaged object with the defaults of its declaration.
    public required init() {}

    /// Returns the name of the class in schemas, in texts and for access by name: without its
    /// module; a class nested in another type is "Outer_Inner".
    ///
    /// It is also the name in the file, unless `_realmObjectName()` returns another. Override it
    /// to change both.
    open class func className() -> String { ClassName.name(of: self) }

    /// Returns the name of the class in the file if it differs from ``className()``; nil unless
    /// overridden.
    ///
    /// Classes with the same name in the file see the same objects, each through its own
    /// properties. A realm can have several of them if they declare the same columns.
    open class func _realmObjectName() -> String? { nil }

    /// The name of the class in the file.
    final class var tableName: String { _realmObjectName() ?? className() }

    /// Returns the schema of the class; nil if the declaration is wrong, which opening a realm
    /// reports. O(properties).
    public class func sharedSchema() -> ObjectSchema? {
        (try? ClassSchema.shared(for: self)).map { ObjectSchema($0) }
    }

    /// Returns whether objects of the class belong to the object that links to them.
    public class func isEmbedded() -> Bool { self is EmbeddedObject.Type }

    /// Returns the names of `@Persisted` properties that are not stored.
    open class func ignoredProperties() -> [String] { [] }

    /// Returns the names of properties that differ in the file: from the property's name to the
    /// column's.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// Returns whether realms contain the class if their configuration names no `objectTypes`.
    /// True unless overridden.
    ///
    /// Subclasses inherit the result. Base classes without properties of their own are always
    /// left out.
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
    /// The row's key. In a draft, a row may get another one when edits are merged.
    final var key: Int64 {
        @inline(__always) get {
            if let core, let draft = core.draft, !draft.moves.isEmpty { followMoves(in: core) }
            return locatedKey
        }
        @inline(__always) set { locatedKey = newValue }
    }

    @inline(never)
    private final func followMoves(in core: RealmCore) {
        guard let binding else { return }
        core.follow(
            &locatedKey, since: &generation, in: binding._withUnsafeGuaranteedRef(\.table))
    }

    /// Whether the object belongs to a realm. Not an API: public because `Persisted` is inlined
    /// into its users.
    @inlinable @inline(__always)
    public final var _isManaged: Bool { _managed }

    /// The address of a property's wrapper in this object, which must not be a dynamic one.
    @inline(__always)
    final func unsafeWrapper(of property: PropertyDescriptor) -> UnsafeMutableRawPointer {
        assert(!(self is DynamicObject), "A dynamic object has no wrappers.")
        return Unmanaged.passUnretained(self).toOpaque() + property.offset
    }
}
