public import Dispatch
import Foundation
import FreeholdStorage

extension ProjectionObservable {
    /// Calls a block with every change of the projected properties, and when the object is
    /// deleted.
    ///
    /// A projected property counts as changed when anything on the path to its value changed.
    /// `@Projected(\Person.dog?.name)` changes with the person's dog and with the dog's name; a
    /// list's `projectTo` changes with its elements and their values. Changes have the projected
    /// names and values. The block is called like an object observer's
    /// (``ThreadConfined/observe(keyPaths:_:)-([String]?,(ObjectChange<Self>)->Void)``).
    ///
    /// ```swift
    /// let token = person.observe(keyPaths: ["firstName", "dogName"]) { change in print(change) }
    /// ```
    ///
    /// - Parameters:
    ///   - keyPaths: The projected names to observe; behind links they may continue with names
    ///     of the linked classes. Nil for all projected properties. A property's whole key path
    ///     in the object's class, which Realm requires, is also accepted.
    ///   - block: Called with each change.
    /// - Returns: A token. Keep it while the block should be called.
    /// - Precondition: As for the observation of an object.
    public func observe(keyPaths: [String]? = nil, _ block: @escaping (ObjectChange<Self>) -> Void)
        -> NotificationToken
    { observers.observe(keyPaths, block) }

    /// Observes the projection like `observe(keyPaths:_:)`, but calls the block on a serial
    /// queue, with the projection of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe; nil for all projected properties.
    ///   - queue: The serial queue, or the main queue; nil for the thread, queue or actor of the
    ///     projection.
    ///   - block: Called with each change.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
    ) -> NotificationToken { observers.observe(keyPaths, on: queue, block) }

    /// Observes the projection like `observe(keyPaths:_:)`, but calls the block on an actor,
    /// with the projection of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe; nil for all projected properties.
    ///   - actor: The actor that the block is called on.
    ///   - _isolation: The caller's actor. Omit it.
    ///   - block: Called with the actor and each change.
    /// - Returns: The token, once the registration is complete. Inert if the task was cancelled,
    ///   or if the object was deleted.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observers.observe(keyPaths, on: actor, _isolation: _isolation, block)
    }

    /// Does the same as `observe(keyPaths:_:)`, with Swift key paths: `[\.firstName]`.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken { observe(keyPaths: names(of: keyPaths), block) }

    /// Does the same as `observe(keyPaths:on:_:)`, with Swift key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
    ) -> NotificationToken { observe(keyPaths: names(of: keyPaths), on: queue, block) }

    /// Does the same as `observe(keyPaths:on:_isolation:_:)`, with Swift key paths.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Self>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: names(of: keyPaths), on: actor, _isolation: _isolation, block)
    }

    /// The projection's changes, for `for await`, until its object is deleted. See
    /// `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<ObjectChange<Self>> { changes(keyPaths: nil as [String]?) }

    /// The changes of the properties at key paths. See ``changes``.
    ///
    /// - Parameter keyPaths: The properties to observe; nil for all projected properties.
    public func changes(keyPaths: [String]?) -> AsyncChanges<ObjectChange<Self>> {
        AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) }
    }

    /// The changes of the properties at key paths: `person.changes(keyPaths: [\.firstName])`.
    /// See ``changes``.
    public func changes(keyPaths: [PartialKeyPath<Self>]) -> AsyncChanges<ObjectChange<Self>> {
        changes(keyPaths: names(of: keyPaths))
    }

    // MARK: -

    /// This object, as the only class that conforms.
    private var projection: Projection<Root> { unsafeDowncast(self, to: Projection<Root>.self) }

    private func names(of keyPaths: [PartialKeyPath<Self>]) -> [String] {
        projection.names(of: keyPaths)
    }

    private var observers: ObserverFactory<Self, ObjectChange<Self>> {
        ObserverFactory(self, failed: { .error($0 as NSError) }) { $0.makeObserver($1, $2, $3) }
    }

    private func makeObserver(
        _ keyPaths: [String]?, _ operation: String, _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> (core: RealmCore, observer: Observer) {
        let core = rootObject.checkObserved(nil, operation)
        guard let binding = rootObject.binding?.takeUnretainedValue() else {
            preconditionFailure("A managed object has a binding.")
        }
        let properties = projection.projectedProperties
        let subject = ProjectionSubject(
            rootObject, binding, projection.observedProperties(keyPaths))
        let observer = SubjectObserver(subject, first: nil) { [self] changes, context in
            switch changes {
            case .deleted: block(.deleted)
            case .changed(let indices):
                let old =
                    core.madeAllChanges(in: context) ? nil : rootObject.counterpart(in: context.old)
                block(
                    .change(
                        self,
                        indices.map { index in
                            let property = properties[index]
                            return PropertyChange(
                                name: property.name,
                                oldValue: old.flatMap { core.live(property.formerValue(of: $0)) },
                                newValue: property.value(of: rootObject))
                        }))
            }
        }
        return (core, observer)
    }
}
