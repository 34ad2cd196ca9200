import FreeholdStorage

/// A view of an object that declares its own properties. They read and write those of the
/// object.
///
/// ```swift
/// final class PersonProjection: Projection<Person> {
///     @Projected(\Person.name) var firstName
///     @Projected(\Person.dog?.name) var dogName                  // read-only, as the key path is
///     @Projected(\Person.friends.projectTo.name) var friendNames: ProjectedCollection<String>
/// }
///
/// for person in realm.objects(PersonProjection.self).where({ $0.firstName != "" }) {
///     print(person.firstName, person.dogName ?? "")
///     try realm.write { person.firstName = "Ada" }
/// }
/// ```
///
/// A projection contains only its object, so it costs one allocation. Two projections are equal
/// if they are of one class and project the same row, or equal objects. Sorting, aggregates and
/// values by name use the names of the object's class; `where` and sorting by key paths use the
/// projection's. The object may be embedded, but `realm.objects` does not fetch embedded
/// objects.
///
/// Thread rule: that of its object. Not `Sendable`.
open class Projection<Root: _ProjectionRoot>: ProjectionObservable {
    /// The projected object.
    public let rootObject: Root

    /// Creates a projection of an object, managed or not. O(1).
    ///
    /// - Note: Traps if a `@Projected` property does not begin with a persisted property of the
    ///   object.
    public required init(projecting object: Root) {
        rootObject = object
        _ = projectedProperties
    }
}

@available(
    *, unavailable,
    message: """
        A projection is confined as its object is: freeze() it, or open a realm there and \
        fetch it.
        """
)
extension Projection: Sendable {}

// MARK: - Elements of results

/// A class whose objects can be projected: ``Object`` and ``EmbeddedObject``.
///
/// Do not conform your own types to it.
public protocol _ProjectionRoot: ObjectBase, RealmCollectionValue, ThreadConfined {}

extension Object: _ProjectionRoot {}
extension EmbeddedObject: _ProjectionRoot {}

extension Projection: RealmCollectionValue {
    /// The stored type of a projection: that of its object.
    public typealias PersistedType = Root.PersistedType
    /// The property type in schemas: `.object`.
    public static var _rlmType: PropertyType { .object }
    /// Returns the projection of an object that a realm created.
    public static func _element(_ object: ObjectBase) -> Self {
        self.init(projecting: unsafeDowncast(object, to: Root.self))
    }
}

extension Projection: RealmFetchable where Root: Object {
    /// Returns the name of the object's class.
    public static func className() -> String { Root.className() }
    /// The class of the projected objects.
    public static var _objectClass: ObjectBase.Type { Root.self }
}

extension Projection: Hashable {
    /// Returns whether both are of one class and project the same row of one realm, or equal
    /// objects.
    public static func == (a: Projection, b: Projection) -> Bool {
        type(of: a) == type(of: b) && a.rootObject.isEqualRow(to: b.rootObject)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { rootObject.hashRow(into: &hasher) }
}

/// A ``Projection`` of any class: the generic type of its observers' changes. Do not conform
/// your own types to it.
public protocol ProjectionObservable: AnyObject, ThreadConfined {
    /// The class of the object.
    associatedtype Root: _ProjectionRoot
    /// The projected object.
    var rootObject: Root { get }
    /// Creates a projection of an object.
    init(projecting object: Root)
}

/// A projection of any class.
protocol ProjectionOfAnyClass: AnyObject {
    var projectedObject: ObjectBase { get }
    /// Encodes all projected properties.
    func encodeProjected(to encoder: any Encoder) throws
}

extension Projection: ProjectionOfAnyClass {
    var projectedObject: ObjectBase { rootObject }
}

// MARK: - Place

extension Projection: ThreadConfined {
    /// The realm of the object; nil while it is unmanaged. Any thread.
    public var realm: Realm? { rootObject.realm }
    /// Whether the object was deleted, or its realm invalidated.
    public var isInvalidated: Bool { rootObject.isInvalidated }
    /// Whether the object is frozen. Any thread.
    public var isFrozen: Bool { rootObject.isFrozen }
    /// Returns the projection of the frozen object. See ``ObjectBase/freeze()``.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> Self {
        isFrozen ? self : type(of: self).init(projecting: rootObject.freeze())
    }
    /// Returns the projection of the live object; nil if it is deleted. See
    /// ``ObjectBase/thaw()``.
    public func thaw() -> Self? { rootObject.thaw().map { type(of: self).init(projecting: $0) } }
}

extension Projection: Referable {
    var referableCore: RealmCore? { referable(rootObject).referableCore }
    var portable: Portable { referable(rootObject).portable }

    static func counterpart(of portable: Portable, in core: RealmCore) -> Self? {
        ((Root.self as? any Referable.Type)?.counterpart(of: portable, in: core) as? Root).map {
            self.init(projecting: $0)
        }
    }
}
