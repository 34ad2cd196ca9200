/// A ``LinkingObjects`` of any class: what `@Persisted(originProperty:)` accepts.
public protocol LinkingObjectsProtocol {
    /// The class whose objects link.
    associatedtype Element
    /// Makes the collection of the objects that link by the property with the given name.
    init(fromType type: Element.Type, property propertyName: String)
}

extension Persisted where Value: LinkingObjectsProtocol {
    /// Declares a property that holds the objects that link to this one by their property
    /// `originProperty`.
    ///
    /// ```swift
    /// class Dog: Object {
    ///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
    /// }
    /// ```
    ///
    /// Opening a realm throws if the class of the elements has no such property, or if the
    /// property does not link to this class.
    public init(originProperty: String) {
        self.init(
            unmanaged: Value(fromType: Value.Element.self, property: originProperty), role: .plain)
    }
}

extension LinkingObjects: _Persistable {
    /// Not stored; the protocol asks for a type.
    public typealias PersistedType = LinkingObjects
    /// `.linkingObjects`.
    public static var _rlmType: PropertyType { .linkingObjects }
    /// Returns a collection of no object and no property.
    public static func _rlmDefaultValue() -> LinkingObjects { LinkingObjects(.declared("")) }
    /// Returns the property's own collection unchanged: only its declaration says by which
    /// property objects link.
    public static func _rlmAssigned(_ value: LinkingObjects, over stored: LinkingObjects?)
        -> LinkingObjects
    { stored ?? value }

    /// Returns the objects that link to a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ position: Int) -> LinkingObjects {
        guard object.core != nil, let binding = object.binding else {
            object.recordCollection(position)
            return _rlmDefaultValue()
        }
        object.checkForReading(position)
        guard let property = ComputedPosition(wrapper: position) else {
            preconditionFailure("The wrapper was attached as a computed property.")
        }
        return binding._withUnsafeGuaranteedRef { binding in
            // Empty where the file lacks the class of the linking objects, and so cannot have
            // links.
            guard binding.hasBacklinks(property) else { return _rlmDefaultValue() }
            // Read here, so that the reference is counted once.
            let core = object.core.unsafelyUnwrapped
            return LinkingObjects(.managed(core, binding.backlinks(property, of: object.key)))
        }
    }

    /// Traps: the property follows from the links of other objects.
    public static func _write(_ object: ObjectBase, _ position: Int, _ value: LinkingObjects) {
        refuseAssignment()
    }

    @inline(never)
    static func refuseAssignment() -> Never {
        misuse(
            "LinkingObjects properties are read-only",
            remedy: """
                Set or clear the links of the \(Element.className()) objects instead: \
                the property follows from them.
                """)
    }
}

extension LinkingObjects: ComputedProperty {
    static var computedCodec: any ComputedCodec { LinkingObjectsCodec<Element>() }
}
