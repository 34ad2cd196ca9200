public import Dispatch
import Foundation
import FreeholdStorage

extension ThreadConfined where Self: ObjectBase {
    /// Calls a block with every change of the object's properties, and when it is deleted.
    ///
    /// A property counts as changed when it has another value than the one that the block was
    /// told, or knew in the beginning; a collection when its elements did. What the objects
    /// that it links to have in their properties does not count, unless key paths name it
    /// (`["owner.name"]` reports the property `owner`). Called as
    /// ``RealmCollection/observe(keyPaths:_:)-([String]?,_)`` is, but not in the beginning.
    ///
    /// ```swift
    /// let token = dog.observe(keyPaths: ["name", "owner.name"]) { change in print(change) }
    /// ```
    ///
    /// - Parameters:
    ///   - keyPaths: What counts; nil for all properties of the object.
    ///   - block: Called with each change.
    /// - Returns: A token, to be kept for as long as the block is to be called.
    /// - Note: Traps as the observation of a collection does, and for an object that was deleted.
    public func observe(keyPaths: [String]? = nil, _ block: @escaping (ObjectChange<Self>) -> Void)
        -> NotificationToken
    {
        let (core, observer) = makeObserver(keyPaths, "observe(_:)", block)
        return core.register(observer)
    }

    /// As `observe(keyPaths:_:)`, with the block called on a serial queue, with the object in
    /// a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts; nil for all properties of the object.
    ///   - queue: The serial queue, or the main queue; nil for where the object is.
    ///   - block: Called with each change.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        guard let queue else { return observe(keyPaths: keyPaths, block) }
        let core = checkObserved(keyPaths, "observe(on:)")
        return Relocation(self, core).observe(on: queue, block) {
            $0.makeObserver(keyPaths, "observe(on:)", $1)
        }
    }

    /// As `observe(keyPaths:_:)`, with the block called on an actor, with the object in a
    /// realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts; nil for all properties of the object.
    ///   - actor: Where the block is called.
    ///   - _isolation: The caller's actor. Leave it out.
    ///   - block: Called with the actor and each change.
    /// - Returns: The token, when the registration is complete. Inert if the task was
    ///   cancelled, or if the object was deleted.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        let relocation = Relocation(self, checkObserved(keyPaths, "observe(on:)"))
        return await relocation.observe(on: actor, block) {
            $0.makeObserver(keyPaths, "observe(on:)", $1)
        }
    }

    /// As `observe(keyPaths:_:)`, with key paths of Swift: `[\.name, \.owner?.name]`.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: Self.self), block)
    }

    /// As `observe(keyPaths:on:_:)`, with key paths of Swift.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: Self.self), on: queue, block)
    }

    /// As `observe(keyPaths:on:_isolation:_:)`, with key paths of Swift.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Self>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(
            keyPaths: names(of: keyPaths, from: Self.self), on: actor, _isolation: _isolation, block
        )
    }

    func makeObserver(
        _ keyPaths: [String]?, _ operation: String, _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> (RealmCore, Observer) {
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
    /// The gate of everything that observes the object. Traps if it cannot be observed, or if
    /// key paths name nothing.
    final func checkObserved(_ keyPaths: [String]?, _ operation: String) -> RealmCore {
        guard _isManaged, let core, let binding = binding?.takeUnretainedValue() else {
            violation(
                .misuse(
                    text: "Only objects which are managed by a Realm support change notifications",
                    remedy: "Realm.add the object first."))
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

    /// What changed, with the values before and now. On the realm's scheduler.
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

    /// The object in another realm of its file; nil if it is not there.
    final func counterpart(in core: RealmCore) -> ObjectBase? {
        guard let binding = binding?.takeUnretainedValue() else { return nil }
        let other = core.binding(for: binding.reference)
        return core.locate(key, of: other).map {
            other.makeAccessor(key: key, cluster: $0.cluster, row: $0.row)
        }
    }
}

extension RealmCore {
    /// Whether the realm wrote by itself all that differs: no former values are told then, as
    /// in Realm.
    func madeAllChanges(in context: ChangeContext) -> Bool {
        lastForeignVersion <= context.old.currentSnapshot.version
    }

    /// A value of a frozen version as the live realm has it: an object as the live one, nil if
    /// that is gone.
    func live(_ value: Any?) -> Any? {
        guard let object = value as? ObjectBase else { return value }
        return object.counterpart(in: self)
    }
}
