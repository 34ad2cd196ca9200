import Dispatch

/// Observes a subject where it is, on a queue or on an actor. The `observe` functions of all
/// types share it, because their public callbacks have no common type.
struct ObserverFactory<Subject: ThreadConfined, Change> {
    /// Passes the gate and creates an observer of the subject, or of its counterpart in another
    /// realm. Traps if it cannot be observed. The text is the operation that messages name.
    typealias Make =
        @Sendable (Subject, [String]?, String, @escaping (Change) -> Void) -> (
            core: RealmCore, observer: Observer
        )

    private let subject: Subject
    private let failed: @Sendable (any Error) -> Change?
    private let make: Make

    /// - Parameter failed: The change to report if no realm can be opened on a queue or an actor;
    ///   nil for none.
    init(
        _ subject: Subject, failed: @escaping @Sendable (any Error) -> Change?,
        _ make: @escaping Make
    ) {
        self.subject = subject
        self.failed = failed
        self.make = make
    }

    func observe(_ keyPaths: [String]?, _ block: @escaping (Change) -> Void) -> NotificationToken {
        register(make(subject, keyPaths, "observe(_:)", block))
    }

    /// - Parameter queue: Nil for where the subject is.
    func observe(
        _ keyPaths: [String]?, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (Change) -> Void
    ) -> NotificationToken {
        guard let queue else { return observe(keyPaths, block) }
        return relocation(keyPaths).observe(on: queue, block, failed: failed) { [make] in
            make($0, keyPaths, "observe(on:)", $1)
        }
    }

    func observe<A: Actor>(
        _ keyPaths: [String]?, on actor: A, _isolation: isolated (any Actor)?,
        _ block: @escaping @Sendable (isolated A, Change) -> Void
    ) async -> NotificationToken {
        let (relocation, failed) = (relocation(keyPaths), failed)
        return await relocation.observe(on: actor, block, failed: failed) { [make] in
            make($0, keyPaths, "observe(on:)", $1)
        }
    }

    private func relocation(_ keyPaths: [String]?) -> Relocation<Subject> {
        let (core, _) = make(subject, keyPaths, "observe(on:)") { _ in }
        return Relocation(subject, core)
    }
}
