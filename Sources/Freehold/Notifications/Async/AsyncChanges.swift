import FreeholdStorage

/// The changes of something in a realm, for `for await`: the same as what its `observe`
/// reports, one at a time.
///
/// ```swift
/// @MainActor func follow(_ dogs: Results<Dog>) async {
///     for await change in dogs.changes {
///         if case .update(let dogs, let deletions, let insertions, let modifications) = change { … }
///     }
/// }
/// ```
///
/// A loop gets each change on the actor that it runs on, which must be the realm's, and finds
/// the realm in the state that the change leads to; that holds until the loop's next `await`.
/// Commits that come while the loop is busy are one change, the next one: a slow loop gets
/// fewer and larger changes, and nothing is stored up. (The version that it was told last stays
/// in the file meanwhile, so a loop that is busy for hours makes the file grow as a frozen
/// realm would.)
///
/// The loop ends when its task is cancelled, when what is observed was deleted, and with
/// ``Realm/invalidate()``. Each loop observes for itself, from its beginning on.
///
/// Thread rule: confined like what is observed. Iterating traps off its actor, and where
/// ``RealmCollection/observe(keyPaths:_:)-([String]?,_)`` would.
public struct AsyncChanges<Change>: AsyncSequence {
    /// What each turn of a loop gets.
    public typealias Element = Change
    /// A loop cannot fail.
    public typealias Failure = Never

    /// Makes an observer that calls a block; passes the gate.
    private let makeObserver: (@escaping (Change) -> Void) -> (core: RealmCore, observer: Observer)

    init(
        _ makeObserver:
            @escaping (@escaping (Change) -> Void) -> (core: RealmCore, observer: Observer)
    ) { self.makeObserver = makeObserver }

    /// Begins to observe with the first ``AsyncIterator/next(isolation:)``.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(makeObserver) }

    /// Waits for one change after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let makeObserver:
            (@escaping (Change) -> Void) -> (core: RealmCore, observer: Observer)
        private var registration: Registration?

        init(
            _ makeObserver:
                @escaping (@escaping (Change) -> Void) -> (core: RealmCore, observer: Observer)
        ) { self.makeObserver = makeObserver }

        /// The next change. Nil at the end.
        public mutating func next() async -> Change? { await next(isolation: #isolation) }

        /// The next change. Nil at the end: after a cancellation, after a deletion, or when the
        /// realm was invalidated.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
            if Task.isCancelled { return nil }
            let registration = registration ?? Registration(makeObserver)
            self.registration = registration
            return await registration.next(isolation: actor)
        }
    }

    /// One loop's observer. Ended with its last reference.
    private final class Registration {
        private let core: RealmCore
        private let listener: RealmListener
        private let observer: PullObserver
        private let slot: Slot

        /// What the observer's block was called with.
        private final class Slot {
            var change: Change?
        }

        init(_ makeObserver: (@escaping (Change) -> Void) -> (core: RealmCore, observer: Observer))
        {
            let slot = Slot()
            let made = makeObserver { slot.change = $0 }
            self.slot = slot
            core = made.core
            observer = PullObserver(made.observer)
            listener = core.requireListener()
            core.add(observer, to: listener)
        }

        deinit { _ = listener.remove(observer) }

        func next(isolation actor: isolated (any Actor)?) async -> Change? {
            while true {
                core.checkConfinement("waiting for changes")
                guard listener.makeReady(observer) else { return nil }
                core.coordinator.notifier.signal()
                guard await observer.wait(isolation: actor) else {
                    _ = listener.remove(observer)
                    return nil
                }
                core.checkConfinement("waiting for changes")
                take()
                if let change = slot.change.take() { return change }
            }
        }

        /// Takes what is parked, or what is right by now.
        private func take() {
            guard let parked = listener.takeParked(observer), let snapshot = core.snapshot else {
                return
            }
            if case .prepared(let item, let target) = parked,
                target.snapshot.version == snapshot.version
            {
                return listener.accept(item, target)
            }
            do throws(StorageError) {
                let package = try ChangePackage(
                    [listener.group(of: observer)], of: listener,
                    ChangeRound(core.origin, to: snapshot))
                if let item = package.items.first { listener.accept(item, package.target) }
            } catch {
                core.store.noteDamage(error)
            }
        }
    }
}

@available(
    *, unavailable,
    message: "Changes are confined as what is observed: loop over them on the realm's actor."
)
extension AsyncChanges: Sendable {}

extension RealmCollection {
    /// The collection's changes, for `for await`; what it has is the first one. As
    /// `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<RealmCollectionChange<Self>> {
        changes(keyPaths: nil as [String]?)
    }

    /// As ``changes``, of what key paths name.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything.
    public func changes(keyPaths: [String]?) -> AsyncChanges<RealmCollectionChange<Self>> {
        AsyncChanges { block in
            guard let collection = self as? any CollectionOfRealm,
                let observed = collection.observed("changes")
            else { refuseUnmanaged(Self.self) }
            return (
                observed.core,
                observed.observer(keyPaths, first: { block(.initial(self)) }) {
                    block(RealmCollectionChange(self, $0))
                }
            )
        }
    }
}

extension RealmCollection where Element: ObjectBase {
    /// As ``changes``, of what key paths name: `dogs.changes(keyPaths: [\.name])`.
    public func changes(keyPaths: [PartialKeyPath<Element>]) -> AsyncChanges<
        RealmCollectionChange<Self>
    > {
        changes(keyPaths: names(of: keyPaths, from: Element.self))
    }
}

extension ThreadConfined where Self: ObjectBase {
    /// The object's changes, for `for await`, until it is deleted. As `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<ObjectChange<Self>> { changes(keyPaths: nil as [String]?) }

    /// As ``changes``, of what key paths name.
    ///
    /// - Parameter keyPaths: What counts; nil for all properties of the object.
    public func changes(keyPaths: [String]?) -> AsyncChanges<ObjectChange<Self>> {
        AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) }
    }

    /// As ``changes``, of what key paths name: `dog.changes(keyPaths: [\.name])`.
    public func changes(keyPaths: [PartialKeyPath<Self>]) -> AsyncChanges<ObjectChange<Self>> {
        changes(keyPaths: names(of: keyPaths, from: Self.self))
    }
}

extension Map {
    /// The map's changes, for `for await`; what it has is the first one. As
    /// `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<RealmMapChange<Map>> { changes(keyPaths: nil) }

    /// As ``changes``, of what key paths name.
    ///
    /// - Parameter keyPaths: What counts as a change of a value that is an object; nil for
    ///   everything.
    public func changes(keyPaths: [String]?) -> AsyncChanges<RealmMapChange<Map>> {
        AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) }
    }
}
