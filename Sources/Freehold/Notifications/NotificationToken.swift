import FreeholdStorage

/// The registration of a callback. The callback is called while the token is kept.
///
/// ```swift
/// let token = dogs.observe { change in print(change) }
/// // …
/// token.invalidate()
/// ```
///
/// The registration ends with ``invalidate()``, with the token's last reference, when the
/// observed object or collection is deleted, and with ``Realm/invalidate()``. Until then it
/// keeps the realm and the observed object or collection alive.
///
/// Thread rule: keep it and end it anywhere; it is `Sendable`. A token of a realm itself
/// (``Realm/observe(_:)``) must be ended on its realm's thread, queue or actor.
public final class NotificationToken: Sendable {
    private enum Content: Sendable {
        /// The registration is being made on another queue or actor.
        case expected
        case observer(Observer, RealmListener)
        case realm(RealmObserver)
        case ended
    }

    private let content: Locked<Content>

    init(_ observer: Observer, _ listener: RealmListener) {
        content = Locked(.observer(observer, listener))
    }

    init(_ observer: RealmObserver) { content = Locked(.realm(observer)) }

    /// Creates a token without a registration: ``invalidate()`` does nothing.
    public init() { content = Locked(.ended) }

    /// Creates a token for a registration that follows (``fulfil(_:_:)``). Inert if none does.
    init(expected: Void) { content = Locked(.expected) }

    deinit { _ = end() }

    /// Ends the registration. On the realm's thread, queue or actor, there is no further call of
    /// the callback. On another thread, a call may still be running.
    ///
    /// Traps off the realm's thread, queue or actor if it is the token of a realm itself.
    ///
    /// - Returns: Whether the registration was active.
    @discardableResult
    public func invalidate() -> Bool {
        if case .realm(let observer) = content.withLock({ $0 }) {
            observer.core.checkConfinement("NotificationToken.invalidate() of a realm's token")
        }
        return end()
    }

    /// Ends the registration like ``invalidate()``, but on any thread, even for a realm's token.
    /// Its callback may then be called once more.
    @discardableResult
    package func end() -> Bool {
        let old = content.withLock { content -> Content in
            defer { content = .ended }
            return content
        }
        switch old {
        case .expected: return true
        case .observer(let observer, let listener):
            let wasRegistered = listener.remove(observer)
            if listener.origin.confinement.allowsCaller { observer.dropCallback() }
            return wasRegistered
        case .realm(let observer): return observer.end()
        case .ended: return false
        }
    }

    /// Ends the token if its registration is still expected.
    func endIfExpected() { content.withLock { if case .expected = $0 { $0 = .ended } } }

    /// Attaches the registration. Ends it at once if the token was ended meanwhile.
    func fulfil(_ observer: Observer, _ listener: RealmListener) {
        let isEnded = content.withLock { content -> Bool in
            if case .expected = content {
                content = .observer(observer, listener)
                return false
            }
            return true
        }
        if isEnded { _ = listener.remove(observer) }
    }

    /// Pauses or resumes notifications. While paused, nothing is computed and only the last
    /// notified version is kept; afterwards all changes come as one. A call inside the callback
    /// takes effect at once. Does nothing for the token of a realm itself. Any thread.
    package func setPaused(_ isPaused: Bool) {
        let registration = content.withLock { content -> (Observer, RealmListener)? in
            if case .observer(let observer, let listener) = content {
                (observer, listener)
            } else {
                nil
            }
        }
        if let (observer, listener) = registration { listener.setReady(observer, !isPaused) }
    }

    /// Whether the registration that follows is still wanted.
    var isExpected: Bool { content.withLock { if case .expected = $0 { true } else { false } } }

    var observer: Observer? {
        content.withLock { if case .observer(let observer, _) = $0 { observer } else { nil } }
    }

    var realmObserver: RealmObserver? {
        content.withLock { if case .realm(let observer) = $0 { observer } else { nil } }
    }

    /// Traps if the token does not belong to a realm that must skip its callback for a
    /// transaction.
    func checkBelongs(to core: RealmCore) {
        let belongs = content.withLock { content in
            switch content {
            case .observer(_, let listener): listener === core.listener
            case .realm(let observer): observer.core === core
            // Belongs to another queue or actor.
            case .expected: false
            case .ended: true
            }
        }
        if belongs { return }
        misuse(
            "Incorrect Realm: only notifications for the Realm being modified can be skipped.",
            remedy: """
                A token of this realm instance is one whose observe() was called on \
                the same thread, queue or actor, without on:.
                """)
    }
}
