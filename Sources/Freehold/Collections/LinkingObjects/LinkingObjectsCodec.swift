import FreeholdStorage

/// A ``LinkingObjects`` of any class, for reflection.
protocol ComputedProperty: _Persistable {
    static var computedCodec: any ComputedCodec { get }
}

/// The codec of a property without a column: its value follows from other objects.
protocol ComputedCodec: PropertyCodec {
    /// Returns the name of the linking property, as the wrapper at an address was declared; nil
    /// if it has none.
    func originProperty(in wrapper: UnsafeMutableRawPointer) -> String?
}

/// The codec of a ``LinkingObjects``.
struct LinkingObjectsCodec<Element: ObjectBase & RealmCollectionValue>: ComputedCodec {
    var type: PropertyType { .linkingObjects }
    var columnType: ColumnType? { nil }
    var isOptional: Bool { false }
    var elementTarget: ObjectBase.Type? { Element.self }
    var storage: any WrapperStorage.Type { AttachedStorage<LinkingObjects<Element>>.self }

    func originProperty(in wrapper: UnsafeMutableRawPointer) -> String? {
        wrapper.assumingMemoryBound(to: Persisted<LinkingObjects<Element>>.self).pointee.unmanaged?
            .declaredProperty
    }

    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        Persisted<LinkingObjects<Element>>.unsafeValue(of: object, at: wrapper)
    }

    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer)
        throws(InvalidValueError)
    { LinkingObjects<Element>.refuseAssignment() }
}
