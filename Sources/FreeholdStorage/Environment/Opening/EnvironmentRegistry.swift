import Foundation

/// The environments of this process, by the identity of their data files.
///
/// LMDB takes process locks on its lock file, and a process that opens the file twice loses
/// them all when it closes either. So there is one environment for each file, and a file is not
/// opened again before its last environment has closed completely.
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
        /// Nil once the environment has begun to close.
        weak var environment: Environment?
        let identity: FileIdentity
        let lockIdentity: FileIdentity?
        let controlDescriptor: Int32?
    }

    private let monitor = Monitor()
    /// Keyed by handles, which live until they have closed completely. The identity would not
    /// do: the inode of a deleted file may be reused as soon as it is closed, while the rest of
    /// its environment is still closing.
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// One file is opened at a time, because a file that does not exist has no identity yet.
    private var isOpening = false
    /// The number of environments that have closed completely.
    private var closedCount = 0

    private init() {}

    /// Returns the environment of a file, opening it if needed.
    func open(_ options: Environment.Options) throws(StorageError) -> Environment {
        Self.watchExit()
        EventLog.say(.trace, "\(options.path): open requested")
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

    /// Opens a file that this process does not have open, after ``findOrBeginOpening(_:)``, and
    /// ends the opening. Logs nothing, because a logger may open files.
    private func openNew(_ options: Environment.Options) throws(StorageError) -> Environment {
        defer { endOpening() }
        let environment = Environment(
            opened: try EnvironmentOpener(options).open(), options: options)
        register(environment)
        try environment.checkExpected(options)
        return environment
    }

    /// Removes a file that no process has open.
    func removeFiles(at path: String) throws(StorageError) -> Bool {
        return try patiently({ $0.code == .alreadyOpen }) { () throws(StorageError) in
            if findOrBeginOpening(path) != nil { throw EnvironmentRemoval.isOpen(path) }
            defer { endOpening() }
            return try EnvironmentRemoval(path: path).run()
        }
    }

    /// Runs a body that may be refused because a file is open, and retries it for a while as
    /// environments close.
    ///
    /// A thread of the library holds the file until its call returns, even after it has handed
    /// over its result. The program may have released the file by then.
    ///
    /// - Parameter body: Must keep no environment when it throws, or the wait itself would keep
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

    /// Waits while the file is being opened or closed. Nil makes the caller the opener.
    ///
    /// While this looks at an environment, its last other owner may release it, and closing
    /// takes the lock. So every environment looked at must be released outside of the lock: the
    /// returned one, and those that were only checked for being alive.
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
                // Live environments are not waited for, but they must be released before
                // waiting, or the wait would keep them alive.
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

    /// Whether an environment that is closing still has the lock file beside a path open, after
    /// its data file was deleted.
    ///
    /// - Parameter alive: Receives the environments that have it open and are not closing, so
    ///   that the caller releases them outside of the lock.
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

    /// Runs `replace`, which replaces an environment's file, while no file is opened in this
    /// process.
    func replaceFile(of environment: Environment, _ replace: () throws(StorageError) -> Void)
        throws(StorageError)
    {
        monitor.withLock {
            while isOpening { monitor.wait() }
            isOpening = true
        }
        let old = environment.handle
        defer {
            // Even after an error, which may have come after the replacement.
            monitor.withLock { entries[ObjectIdentifier(old)] = nil }
            register(environment)
            endOpening()
        }
        try replace()
    }

    /// Removes a handle whose environment has closed completely.
    func remove(_ handle: EnvironmentHandle) {
        monitor.withLock {
            entries[ObjectIdentifier(handle)] = nil
            closedCount += 1
            monitor.wakeAll()
        }
    }

    /// The open environments; none if another thread holds the lock.
    func openEnvironments() -> [Environment] {
        guard monitor.tryLock() else { return [] }
        defer { monitor.unlock() }
        return entries.values.compactMap(\.environment)
    }

    /// See ``Environment/isReleased(at:)``.
    func isReleased(_ path: String) -> Bool {
        let identity = FileIdentity.of(path)
        // Every environment that was looked at is released outside of the lock: this may be its
        // last owner, and closing takes the lock.
        let alive = monitor.withLock {
            entries.values.compactMap { $0.identity == identity ? $0.environment : nil }
        }
        return alive.first?.isReleased ?? false
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

    /// Drops the parent's environments, so that the child may open the same files itself. Until
    /// the child closes its descriptors, it shares the parent's locks on control files.
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
    /// - Throws: `alreadyOpen` if the options contradict those of this environment.
    func checkMatches(_ wanted: Options) throws(StorageError) {
        func mismatch(_ what: String, _ have: String, _ want: String) -> StorageError {
            StorageError(
                .alreadyOpen,
                """
                "\(path)" is already open in this process with \(what) \(have), and was now \
                asked for with \(want). Use the same configuration everywhere, or release \
                every use of the file first.
                """, path: path)
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
