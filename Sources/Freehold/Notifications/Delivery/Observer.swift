import FreeholdStorage

/// A version that an observer was notified of and keeps in the file until its next notification.
/// Shared by the observers of a realm.
final class ObservedVersion: @unchecked Sendable {
    // Sendable: frozen realms may be used by any thread.

    let snapshot: Snapshot
    /// The realm of a draft's edits on the version; nil for a version of the file.
    private let draft: RealmCore?
    /// Versions that follow have greater numbers: the version's, or that of a draft's state.
    let order: UInt64
    /// When observers were notified of it, or its comparison began; a time of ``CoarseClock``.
    let since = CoarseClock.now

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        draft = nil
        order = snapshot.version
    }

    /// Makes the version of a frozen realm.
    init(_ frozen: RealmCore) {
        snapshot = frozen.currentSnapshot
        draft = frozen.frozenEdits == nil ? nil : frozen
        order = frozen.frozenEdits?.number ?? snapshot.version
    }

    /// The frozen realm of the version.
    func core(of origin: RealmOrigin) -> RealmCore { draft ?? origin.frozenCore(snapshot) }

    /// A draft's edits on the version; nil for a version of the file.
    var edits: WriteSet? { draft?.frozenEdits?.edits }
    /// The state of the draft whose row keys this version has.
    var moment: DraftState.Moment? { draft?.frozenOrigin }
}

/// One registration of a callback in one realm: the subject, the last state that the callback
/// received, and the callback.
///
/// Computing changes uses only constant parts of the observer, so it may run on any thread while
/// the callback runs on the realm's scheduler. It starts from the last version and state that
/// the callback received, and gives a new version and state. The realm may move by itself
/// meanwhile, so that the observer has another version at delivery. The result is then dropped
/// and computed again.
class Observer: @unchecked Sendable {
    // @unchecked: `delivered` and `state` are protected by the listener's `monitor`. The
    // subclasses' callbacks are called on the realm's scheduler only.

    /// The last version that the callback was notified of; nil before the first.
    final var delivered: ObservedVersion?
    /// The state of the subject in that version; nil if it can be computed from the version.
    final var state: (any Sendable)?

    /// Whether changes should be computed for the observer. Protected like `delivered`.
    final var isReady = true

    /// The number of a draft's moves of rows that the subject has followed. Used on the draft's
    /// scheduler only.
    final var followedMoveCount = 0

    /// Whether the observer is registered. Protected like `delivered`.
    final var isRegistered = false

    /// Called with each version without changes to report, and with the subject's state there.
    /// The state is nil if nothing changed that the subject depends on. Set before the
    /// registration; called on the realm's scheduler.
    final var passed: ((_ target: ObservedVersion, _ state: (any Sendable)?) -> Void)?

    /// Called when the registration ended by itself: there will be no further delivery. Any
    /// thread.
    func end() {}

    /// Releases the callback and everything that it keeps, after the registration ended: the
    /// notifier may keep the observer until its work is done. On the realm's scheduler.
    func dropCallback() {}

    /// Follows rows of a draft that got other keys. On the draft's scheduler, where its changes
    /// are computed, too.
    ///
    /// - Parameters:
    ///   - core: The draft.
    ///   - state: The state at the last notification.
    ///   - old: The version of the last notification, with the old keys; nil before the first.
    /// - Returns: The state with the new keys; nil if it can be computed from that version with
    ///   the new keys.
    func follow(
        _ moves: ArraySlice<RowMove>, in core: RealmCore, _ state: (any Sendable)?,
        at old: RealmCore?
    ) -> (any Sendable)? { nil }

    /// Whether a difference cannot affect the observer, judging by the tables that it changed.
    func isUnaffected(by context: ChangeContext) -> Bool { fatalError("abstract") }

    /// Whether the callback skips the initial call: it is notified of all changes since the
    /// registration.
    var beginsSilently: Bool { fatalError("abstract") }

    /// Whether to store the new state even if there is no change to report.
    var movesSilently: Bool { false }

    /// The subject's state in the first version that the callback is notified of.
    func begin(in core: RealmCore) -> (any Sendable)? { fatalError("abstract") }

    /// The subject's state in the newer version, and the change to report; nil if there is none.
    func advance(_ state: (any Sendable)?, in context: ChangeContext) -> (
        state: (any Sendable)?, change: (any Sendable)?
    ) { fatalError("abstract") }

