public import Dispatch
import Foundation
import FreeholdStorage

extension ProjectionObservable {
    /// Calls a block with every change of the projected properties, and when the object is deleted.
    ///
    /// A projected property counts as changed when something on the way to its value did:
    /// `@Projected(\Person.dog?.name)` when the person has another dog, and when the dog has
    /// another name; that of a list's `projectTo` when elements come, go, or have another
    /// value. Changes come under the projected names, with the values as projected. Called as
    /// the observer of an object is
    /// (``ThreadConfined/observe(keyPaths:_:)-([String]?,(ObjectChange<Self>)->Void)``).
    ///
    /// ```swift
    /// let token = person.observe(keyPaths: ["firstName", "dogName"]) { change in print(change) }
    /// ```
    ///
    /// - Parameters:
    ///   - keyPaths: What counts: the projected names, which may go on behind links
    ///     with the names of the classes there; nil for all that is projected. A property's whole
    ///     key path in the object's class, which Realm wants, is understood, too.
    ///   - block: Called with each change.
    /// - Returns: A token, to be kept for as long as the block is to be called.
    /// - Note: Traps as the observation of an object does.
    public func observe(keyPaths: [String]? = nil, _ block: @escaping (ObjectChange<Self>) -> Void)
        -> NotificationToken
    {
        let (core, observer) = makeObserver(keyPaths, "observe(_:)", block)
        return core.register(observer)
    }

    /// As `observe(keyPaths:_:)`, with the block called on a serial queue, with the
    /// projection in a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts; nil for all that is projected.
    ///   - queue: The serial queue, or the main queue; nil for where the projection is.
    ///   - block: Called with each change.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        guard let queue else { return observe(keyPaths: keyPaths, block) }
        let (core, _) = makeObserver(keyPaths, "observe(on:)", block)
        return Relocation(self, core).observe(on: queue, block) {
            $0.makeObserver(keyPaths, "observe(on:)", $1)
        }
    }

    /// As `observe(keyPaths:_:)`, with the block called on an actor, with the projection in a
    /// realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts; nil for all that is projected.
    ///   - actor: Where the block is called.
    ///   - _isolation: The caller's actor. Leave it out.
    ///   - block: Called with the actor and each change.
    /// - Returns: The token, when the registration is complete. Inert if the task was
    ///   cancelled, or if the object was deleted.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        let (core, _) = makeObserver(keyPaths, "observe(on:)") { _ in }
        let relocation = Relocation(self, core)
        return await relocation.observe(on: actor, block) {
            $0.makeObserver(keyPaths, "observe(on:)", $1)
        }
    }

    /// As `observe(keyPaths:_:)`, with key paths of Swift: `[\.firstName]`.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths), block)
    }

    /// As `observe(keyPaths:on:_:)`, with key paths of Swift.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths), on: queue, block)
    }

    /// As `observe(keyPaths:on:_isolation:_:)`, with key paths of Swift.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Self>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: names(of: keyPaths), on: actor, _isolation: _isolation, block)
    }

    /// The projection's changes, for `for await`, until its object is deleted. As
    /// `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<ObjectChange<Self>> { changes(keyPaths: nil as [String]?) }

    /// As ``changes``, of what key paths name.
    ///
    /// - Parameter keyPaths: What counts; nil for all that is projected.
    public func changes(keyPaths: [String]?) -> AsyncChanges<ObjectChange<Self>> {
        AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) }
    }

    /// As ``changes``, of what key paths name: `person.changes(keyPaths: [\.firstName])`.
    public func changes(keyPaths: [PartialKeyPath<Self>]) -> AsyncChanges<ObjectChange<Self>> {
        changes(keyPaths: names(of: keyPaths))
    }

    // MARK: -

    /// As the only class that conforms.
    private var projection: Projection<Root> { unsafeDowncast(self, to: Projection<Root>.self) }

    private func names(of keyPaths: [PartialKeyPath<Self>]) -> [String] {
        projection.names(of: keyPaths)
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
