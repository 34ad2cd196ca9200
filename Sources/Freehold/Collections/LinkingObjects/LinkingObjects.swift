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
/// Nothing is stored for the property: it always follows from the links, also inside of write
/// transactions. An object that links several times, as a list may, occurs as often. The objects
/// come in the order of their keys: integer primary keys ascend, other classes come in the order
/// of insertion.
///
/// - In an unmanaged object it is empty.
/// - It is read-only. Assigning to it traps in a managed object, and changes nothing in an
///   unmanaged one.
/// - It is left out of `Codable`, literals, descriptions and copies of its object. A class with
///   `Codable` synthesis leaves it out of its `CodingKeys`.
/// - In a deleted object it is empty.
///
/// Thread rule: confined like its object, and not `Sendable`. ``freeze()`` gives a copy for all
/// threads, which never changes.
@frozen
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: LinkingObjectsProtocol {
    @usableFromInline
    enum Content {
        /// In an unmanaged object: the name of the linking property.
        case declared(String)
        /// In a managed object. Owns the realm, which the collection does not.
        case managed(RealmCore, BacklinkCollection)
    }

    @usableFromInline let content: Content

    init(_ content: Content) { self.content = content }

    /// Declares a collection of the objects that link by the named property, as the default value
    /// of a `@Persisted` property. `@Persisted(originProperty:)` is shorter.
    ///
    /// Empty until the object is managed. A property that is not `@Persisted` stays empty.
    public init(fromType type: Element.Type, property propertyName: String) {
        self.init(.declared(propertyName))
    }

    /// The name that the declaration of an unmanaged object gives; nil if it gives none.
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

    /// Checks confinement and validity, then returns the collection's state; nil in an unmanaged
    /// object. Every entry point calls it first.
    @inline(__always)
    func checkedState(_ operation: @autoclosure () -> String) -> ResultsState? {
        guard case .managed(_, let collection) = content else { return nil }
        collection.state.check(operation())
        return collection.state
    }

    /// The collection, which this value keeps; nil in an unmanaged object. In a function of its
    /// own, so that no reference is counted where it is used.
    @inline(__always)
    private var unsafeCollection: Unmanaged<BacklinkCollection>? {
        guard case .managed(_, let collection) = content else { return nil }
        return .passUnretained(collection)
    }

    /// Checks confinement and validity, then calls `body` with the collection's state; nil in an
    /// unmanaged object. Touches no reference count: the collection keeps the state.
    @inline(__always)
    func withCheckedState<Answer>(
        _ operation: @autoclosure () -> String, _ body: (ResultsState) -> Answer
    ) -> Answer? {
        guard let unsafeCollection else { return nil }
        return unsafeCollection._withUnsafeGuaranteedRef {
            Unmanaged.passUnretained($0.state)._withUnsafeGuaranteedRef { state in
                state.check(operation())
                return body(state)
            }
        }
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
    /// Whether both are the same property of the same object in the same realm. In unmanaged
    /// objects, whether both name the same linking property.
    public static func == (a: LinkingObjects, b: LinkingObjects) -> Bool {
        switch (a.content, b.content) {
        case (.declared(let a), .declared(let b)): a == b
        case (.managed(let core, let a), .managed(let other, let b)):
            core === other && a.isSame(as: b)
        default: false
        }
    }
}