    /// Makes the initial call of the callback, if it wants one. On the realm's scheduler.
    func deliverInitial() { fatalError("abstract") }

    /// Calls the callback with a change. On the realm's scheduler.
    ///
    /// - Returns: Whether this was the last change, so that the registration ends.
    func deliver(_ change: any Sendable, _ context: ChangeContext) -> Bool {
        fatalError("abstract")
    }
}

/// Something observable: identifies the same thing in every realm of the file, and finds its
/// changes.
protocol ObservedSubject: Sendable {
    /// The state of the subject that is kept from one version to the next.
    associatedtype State: Sendable
    associatedtype Change: Sendable

    /// The tables that it depends on.
    var tables: Set<TableID> { get }
    func state(in core: RealmCore) -> State
    func change(from state: State, in context: ChangeContext) -> (state: State, change: Change?)
    /// Follows rows of a draft that got other keys.
    ///
    /// - Parameter core: The draft.
    mutating func follow(_ moves: ArraySlice<RowMove>, in core: RealmCore)
    /// A state with the new keys of rows; nil if it can be computed from the version with the new
    /// keys. Called before the subject follows.
    ///
    /// - Parameter old: The version of the state, with the old keys.
    func state(_ state: State, following moves: ArraySlice<RowMove>, in old: RealmCore) -> State?
    /// Whether a difference cannot affect the subject, as far as can be said without reading it.
    /// By default decided by the changed tables.
    func isUnaffected(by context: ChangeContext) -> Bool
    /// Whether the state can change without a change to report, like that of a section when
    /// other sections changed.
    var movesSilently: Bool { get }
    /// Whether no other change can follow this one.
    func isLast(_ change: Change) -> Bool
}

extension ObservedSubject {
    func isUnaffected(by context: ChangeContext) -> Bool {
        tables.isDisjoint(with: context.difference.changedTables)
    }

    func state(_ state: State, following moves: ArraySlice<RowMove>, in old: RealmCore) -> State? {
        nil
    }
    var movesSilently: Bool { false }
    func isLast(_ change: Change) -> Bool { false }
}

/// The observer of a subject.
final class SubjectObserver<Subject: ObservedSubject>: Observer, @unchecked Sendable {
    // @unchecked: see the superclass; `first` and `call` are used on the realm's scheduler only.

    private(set) var subject: Subject
    private var first: (() -> Void)?
    private var call: ((Subject.Change, Subject.State?, ChangeContext) -> Void)?
    /// Stored because any thread may read it.
    private let hasNoFirst: Bool

    /// - Parameter first: The initial call, if it is wanted. Called once.
    convenience init(
        _ subject: Subject, first: (() -> Void)?,
        _ call: @escaping (Subject.Change, ChangeContext) -> Void
    ) { self.init(subject, first: first) { change, _, context in call(change, context) } }

    /// - Parameter call: Also receives the subject's new state.
    init(
        _ subject: Subject, first: (() -> Void)?,
        following call: @escaping (Subject.Change, Subject.State?, ChangeContext) -> Void
    ) {
        self.subject = subject
        self.first = first
        self.call = call
        hasNoFirst = first == nil
    }

    override func dropCallback() {
        first = nil
        call = nil
    }

    override func isUnaffected(by context: ChangeContext) -> Bool {
        subject.isUnaffected(by: context)
    }

    override func follow(
        _ moves: ArraySlice<RowMove>, in core: RealmCore, _ state: (any Sendable)?,
        at old: RealmCore?
    ) -> (any Sendable)? {
        let followed = old.flatMap {
            subject.state(
                (state as? Subject.State) ?? subject.state(in: $0), following: moves, in: $0)
        }
        subject.follow(moves, in: core)
        return followed
    }

    override var beginsSilently: Bool { hasNoFirst }
    override var movesSilently: Bool { subject.movesSilently }

    override func begin(in core: RealmCore) -> (any Sendable)? { subject.state(in: core) }

    override func advance(_ state: (any Sendable)?, in context: ChangeContext) -> (
        state: (any Sendable)?, change: (any Sendable)?
    ) {
        let known = (state as? Subject.State) ?? subject.state(in: context.old)
        let (next, change) = subject.change(from: known, in: context)
        return (next, change)
    }

    override func deliverInitial() { first?() }

    override func deliver(_ change: any Sendable, _ context: ChangeContext) -> Bool {
        guard let change = change as? Subject.Change else { return false }
        call?(change, state as? Subject.State, context)
        return subject.isLast(change)
    }
}
