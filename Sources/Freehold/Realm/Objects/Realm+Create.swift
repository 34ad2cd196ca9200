import FreeholdStorage

extension Realm {
    /// Creates an object from a value.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - value: A dictionary of properties, an array in the order of the properties, or an
    ///     object, which is copied with everything that it links to. Links accept nested
    ///     literals. Properties that the value does not name keep their defaults.
    ///   - update: What to do when an object with the same primary key exists. `.modified` and
    ///     `.all` change it; properties that the value does not name keep their values. The
    ///     policy applies to nested literals, too.
    /// - Returns: The managed object.
    /// - Precondition: The realm is in a write transaction, and the value fits the class. See
    ///   also ``add(_:update:)-(Object,_)``.
    @discardableResult
    public func create<T: Object>(
        _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
    ) -> T { unsafeDowncast(core.create(type, from: value, update: update), to: T.self) }
}
