import Foundation

/// The environments of this process, found by the identity of their data files.
///
/// LMDB takes process locks on its lock file, and a process that opens a file twice loses them
/// all when it closes either. So there is one environment a file, and a file is not opened
/// before the last environment of it has closed in full.
final class EnvironmentRegistry: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    static let shared: EnvironmentRegistry = {
        let registry = EnvironmentRegistry()
        // In the order of their locks.
        ForkGuard.add(registry)
        ForkGuard.add(CommitWatcher.shared)
        return registry
    }()

    private struct Entry {
        /// `nil` once the environment has begun to close.
        weak var environment: Environment?
        let identity: FileIdentity
        let lockIdentity: FileIdentity?
        let controlDescriptor: Int32?
    }

    private let monitor = Monitor()
    /// By their handles, which live until they have closed in full. Not by the identity: a file
    /// that is deleted gives its inode to the next one as soon as it is closed, while the rest
    /// of its environment is still closing.
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// One file is opened at a time, for a file that does not exist has no identity to tell it by.
    private var isOpening = false
    /// How many environments have closed in full.
    private var closedCount = 0

    private init() {}

    /// The environment of a file, opened if need be.
    func open(_ options: Environment.Options) throws(StorageError) -> Environment {
        Self.watchExit()
        EventLog.say(.trace, "\(options.path): asked for")
        if let environment = findOrBeginOpening(options.path) {
            try environment.checkMatches(options)
            try environment.checkExpected(options)
            return environment
        }
        let environment = try openNew(options)
        EventLog.say(
            environment.isNewlyCreated ? .info : .detail,
            "\(environment.path): \(environment.isNewlyCreated ? "created" : "opened")")
        return environment
    }

    /// Opens a file that this process has not open, after ``findOrBeginOpening(_:)``, and ends
    /// the opening. Tells of nothing: a logger may open files.
    private func openNew(_ options: Environment.Options) throws(StorageError) -> Environment {
        defer { endOpening() }
        let environment = Environment(
            opened: try EnvironmentOpener(options).open(), options: options)
        register(environment)
        try environment.checkExpected(options)
        return environment
    }

    /// Removes a file that nobody has open.
    func removeFiles(at path: String) throws(StorageError) -> Bool {
        return try patiently({ $0.code == .alreadyOpen }) { () throws(StorageError) in
            if findOrBeginOpening(path) != nil { throw EnvironmentRemoval.isOpen(path) }
            defer { endOpening() }
            return try EnvironmentRemoval(path: path).run()
        }
    }

    /// Does what may be refused because a file is open, again when one has closed, for a while.
    ///
    /// A thread of the library that has handed over what it did holds the file until its call
    /// returns, which may be after the program has let go of it.
    ///
    /// - Parameter body: Keeps no environment when it throws, or the wait would be what keeps
    ///   it open.
    func patiently<Value, Failure: Error>(
        for duration: Duration = .milliseconds(250), _ isRefusal: (Failure) -> Bool,
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let deadline = ContinuousClock.now + duration
        while true {
            let seen = monitor.withLock { closedCount }
            do throws(Failure) {
                return try body()
            } catch {
                guard isRefusal(error), waitForClosing(after: seen, until: deadline) else {
                    throw error
                }
            }
        }
    }

    /// Waits until an environment has closed since `closedCount` was `count`.
    ///
    /// - Returns: Whether one has.
    private func waitForClosing(after count: Int, until deadline: ContinuousClock.Instant) -> Bool {
        monitor.withLock {
            while closedCount == count {
                if !monitor.wait(until: deadline) { return closedCount != count }
            }
            return true
        }
    }

    /// Waits while the file is being opened or closed. `nil`: the caller is the one who opens.
    ///
    /// An environment that is looked at may lose its last other owner meanwhile, and closing
    /// takes the lock. So whatever was looked at leaves the lock before it is let go: the one
    /// that is returned, and those that only had to be alive.
    private func findOrBeginOpening(_ path: String) -> Environment? {
        while true {
            var alive: [Environment] = []
            let answer = monitor.withLock { () -> FindResult in
                let identity = FileIdentity.of(path)
                var isClosing = false
                for entry in entries.values where entry.identity == identity {
                    if let environment = entry.environment { return .found(environment) }
                    isClosing = true
                }
                if !isClosing, !isOpening, !self.isClosing(lockFile: path, alive: &alive) {
                    isOpening = true
                    return .opening
                }
                // What is alive is not waited for, but the wait must not be what keeps it so.
                if alive.isEmpty { monitor.wait() }
                return .again
            }
            withExtendedLifetime(alive) {}
            switch answer {
            case .found(let environment): return environment
            case .opening: return nil
            case .again: continue
            }
        }
    }

    private enum FindResult {
        case found(Environment)
        case opening
        case again
    }

    /// Whether an environment that is closing still has the lock file beside a path, whose data
    /// file is gone.
    ///
    /// - Parameter alive: Takes the environments that have it and are not closing, for the
    ///   caller to let go of outside of the lock.
    private func isClosing(lockFile path: String, alive: inout [Environment]) -> Bool {
        guard let lock = FileIdentity.of(path + "-lock") else { return false }
        for entry in entries.values where entry.lockIdentity == lock {
            guard let environment = entry.environment else { return true }
            alive.append(environment)
        }
        return false
    }

    private func endOpening() {
        monitor.withLock {
            isOpening = false
            monitor.wakeAll()
        }
    }

    private func register(_ environment: Environment) {
        let (handle, identity) = environment.snapshots.withLock { ($0.handle, $0.identity) }
        let entry = Entry(
            environment: environment, identity: identity,
            lockIdentity: FileIdentity.of(environment.path + "-lock"),
            controlDescriptor: environment.control?.descriptor)
        monitor.withLock { entries[ObjectIdentifier(handle)] = entry }
    }

    /// Runs what puts another file in the place of an environment's, while no file is opened in
    /// this process.
    func replaceFile(of environment: Environment, _ replace: () throws(StorageError) -> Void)
        throws(StorageError)
    {
        monitor.withLock {
            while isOpening { monitor.wait() }
            isOpening = true
        }
        let old = environment.handle
        defer {
            // After an error, too: it may have come behind the replacing.
            monitor.withLock { entries[ObjectIdentifier(old)] = nil }
            register(environment)
            endOpening()
        }
        try replace()
    }

    /// Called when the environment of a handle has closed in full.
    func remove(_ handle: EnvironmentHandle) {
        monitor.withLock {
            entries[ObjectIdentifier(handle)] = nil
            closedCount += 1
            monitor.wakeAll()
        }
    }

    /// The environments that are open; none where somebody holds the lock just now.
    func openEnvironments() -> [Environment] {
        guard monitor.tryLock() else { return [] }
        defer { monitor.unlock() }
        return entries.values.compactMap(\.environment)
    }

    /// See ``Environment/isReleased(at:)``.
    func isReleased(_ path: String) -> Bool {
        let identity = FileIdentity.of(path)
        // It leaves the lock before it is let go of, for closing takes the lock.
        let environment = monitor.withLock {
            entries.values.first { $0.identity == identity && $0.environment != nil }?.environment
        }
        return environment?.isReleased ?? false
    }

    /// Whether an environment of this process has a lock file open.
    func usesLockFile(_ identity: FileIdentity) -> Bool {
        monitor.withLock { entries.values.contains { $0.lockIdentity == identity } }
    }
}

