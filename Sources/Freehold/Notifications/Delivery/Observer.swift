import FreeholdStorage

/// A version that an observer has been told of, and that it keeps in the file until it is told
/// of the next. Shared by the observers of a realm.
final class ObservedVersion: Sendable {
    let snapshot: Snapshot
    /// When observers were told of it, or it began to be compared; in terms of ``CoarseClock``.
    let since = CoarseClock.now

    init(_ snapshot: Snapshot) { self.snapshot = snapshot }
}

/// One registration of a callback in one realm: what is observed, what its callback was told
/// last, and the callback.
///
/// Computing what changed touches nothing of the observer but what never changes, so it may
/// happen on any thread while the callback runs on the realm's scheduler. It begins with the
/// version and the state that the callback was told last, and ends with a new version and
/// state; when it is delivered and the observer stands somewhere else by then, because the
/// realm moved by itself meanwhile, it is dropped and computed again.
class Observer: @unchecked Sendable {
    // @unchecked: `told` and `state` are protected by the listener's `monitor`; callbacks, in
    // the subclasses, are called on the realm's scheduler only.

    /// The version that the callback was told of last; nil before the first.
    final var told: ObservedVersion?
    /// What the subject was in that version; nil where that is found again from the version.
    final var state: (any Sendable)?

    /// Whether anything is to be computed for the observer. Protected as `told`.
    final var isReady = true

    /// Whether the observer is registered. Protected as `told`.
    final var isRegistered = false

    /// Called with each version in which there is nothing to tell, and with what the subject is
    /// there; without that where nothing changed that it depends on. Set before the
    /// registration, called on the realm's scheduler.
    final var passed: ((_ target: Snapshot, _ state: (any Sendable)?) -> Void)?

    /// The registration has ended by itself: nothing will be delivered. Any thread.
    func end() {}

    /// Lets go of the callback, and of what that keeps, after the registration ended: the
    /// notifier may keep the observer until its work is done. On the realm's scheduler.
    func dropCallback() {}

    /// Whether a difference cannot matter, by a look at the tables that it touches.
    func isUnaffected(by context: ChangeContext) -> Bool { fatalError("abstract") }

    /// Whether the callback is not called in the beginning: it is told of everything that
    /// changes from the registration on.
    var beginsSilently: Bool { fatalError("abstract") }

    /// Whether the state is to be taken over where there is nothing to tell.
    var movesSilently: Bool { false }

    /// What the subject is in the first version that the callback is told of.
    func begin(in core: RealmCore) -> (any Sendable)? { fatalError("abstract") }

    /// What the subject is in the newer version, and what to tell; no change where there is
    /// nothing to tell.
    func advance(_ state: (any Sendable)?, in context: ChangeContext) -> (
        state: (any Sendable)?, change: (any Sendable)?
    ) { fatalError("abstract") }

    /// Calls the callback for the first time, where it wants that. On the realm's scheduler.
    func deliverInitial() { fatalError("abstract") }

    /// Calls the callback with a change. On the realm's scheduler.
    ///
    /// - Returns: Whether there will never be another one, so that the registration ends.
    func deliver(_ change: any Sendable, _ context: ChangeContext) -> Bool {
        fatalError("abstract")
    }
}

/// What can be observed: a name that means the same in every realm of the file, and how its
/// changes are found.
protocol ObservedSubject: Sendable {
    /// What is kept of the subject from one version to the next.
    associatedtype State: Sendable
    associatedtype Change: Sendable

    /// The tables that it depends on.
    var tables: Set<TableID> { get }
    func state(in core: RealmCore) -> State
    func change(from state: State, in context: ChangeContext) -> (state: State, change: Change?)
    /// Whether a difference cannot matter, as far as can be said without looking at the
    /// subject. By the tables that it touches, unless said otherwise.
    func isUnaffected(by context: ChangeContext) -> Bool
    /// Whether the state is another one although there is nothing to tell, as that of a section
    /// is when other sections changed.
    var movesSilently: Bool { get }
    /// Whether nothing can follow a change.
    func isLast(_ change: Change) -> Bool
}

extension ObservedSubject {
    func isUnaffected(by context: ChangeContext) -> Bool {
        tables.isDisjoint(with: context.difference.changedTables)
    }

    var movesSilently: Bool { false }
    func isLast(_ change: Change) -> Bool { false }
}

/// The observer of a subject.
final class SubjectObserver<Subject: ObservedSubject>: Observer, @unchecked Sendable {
    // @unchecked: as the superclass; `first` and `call` are used on the realm's scheduler only.

    let subject: Subject
    private var first: (() -> Void)?
    private var call: ((Subject.Change, Subject.State?, ChangeContext) -> Void)?
    /// Asked for on any thread.
    private let hasNoFirst: Bool

    /// - Parameter first: Called once at the beginning, where that is wanted.
    convenience init(
        _ subject: Subject, first: (() -> Void)?,
        _ call: @escaping (Subject.Change, ChangeContext) -> Void
    ) {
        self.init(subject, first: first) { change, _, context in call(change, context) }
    }

    /// - Parameter call: Also told what the subject is now.
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
