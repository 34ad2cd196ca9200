import Dispatch
import FreeholdStorage

/// Observes something on another queue or actor: finds it again in a realm there, and registers
/// the observer in that realm.
struct Relocation<Confined: ThreadConfined>: Sendable {
    private let reference: ThreadSafeReference<Confined>
    private let configuration: Realm.Configuration

    /// The caller has passed the gate of `core`, the realm of `confined`. Traps if it cannot be
    /// observed.
    init(_ confined: Confined, _ core: RealmCore) {
        core.checkObservable()
        if core.draft != nil {
            misuse(
                "A draft cannot be observed on another queue or actor.",
                remedy: "Observe it where it is: observe(_:) without on:.")
        }
        reference = ThreadSafeReference(to: confined)
        configuration = core.configuration
    }

    /// Observes on a queue, without waiting for it.
    ///
    /// - Parameters:
    ///   - failed: The change to report if no realm can be opened there; nil for none.
    ///   - makeObserver: Called on the queue with the counterpart there.
    func observe<Change>(
        on queue: DispatchQueue, _ block: @escaping @Sendable (Change) -> Void,
        failed: @escaping @Sendable (any Error) -> Change?,
        _ makeObserver:
            @escaping @Sendable (Confined, @escaping (Change) -> Void) -> (RealmCore, Observer)
    ) -> NotificationToken {
        let token = NotificationToken(expected: ())
        queue.async { [weak token] in
            guard let token, token.isExpected else { return }
            do {
                let realm = try Realm(configuration: configuration, queue: queue)
                guard let confined = realm.resolve(reference) else { return }
                let (core, observer) = makeObserver(confined, block)
                core.register(observer, for: token)
            } catch {
                failed(error).map(block)
            }
        }
        return token
    }

    /// Observes on an actor.
    ///
    /// - Parameters:
    ///   - failed: The change to report if no realm can be opened there; nil for none.
    ///   - makeObserver: Called on the actor with the counterpart there.
    func observe<A: Actor, Change>(
        on actor: A, _ block: @escaping @Sendable (isolated A, Change) -> Void,
        failed: @escaping @Sendable (any Error) -> Change?,
        _ makeObserver:
            @escaping @Sendable (Confined, @escaping (Change) -> Void) -> (RealmCore, Observer)
    ) async -> NotificationToken {
        let token = NotificationToken(expected: ())
        if !Task.isCancelled { await register(token, actor, block, failed, makeObserver) }
        // No registration follows: a token without one is not valid.
        token.endIfExpected()
        return token
    }

    private func register<A: Actor, Change>(
        _ token: NotificationToken, _ actor: isolated A,
        _ block: @escaping @Sendable (isolated A, Change) -> Void,
        _ failed: @Sendable (any Error) -> Change?,
        _ makeObserver: @Sendable (Confined, @escaping (Change) -> Void) -> (RealmCore, Observer)
    ) {
        do {
            let core = try RealmCore.open(
                configuration, .here(actor: actor, fileID: #fileID, line: #line))
            guard let confined = Realm(core: core).resolve(reference) else { return }
            // The observer must not keep the actor alive.
            let (own, observer) = makeObserver(confined) { [weak actor] change in
                guard let actor else { return }
                let transfer = UnsafeTransfer(change)
                unsafeAssumeIsolated(actor) { block($0, transfer.value) }
            }
            own.register(observer, for: token)
        } catch {
            if let change = failed(error) { block(actor, change) }
        }
    }
}

/// Calls a function isolated to the actor that the caller runs on, without the compiler's
/// knowledge. Traps if the caller does not run on it.
private func unsafeAssumeIsolated<A: Actor>(_ actor: A, _ body: (isolated A) -> Void) {
    withoutActuallyEscaping(body) { body in
        let transfer = UnsafeTransfer(body)
        actor.assumeIsolated { transfer.value($0) }
    }
}

/// Registers an observer of a realm where it was made.
func register(_ made: (core: RealmCore, observer: Observer)) -> NotificationToken {
    made.core.register(made.observer)
}

extension RealmCore {
    /// Registers an observer for a token that was returned earlier.
    func register(_ observer: Observer, for token: NotificationToken) {
        let listener = requireListener()
        add(observer, to: listener)
        token.fulfil(observer, listener)
        coordinator.notifier.signal()
    }
}
