import Dispatch
import Foundation
import FreeholdStorage

/// Something that is observed on another queue or actor than its own: found again in a realm
/// there, where the observer is registered.
struct Relocation<Confined: ThreadConfined>: Sendable {
    private let reference: ThreadSafeReference<Confined>
    private let configuration: Realm.Configuration

    /// The caller passed the gate of `core`, which is the realm of `confined`. Traps where it
    /// cannot be observed.
    init(_ confined: Confined, _ core: RealmCore) {
        core.checkObservable()
        reference = ThreadSafeReference(to: confined)
        configuration = core.configuration
    }

    /// On a queue, which is not waited for.
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

    /// On an actor.
    ///
    /// - Parameters:
    ///   - failure: Called on the actor if no realm can be opened there.
    ///   - makeObserver: Called on the actor with the counterpart there, and with what calls
    ///     code that is isolated to the actor.
    func observe<A: Actor>(
        on actor: A, failure: @escaping @Sendable (isolated A, any Error) -> Void,
        _ makeObserver:
            @escaping @Sendable (Confined, @escaping ((isolated A) -> Void) -> Void) -> (
                RealmCore, Observer
            )?
    ) async -> NotificationToken {
        let token = NotificationToken(expected: ())
        if !Task.isCancelled { await register(token, actor, failure, makeObserver) }
        // Nothing follows any more: a token without a registration is not valid.
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

/// Calls what is isolated to an actor, on which the caller runs without the compiler's
/// knowledge. Traps if it does not.
private func unsafeAssumeIsolated<A: Actor>(_ actor: A, _ body: (isolated A) -> Void) {
    withoutActuallyEscaping(body) { body in
        let transfer = UnsafeTransfer(body)
        actor.assumeIsolated { transfer.value($0) }
    }
}

extension RealmCore {
    /// Registers an observer for a token that was handed out before.
    func register(_ observer: Observer, for token: NotificationToken) {
        let listener = requireListener()
        add(observer, to: listener)
        token.fulfil(observer, listener)
        coordinator.notifier.signal()
    }
}
