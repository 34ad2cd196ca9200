internal import Synchronization

/// Hears of other processes' commits, for all files of this process: one thread and two
/// descriptors, from the first registration to the last.
///
/// A commit is told of by 8 bytes that the committing process writes behind the record of the
/// control file, if another process has asked for that with a lock
/// (``ControlFile/announceCommit(_:)``). The data file would not do: it is written before the
/// new version can be read, so an event of it may come too early, and none comes after it.
package final class CommitWatcher: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    package static let shared = CommitWatcher(lookInterval: .seconds(1), hearsEvents: true)

    /// One who listens.
    final class Registration: Sendable {
        let heard: @Sendable () -> Void
        fileprivate let isStopped = Atomic<Bool>(false)

        fileprivate init(_ heard: @escaping @Sendable () -> Void) { self.heard = heard }

        fileprivate func call() {
            if !isStopped.load(ordering: .acquiring) { heard() }
        }
    }

    private struct File {
        let environment: Environment
        /// The kernel's number for the control file; nil where it does not tell of it.
        let descriptor: Int32?
        /// The version that the last event told of.
        var announced: UInt64
        /// The newest version that is known to have been readable.
        var readable: UInt64
        var registrations: [Registration] = []
    }

    private let monitor = Monitor()
    private var files: [ObjectIdentifier: File] = [:]
    /// The running thread's events; nil while nobody listens.
    private var events: FileEvents?

    /// Whether the thread calls those that listen.
    private var isCalling = false

    private let lookInterval: Duration
    private let hearsEvents: Bool

    /// - Parameters:
    ///   - lookInterval: After how long it looks for commits that no event told of.
    ///   - hearsEvents: Whether it asks the kernel at all.
    package init(lookInterval: Duration, hearsEvents: Bool) {
        self.lookInterval = lookInterval
        self.hearsEvents = hearsEvents
    }

    /// See ``Store/watchCommits(_:)``.
    package func watch(_ environment: Environment, _ heard: @escaping @Sendable () -> Void)
        -> CommitWatch
    {
        CommitWatch(self, environment, add(heard, environment))
    }

    private func add(_ heard: @escaping @Sendable () -> Void, _ environment: Environment)
        -> Registration
    {
        let registration = Registration(heard)
        guard environment.isOwnedByThisProcess else { return registration }
        // 0: the first look will find a newer one.
        let readable = (try? environment.read().version) ?? 0
        monitor.withLock {
            let events = runningEvents(environment.path)
            let id = ObjectIdentifier(environment)
            var file = files[id] ?? begin(environment, readable, events)
            file.registrations.append(registration)
            files[id] = file
        }
        return registration
    }

    /// With the lock held.
    private func begin(_ environment: Environment, _ readable: UInt64, _ events: FileEvents?)
        -> File
    {
        // First the lock, then the watch: what is committed from now on is told of, and heard.
        environment.control?.beginHearing()
        let descriptor = environment.control.flatMap {
            hearsEvents ? events?.watch($0.descriptor, path: $0.path) : nil
        }
        return File(
            environment: environment, descriptor: descriptor,
            announced: environment.control?.announcedVersion ?? 0, readable: readable)
    }

    func remove(_ registration: Registration, _ environment: Environment) {
        // A child has none of its parent's registrations.
        guard !registration.isStopped.exchange(true, ordering: .acquiringAndReleasing),
            environment.isOwnedByThisProcess
        else { return }
        let id = ObjectIdentifier(environment)
        // The caller keeps both, so nothing is let go of under the lock.
        monitor.withLock {
            guard var file = files[id] else { return }
            file.registrations.removeAll { $0 === registration }
            files[id] = file.registrations.isEmpty ? nil : file
            guard file.registrations.isEmpty else { return }
            if let descriptor = file.descriptor { events?.unwatch(descriptor) }
            environment.control?.endHearing()
            guard files.isEmpty else { return }
            events?.ring()
            events = nil
        }
    }

    // MARK: The thread

    /// The events of the running thread, which is started where there is none; with the lock
    /// held. Nil where the system gives no thread.
    private func runningEvents(_ path: String) -> FileEvents? {
        if let events { return events }
        // Then ``settle()`` looks, and nothing else does.
        if SteppedThreads.isOn { return nil }
        let new = FileEvents(hearsFiles: hearsEvents)
        let thread = try? SystemThread.start(
            named: "freehold-watch", to: "watch for commits", path: path
        ) { self.run(new) }
        guard let thread else {
            new.close()
            return nil
        }
        thread.detach()
        events = new
        return new
    }

    private func run(_ events: FileEvents) {
        var lastLook = ContinuousClock.now
        while true {
            let heard = events.wait(until: lastLook + lookInterval)
            guard let due = due(heard, for: events) else { break }
            call(due)
            if ContinuousClock.now >= lastLook + lookInterval {
                call(look())
                lastLook = .now
            }
        }
        events.close()
    }

    private func call(_ due: [Registration]) {
        for registration in due { registration.call() }
        monitor.withLock {
            isCalling = false
            monitor.wakeAll()
        }
    }

    /// Looks for commits now, and waits until all that were to be called have been. For
    /// simulations that want to know what comes next.
    package func settle() {
        let announced = monitor.withLock {
            while isCalling { monitor.wait() }
            return announcedFiles { _ in true }
        }
        for registration in announced + look() { registration.call() }
    }

    /// Who is to be called because of events; nil when the thread is to end.
    private func due(_ heard: FileEvents.Heard, for events: FileEvents) -> [Registration]? {
        monitor.withLock {
            guard self.events === events else { return nil }
            let due = announcedFiles { heard.mayConcern($0.descriptor) }
            isCalling = !due.isEmpty
            return due
        }
    }

    /// Who is to be called of files with a new announcement; with the lock held.
    private func announcedFiles(_ mayConcern: (File) -> Bool) -> [Registration] {
        var due: [Registration] = []
        for (id, file) in files where mayConcern(file) {
            guard let version = file.environment.control?.announcedVersion,
                version != file.announced
            else { continue }
            files[id]?.announced = version
            files[id]?.readable = max(file.readable, version)
            due += file.registrations
        }
        return due
    }

    /// Looks for versions that no event told of; who is to be called.
    ///
    /// The hint alone will not do: it moves while a commit is being written, before the version
    /// can be read. So where it moved, a look is taken at what can be read, as often as it
    /// takes.
    private func look() -> [Registration] {
        let behind = monitor.withLock {
            files.filter { $0.value.environment.newestVersionHint != $0.value.readable }.map {
                (id: $0.key, environment: $0.value.environment)
            }
        }
        var due: [Registration] = []
        for (id, environment) in behind {
            let version = try? environment.read().version
            monitor.withLock {
                guard let file = files[id], version != file.readable else { return }
                // Who cannot read learns why.
                if let version { files[id]?.readable = version }
                due += file.registrations
            }
        }
        return due
    }
}

// MARK: - Forks

extension CommitWatcher: ForkGuard.Participant {
    package func prepareForFork() { monitor.lock() }

    package func continueInParentAfterFork() { monitor.unlock() }

    /// Forgets the parent's registrations: its thread is not here. What they keep is not let go
    /// of, as a child must not close its parent's files.
    package func continueInChildAfterFork() {
        monitor.unsafeReinitializeAfterFork()
        _ = Unmanaged.passRetained(Abandoned(files: files))
        files = [:]
        events?.close()
        events = nil
    }

    private final class Abandoned {
        private let files: [ObjectIdentifier: File]

        init(files: [ObjectIdentifier: File]) { self.files = files }
    }
}
