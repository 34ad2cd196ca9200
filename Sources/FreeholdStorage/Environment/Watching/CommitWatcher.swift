internal import Synchronization

/// Watches other processes' commits, for all files of this process: one thread and two
/// descriptors, from the first registration to the last.
///
/// A committing process announces a commit by writing 8 bytes after the record of the control
/// file, if another process has requested that with a lock
/// (``ControlFile/announceCommit(_:)``). Events of the data file would not do. It is written
/// before the new version is readable, so its event may come too early, and none follows.
package final class CommitWatcher: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    package static let shared = CommitWatcher(lookInterval: .seconds(1), hearsEvents: true)

    /// One listener.
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
        /// The kernel's watch of the control file; nil if the kernel does not report it.
        let descriptor: Int32?
        /// The version of the last announcement.
        var announced: UInt64
        /// The newest version known to be readable.
        var readable: UInt64
        var registrations: [Registration] = []
    }

    private let monitor = Monitor()
    private var files: [ObjectIdentifier: File] = [:]
    /// The running thread's events; nil without listeners.
    private var events: FileEvents?

    /// Whether the thread is calling listeners.
    private var isCalling = false

    private let lookInterval: Duration
    private let hearsEvents: Bool

    /// - Parameters:
    ///   - lookInterval: The interval of polling for commits without an event.
    ///   - hearsEvents: Whether to use the kernel's events.
    package init(lookInterval: Duration, hearsEvents: Bool) {
        self.lookInterval = lookInterval
        self.hearsEvents = hearsEvents
    }

    /// See ``Store/watchCommits(_:)``.
    package func watch(_ environment: Environment, _ heard: @escaping @Sendable () -> Void)
        -> CommitWatch
    { CommitWatch(self, environment, add(heard, environment)) }

    private func add(_ heard: @escaping @Sendable () -> Void, _ environment: Environment)
        -> Registration
    {
        let registration = Registration(heard)
        guard environment.isOwnedByThisProcess else { return registration }
        // 0: the first poll will find a newer one.
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

    /// Begins watching a file. With the lock held.
    private func begin(_ environment: Environment, _ readable: UInt64, _ events: FileEvents?)
        -> File
    {
        // First the lock, then the watch: every later commit is announced, and its event
        // arrives.
        environment.control?.beginHearing()
        let descriptor = environment.control.flatMap {
            hearsEvents ? events?.watch($0.descriptor, path: $0.path) : nil
        }
        return File(
            environment: environment, descriptor: descriptor,
            announced: environment.control?.announcedVersion ?? 0, readable: readable)
    }

    func remove(_ registration: Registration, _ environment: Environment) {
        // A forked child has none of its parent's registrations.
        guard !registration.isStopped.exchange(true, ordering: .acquiringAndReleasing),
            environment.isOwnedByThisProcess
        else { return }
        let id = ObjectIdentifier(environment)
        // The caller retains both, so nothing is released under the lock.
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

    /// The events of the running thread, which is started if needed. With the lock held. Nil if
    /// the system can start no thread.
    private func runningEvents(_ path: String) -> FileEvents? {
        if let events { return events }
        // Then only ``settle()`` polls.
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

    /// Polls for commits, and waits until all pending calls have been made. For simulations
    /// that must know what happens next.
    package func settle() {
        let announced = monitor.withLock {
            while isCalling { monitor.wait() }
            return announcedFiles { _ in true }
        }
        for registration in announced + look() { registration.call() }
    }

    /// The registrations to call for some events; nil to end the thread.
    private func due(_ heard: FileEvents.Heard, for events: FileEvents) -> [Registration]? {
        monitor.withLock {
            guard self.events === events else { return nil }
            let due = announcedFiles { heard.mayConcern($0.descriptor) }
            isCalling = !due.isEmpty
            return due
        }
    }

    /// The registrations of files with a new announcement. With the lock held.
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

    /// Polls for versions without an event; returns the registrations to call.
    ///
    /// The hint alone is not enough: it moves while a commit is being written, before the
    /// version is readable. So whenever it has moved, this reads the newest version, at each
    /// poll until that has caught up.
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
                // If reading fails, the listener finds out why when it reads.
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

    /// Drops the parent's registrations, because the thread does not exist in the child. The
    /// objects they retain are leaked, because a child must not close its parent's files.
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
