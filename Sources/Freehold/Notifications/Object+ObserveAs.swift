public import Dispatch

extension ThreadConfined where Self: ObjectBase {
    /// Observes the object like `observe(keyPaths:_:)`, as an instance of the class in the
    /// block's type: its own class or a superclass.
    ///
    /// ```swift
    /// let token = dog.observe { (change: ObjectChange<ObjectBase>) in print(change) }
    /// ```
    ///
    /// - Note: Also traps if the object is not of that class.
    @_disfavoredOverload
    public func observe<T: ObjectBase>(
        keyPaths: [String]? = nil, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        checkIs(T.self)
        return observe(keyPaths: keyPaths) { (change: ObjectChange<Self>) in
            block(change.of(T.self))
        }
    }

    /// Observes the object like `observe(keyPaths:on:_:)`, as an instance of the class in the
    /// block's type.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe; nil for all properties of the object.
    ///   - queue: The serial queue, or the main queue; nil for the thread, queue or actor of the
    ///     object.
    ///   - block: Called with each change.
    /// - Returns: A token. Keep it while the block should be called.
    /// - Note: Also traps if the object is not of that class.
    @_disfavoredOverload
    public func observe<T: ObjectBase>(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        checkIs(T.self)
        return observe(keyPaths: keyPaths, on: queue) { (change: ObjectChange<Self>) in
            block(change.of(T.self))
        }
    }

    private func checkIs<T: ObjectBase>(_ type: T.Type) {
        if self is T { return }
        misuse(
            "Could not cast value of type '\(Swift.type(of: self))' to '\(T.self)'.",
            remedy: """
                Observing an object as '\(T.self)': name its own class, or one that it \
                derives from.
                """)
    }
}

extension ObjectChange where T: ObjectBase {
    /// Converts the change to one for another class of the object.
    fileprivate func of<Other: ObjectBase>(_ type: Other.Type) -> ObjectChange<Other> {
        switch self {
        case .error(let error): .error(error)
        case .change(let object, let properties):
            .change(unsafeDowncast(object, to: Other.self), properties)
        case .deleted: .deleted
        }
    }
}
