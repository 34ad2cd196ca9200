import FreeholdStorage

/// The changes of something in a realm, one at a time, for `for await`. They equal those that
/// its `observe` reports.
///
/// ```swift
/// @MainActor func follow(_ dogs: Results<Dog>) async {
///     for await change in dogs.changes {
///         if case .update(_, let deletions, let insertions, let modifications) = change { … }
///     }
/// }
/// ```
///
/// A loop receives each change on its own actor, which must be the realm's. The realm is then in
/// the state that the change leads to, until the loop's next `await`. Commits that come while
/// the loop is busy are combined into its next change. So a slow loop gets fewer and larger
/// changes, and no queue grows. (The loop keeps the last version that it received in the file. A
/// loop that is busy for hours makes the file grow, like a frozen realm.)
///
/// The loop ends when its task is cancelled, when the observed object or collection is deleted,
/// and with ``Realm/invalidate()``. Each loop is a separate observer that starts with the loop.
///
/// Thread rule: confined like the observed object or collection. Iterating traps off its actor,
/// and where ``RealmCollection/observe(keyPaths:_:)-([String]?,_)`` would; in a ``Draft``, also
/// where nothing can wake the loop: in the task that opened it, and on a thread that runs no loop.
public struct AsyncChanges<Change>: AsyncSequence {
    /// The value of each iteration.
    public typealias Element = Change
    /// A loop never throws.
    public typealias Failure = Never

    /// Creates an observer that calls a block, and checks the thread rule.
    let makeObserver: (@escaping (Change) -> Void) -> (core: RealmCore, observer: Observer)

    /// Creates an iterator. It starts to observe with the first
    /// ``AsyncIterator/next(isolation:)``.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(makeObserver: makeObserver) }

    /// Iterates over the changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let makeObserver:
            (@escaping (Change) -> Void) -> (core: RealmCore, observer: Observer)
        fileprivate var registration: Registration?

        /// Returns the next change; nil at the end.
        public mutating func next() async -> Change? { await next(isolation: #isolation) }

        /// Returns the next change. Nil at the end: after a cancellation, after a deletion, or
        /// when the realm was invalidated.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
            if Task.isCancelled { return nil }
            let registration = registration ?? Registration(makeObserver)
            self.registration = registration
            return await registration.next(isolation: actor)
        }
    }

    /// One loop's observer. It ends with the last reference.
    fileprivate final class Registration {
        private let core: RealmCore
        private let listener: RealmListener
        private let observer: PullObserver
        private let slot: Slot

        /// Receives the change that the observer's block was called with.
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
            core.requireCallbacks()
            core.add(observer, to: listener)
        }

        deinit { _ = listener.remove(observer) }

        func next(isolation actor: isolated (any Actor)?) async -> Change? {
            while true {
                core.checkConfinement("waiting for changes")
                guard listener.makeReady(observer) else { return nil }
                core.requestDelivery()
                guard await observer.wait(isolation: actor) else {
                    _ = listener.remove(observer)
                    return nil
                }
                core.checkConfinement("waiting for changes")
                take()
                if let change = slot.change.take() { return change }
            }
        }

        /// Takes the parked change, or computes the current one.
        private func take() {
            guard let parked = listener.takeParked(observer), core.snapshot != nil else { return }
            let current = core.observedVersion
            if case .prepared(let item, let target) = parked, target.order == current.order {
                return listener.accept(item, target)
            }
            do throws(StorageError) {
                let package = try ChangePackage(
                    [listener.group(of: observer)], of: listener,
                    ChangeRound(core.origin, to: current))
                if let item = package.items.first { listener.accept(item, package.target) }
            } catch {
                core.store.noteDamage(error)
            }
        }
    }
}

@available(
    *, unavailable,
    message: "Changes are confined to the observed realm's actor: loop over them there."
)
extension AsyncChanges: Sendable {}

extension RealmCollection {
    /// The collection's changes, for `for await`, starting with its initial state. See
    /// `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<RealmCollectionChange<Self>> {
        changes(keyPaths: nil as [String]?)
    }

    /// The changes of the properties at key paths. See ``changes``.
    ///
    /// - Parameter keyPaths: The properties whose changes count; nil for all.
    public func changes(keyPaths: [String]?) -> AsyncChanges<RealmCollectionChange<Self>> {
        AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) }
    }
}

extension RealmCollection where Element: ObjectBase {
    /// The changes of the properties at key paths: `dogs.changes(keyPaths: [\.name])`. See
    /// ``changes``.
    public func changes(keyPaths: [PartialKeyPath<Element>]) -> AsyncChanges<
        RealmCollectionChange<Self>
    > { changes(keyPaths: names(of: keyPaths, from: Element.self)) }
}

extension ThreadConfined where Self: ObjectBase {
    /// The object's changes, for `for await`, until it is deleted. See `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<ObjectChange<Self>> { changes(keyPaths: nil as [String]?) }

    /// The changes of the properties at key paths. See ``changes``.
    ///
    /// - Parameter keyPaths: The properties to observe; nil for all properties of the object.
    public func changes(keyPaths: [String]?) -> AsyncChanges<ObjectChange<Self>> {
        AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) }
    }

    /// The changes of the properties at key paths: `dog.changes(keyPaths: [\.name])`. See
    /// ``changes``.
    public func changes(keyPaths: [PartialKeyPath<Self>]) -> AsyncChanges<ObjectChange<Self>> {
        changes(keyPaths: names(of: keyPaths, from: Self.self))
    }
}

extension Map {
    /// The map's changes, for `for await`, starting with its initial state. See
    /// `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<RealmMapChange<Map>> { changes(keyPaths: nil) }

    /// The changes of the properties at key paths. See ``changes``.
    ///
    /// - Parameter keyPaths: The properties whose changes count, if the values are objects; nil
    ///   for all.
    public func changes(keyPaths: [String]?) -> AsyncChanges<RealmMapChange<Map>> {
        AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) }
    }
}
