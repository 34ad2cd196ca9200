import Dispatch
import Foundation
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
        reference = ThreadSafeReference(to: confined)
        configuration = core.configuration
    }

    /// Observes on a queue, without waiting for it.
    ///
    /// - Parameters:
    ///   - failure: Called on the queue if no realm can be opened there.
    ///   - makeObserver: Called on the queue with the counterpart there.
    func observe(
        on queue: DispatchQueue, failure: @escaping @Sendable (any Error) -> Void,
        _ makeObserver: @escaping @Sendable (Confined) -> (RealmCore, Observer)?
    ) -> NotificationToken {
        let token = NotificationToken(expected: ())
        queue.async { [weak token] in
            guard let token, token.isExpected else { return }
            do {
                let realm = try Realm(configuration: configuration, queue: queue)
                guard let confined = realm.resolve(reference),
                    let (core, observer) = makeObserver(confined)
                else { return }
                core.register(observer, for: token)
            } catch {
                failure(error)
            }
        }
        return token
    }

    /// On a queue: changes of an object or a projection, and the error if no realm can be
    /// opened there.
    func observe(
        on queue: DispatchQueue, _ block: @escaping @Sendable (ObjectChange<Confined>) -> Void,
        _ makeObserver:
            @escaping @Sendable (Confined, @escaping (ObjectChange<Confined>) -> Void) -> (
                RealmCore, Observer
            )
    ) -> NotificationToken {
        observe(on: queue, failure: { block(.error($0 as NSError)) }) { makeObserver($0, block) }
    }

    /// On an actor: changes of an object or a projection, and the error if no realm can be
    /// opened there.
    func observe<A: Actor>(
        on actor: A, _ block: @escaping @Sendable (isolated A, ObjectChange<Confined>) -> Void,
        _ makeObserver:
            @escaping @Sendable (Confined, @escaping (ObjectChange<Confined>) -> Void) -> (
                RealmCore, Observer
            )
    ) async -> NotificationToken {
        await observe(on: actor, failure: { block($0, .error($1 as NSError)) }) { confined, call in
            makeObserver(confined) { change in
                let transfer = UnsafeTransfer(change)
                call { block($0, transfer.value) }
            }
        }
    }

    /// Observes on an actor.
    ///
    /// - Parameters:
    ///   - failure: Called on the actor if no realm can be opened there.
    ///   - makeObserver: Called on the actor with the counterpart there, and with a function
    ///     that calls code isolated to the actor.
    func observe<A: Actor>(
        on actor: A, failure: @escaping @Sendable (isolated A, any Error) -> Void,
        _ makeObserver:
            @escaping @Sendable (Confined, @escaping ((isolated A) -> Void) -> Void) -> (
                RealmCore, Observer
            )?
    ) async -> NotificationToken {
        let token = NotificationToken(expected: ())
        if !Task.isCancelled { await register(token, actor, failure, makeObserver) }
        // No registration follows: a token without one is not valid.
        token.endIfExpected()
        return token
    }

    private func register<A: Actor>(
        _ token: NotificationToken, _ actor: isolated A,
        _ failure: @Sendable (isolated A, any Error) -> Void,
        _ makeObserver:
            @Sendable (Confined, @escaping ((isolated A) -> Void) -> Void) -> (RealmCore, Observer)?
    ) {
        do {
            let core = try RealmCore.open(
                configuration, .here(actor: actor, fileID: #fileID, line: #line))
            guard let confined = Realm(core: core).resolve(reference) else { return }
            // The observer must not keep the actor alive.
            let call = { [weak actor] (body: (isolated A) -> Void) in
                guard let actor else { return }
                unsafeAssumeIsolated(actor, body)
            }
            if let (core, observer) = makeObserver(confined, call) {
                core.register(observer, for: token)
            }
        } catch {
            failure(actor, error)
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

extension RealmCore {
    /// Registers an observer for a token that was returned earlier.
    func register(_ observer: Observer, for token: NotificationToken) {
        let listener = requireListener()
        add(observer, to: listener)
        token.fulfil(observer, listener)
        coordinator.notifier.signal()
    }
}