// MARK: - Forks

extension EnvironmentRegistry: ForkGuard.Participant {
    package func prepareForFork() { monitor.lock() }

    package func continueInParentAfterFork() { monitor.unlock() }

    /// Forgets the parent's environments: the child may open the same files itself. The
    /// parent's locks on control files are shared with the child until it lets go of them.
    package func continueInChildAfterFork() {
        monitor.unsafeReinitializeAfterFork()
        for entry in entries.values {
            if let descriptor = entry.controlDescriptor { closeInherited(descriptor) }
        }
        entries = [:]
        isOpening = false
    }
}

extension Environment {
    /// - Throws: `alreadyOpen` if this environment does not do what the options ask for.
    func checkMatches(_ wanted: Options) throws(StorageError) {
        func mismatch(_ what: String, _ have: String, _ want: String) -> StorageError {
            StorageError(
                .alreadyOpen,
                """
                "\(path)" is already open in this process with \(what) \(have), and was now \
                asked for with \(want). Use the same configuration everywhere, or release \
                every use of the file first.
                """,
                path: path)
        }
        if wanted.sharesAnyAccess { return try checkKey(wanted) }
        if options.access != wanted.access {
            throw mismatch("access", "\(options.access)", "\(wanted.access)")
        }
        if options.durability != wanted.durability {
            throw mismatch("durability", "\(options.durability)", "\(wanted.durability)")
        }
        try checkKey(wanted)
        if options.isTemporary != wanted.isTemporary {
            throw mismatch("isTemporary", "\(options.isTemporary)", "\(wanted.isTemporary)")
        }
    }

    private func checkKey(_ wanted: Options) throws(StorageError) {
        if try !hasKey(wanted.encryptionKey) {
            throw StorageError(
                .alreadyOpen,
                """
                Realm at path '\(path)' already opened with different encryption key. Use the \
                same configuration everywhere, or release every use of the file first.
                """, path: path)
        }
    }
}
