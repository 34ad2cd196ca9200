/// The objects that link to an object by one of their properties: the other direction of a
/// relationship, live.
///
/// ```swift
/// class Person: Object {
///     @Persisted var name = ""
///     @Persisted var dog: Dog?
/// }
///
/// class Dog: Object {
///     @Persisted(originProperty: "dog") var owners: LinkingObjects<Person>
/// }
///
/// print(dog.owners.count, dog.owners.where { $0.name != "" }.first?.name ?? "nobody")
/// ```
///
/// Nothing is stored for the property: it follows from the links, at all times and inside of
/// write transactions, too. An object that links several times, as a list may, comes as often.
/// The order is that of the linking objects' keys: an integer primary key ascends, other
/// classes come in the order of insertion.
///
/// - In an unmanaged object it is empty.
/// - It is read-only; assigning to it traps in a managed object and changes nothing in an
///   unmanaged one.
/// - It has no part in `Codable`, literals, descriptions and copies of its object: a class with
///   `Codable` synthesis leaves it out of its `CodingKeys`.
/// - Of an object that was deleted it is empty.
///
/// Thread rule: confined like its object, and not `Sendable`. ``freeze()`` gives a copy for all
/// threads, which never changes.
@frozen
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: LinkingObjectsProtocol {
    @usableFromInline
    enum Content {
        /// Of an unmanaged object: the name of the property that links.
        case declared(String)
        /// Owns the realm, which the collection does not.
        case managed(RealmCore, BacklinkCollection)
    }

    @usableFromInline let content: Content

    init(_ content: Content) { self.content = content }

    /// The objects that link by the property with a name, for the declaration of a `@Persisted`
    /// property; `@Persisted(originProperty:)` is shorter.
    ///
    /// Empty until the object is managed. A property that is not `@Persisted` stays empty.
    public init(fromType type: Element.Type, property propertyName: String) {
        self.init(.declared(propertyName))
    }

    /// What the declaration of an unmanaged object names; nil if it names nothing.
    var declaredProperty: String? {
        guard case .declared(let name) = content, !name.isEmpty else { return nil }
        return name
    }

    var managed: (core: RealmCore, collection: BacklinkCollection)? {
        @inline(__always) get {
            guard case .managed(let core, let collection) = content else { return nil }
            return (core, collection)
        }
    }

    /// The gate, then what the collection is; nil in an unmanaged object. First in every entry.
    @inline(__always)
    func checkedState(_ operation: @autoclosure () -> String) -> ResultsState? {
        guard case .managed(_, let collection) = content else { return nil }
        collection.state.check(operation())
        return collection.state
    }
}

@available(
    *, unavailable,
    message: """
        LinkingObjects are confined to their realm's thread, queue or actor: freeze() \
        them, or open a realm there and find the object.
        """
)
extension LinkingObjects: Sendable {}

extension LinkingObjects: Equatable {
    /// Whether both are the same property of the same object in the same realm; of unmanaged
    /// objects, whether both name the same property.
    public static func == (a: LinkingObjects, b: LinkingObjects) -> Bool {
        switch (a.content, b.content) {
        case (.declared(let a), .declared(let b)): a == b
        case (.managed(let core, let a), .managed(let other, let b)):
            core === other && a.isSame(as: b)
        default: false
        }
    }
}
