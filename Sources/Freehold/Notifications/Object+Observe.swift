public import Dispatch
import Foundation
import FreeholdStorage

extension ThreadConfined where Self: ObjectBase {
    /// Calls a block with every change of the object's properties, and when it is deleted.
    ///
    /// A property counts as changed if its value differs from the last one reported, or from the
    /// one at registration; a collection, if its elements changed. Properties of linked objects
    /// do not count unless a key path names them (`["owner.name"]` reports the property
    /// `owner`). The block is called like that of
    /// ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``, but without an initial call.
    ///
    /// ```swift
    /// let token = dog.observe(keyPaths: ["name", "owner.name"]) { change in print(change) }
    /// ```
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe; nil for all properties of the object.
    ///   - block: Called with each change.
    /// - Returns: A token. Keep it while the block should be called.
    /// - Precondition: As for ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``, and the
    ///   object is not deleted.
    public func observe(keyPaths: [String]? = nil, _ block: @escaping (ObjectChange<Self>) -> Void)
        -> NotificationToken
    { observers.observe(keyPaths, block) }

    /// Observes the object like `observe(keyPaths:_:)`, but calls the block on a serial queue,
    /// with the object of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe; nil for all properties of the object.
    ///   - queue: The serial queue, or the main queue; nil for the thread, queue or actor of the
    ///     object.
    ///   - block: Called with each change.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
    ) -> NotificationToken { observers.observe(keyPaths, on: queue, block) }

    /// Observes the object like `observe(keyPaths:_:)`, but calls the block on an actor, with
    /// the object of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe; nil for all properties of the object.
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

    /// Does the same as `observe(keyPaths:_:)`, with Swift key paths: `[\.name, \.owner?.name]`.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken { observe(keyPaths: names(of: keyPaths, from: Self.self), block) }

    /// Does the same as `observe(keyPaths:on:_:)`, with Swift key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: Self.self), on: queue, block)
    }

    /// Does the same as `observe(keyPaths:on:_isolation:_:)`, with Swift key paths.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Self>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(
            keyPaths: names(of: keyPaths, from: Self.self), on: actor, _isolation: _isolation, block
        )
    }

    private var observers: ObserverFactory<Self, ObjectChange<Self>> {
        ObserverFactory(self, failed: { .error($0 as NSError) }) { $0.makeObserver($1, $2, $3) }
    }

    func makeObserver(
        _ keyPaths: [String]?, _ operation: String, _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> (core: RealmCore, observer: Observer) {
        let core = checkObserved(keyPaths, operation)
        guard let binding = binding?.takeUnretainedValue() else {
            preconditionFailure("A managed object has a binding.")
        }
        let subject = ObjectSubject(self, binding, observedPaths(keyPaths, binding))
        let observer = SubjectObserver(subject, first: nil) { [self] changes, context in
            switch changes {
            case .deleted: block(.deleted)
            case .changed(let ordinals): block(.change(self, propertyChanges(ordinals, context)))
            }
        }
        return (core, observer)
    }
}

extension ObjectBase {
    /// The gate for every observation of the object. Traps if it cannot be observed, or if a key
    /// path names no property.
    final func checkObserved(_ keyPaths: [String]?, _ operation: String) -> RealmCore {
        guard _isManaged, let core, let binding = binding?.takeUnretainedValue() else {
            misuse(
                "Only objects which are managed by a Realm support change notifications",
                remedy: "Realm.add the object first.")
        }
        core.checkConfinement(of: self, "Object.\(operation)")
        if core.isDeleted(self) {
            violation(.deletedObjectUsed(self, operation: "Object.\(operation)"))
        }
        _ = observedPaths(keyPaths, binding)
        return core
    }

    final func observedPaths(_ keyPaths: [String]?, _ binding: ClassBinding) -> ObservedPaths {
        keyPaths == nil ? .properties(binding.table) : ObservedPaths(keyPaths, of: binding)
    }

    /// The changes, with old and new values. On the realm's scheduler.
    final func propertyChanges(_ ordinals: [Int], _ context: ChangeContext) -> [PropertyChange] {
        guard let binding = binding?.takeUnretainedValue(), let core else { return [] }
        let declared = binding.schema.properties + binding.schema.computed
        let old = core.madeAllChanges(in: context) ? nil : counterpart(in: context.old)
        return ordinals.map { ordinal in
            let property = declared[ordinal]
            if property.isComputed || property.shape != nil {
                return PropertyChange(name: property.name, oldValue: nil, newValue: nil)
            }
            return PropertyChange(
                name: property.name, oldValue: old.flatMap { core.live($0.value(of: property)) },
                newValue: value(of: property))
        }
    }

    /// The object in another realm of its file; nil if it does not exist there.
    final func counterpart(in core: RealmCore) -> ObjectBase? {
        guard let binding = binding?.takeUnretainedValue() else { return nil }
        return core.accessor(key, of: core.binding(for: binding.reference))
    }
}

extension RealmCore {
    /// Whether this realm itself wrote all changes: old values are then not reported, as in
    /// Realm.
    func madeAllChanges(in context: ChangeContext) -> Bool {
        if let draft {
            return context.old.frozenEdits.map { $0.number > draft.foreignCount } ?? true
        }
        return lastForeignVersion <= context.old.currentSnapshot.version
    }

    /// Converts a value of a frozen version for the live realm: an object becomes the live one,
    /// nil if that is deleted.
    func live(_ value: Any?) -> Any? {
        guard let object = value as? ObjectBase else { return value }
        return object.counterpart(in: self)
    }
}
