import FreeholdStorage

/// A registration of a callback: as long as it is kept, the callback is called.
///
/// ```swift
/// let token = dogs.observe { change in print(change) }
/// // …
/// token.invalidate()
/// ```
///
/// The registration ends with ``invalidate()``, with the token's last reference, when what is
/// observed was deleted, and with ``Realm/invalidate()``. Until then it keeps the realm and
/// what is observed alive.
///
/// Thread rule: keep it and end it anywhere; `Sendable`. The token of a realm itself
/// (``Realm/observe(_:)``) is ended on its realm's thread, queue or actor.
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

    /// A token of no registration: ``invalidate()`` does nothing.
    public init() { content = Locked(.ended) }

    /// A token for a registration that follows (``fulfil(_:)``). Inert if none does.
    init(expected: Void) { content = Locked(.expected) }

    deinit { _ = end() }

    /// Ends the registration. On the realm's thread, queue or actor, the callback is not called
    /// again; elsewhere, a call may just be running.
    ///
    /// Traps off the realm's thread, queue or actor, if it is the token of a realm itself.
    ///
    /// - Returns: Whether it was active.
    @discardableResult
    public func invalidate() -> Bool {
        if case .realm(let observer) = content.withLock({ $0 }) {
            observer.core.checkConfinement("NotificationToken.invalidate() of a realm's token")
        }
        return end()
    }

    /// As ``invalidate()``, on any thread: of a realm's token, too, whose callback may be
    /// called once more.
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

    /// There will be no registration.
    func endIfExpected() { content.withLock { if case .expected = $0 { $0 = .ended } } }

    /// The registration was made. Ended at once if the token was ended meanwhile.
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

    /// Stops or resumes telling. Meanwhile nothing is computed and nothing stored but the
    /// version that was told last, and what changes is told as one change afterwards. From
    /// inside of the callback: nothing more is told. Does nothing for the token of a realm
    /// itself. Any thread.
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

    /// Traps if the token is not of a realm, where its callback is to be left out of a transaction.
    func checkBelongs(to core: RealmCore) {
        let belongs = content.withLock { content in
            switch content {
            case .observer(_, let listener): listener === core.listener
            case .realm(let observer): observer.core === core
            // Of another queue or actor.
            case .expected: false
            case .ended: true
            }
        }
        if belongs { return }
        violation(
            .misuse(
                text:
                    """
                    Incorrect Realm: only notifications for the Realm being modified can \
                    be skipped.
                    """,
                remedy:
                    """
                    A token of this realm instance is one whose observe() was called on \
                    the same thread, queue or actor, without on:.
                    """
            ))
    }
}
