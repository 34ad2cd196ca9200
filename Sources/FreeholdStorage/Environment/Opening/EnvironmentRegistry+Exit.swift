/// What a process that ends with files open says of them: programs seldom let go of what they
/// use to their end, and the next one would have to walk every page (``FileVouch``).
///
/// The handler runs while other threads go on, one of which may hold any lock; so it waits for
/// none, and leaves out what it cannot have.
extension EnvironmentRegistry {
    private static let exitHandler: Void = {
        SystemProcess.atExit { EnvironmentRegistry.shared.vouchForOpenFiles() }
    }()

    /// From now on, the end of the process is noticed.
    static func watchExit() { _ = exitHandler }

    private func vouchForOpenFiles() {
        for environment in openEnvironments() {
            environment.vouchWhileOpen()
            // The last one to let go would close the file, and wait for a thread to do so.
            _ = Unmanaged.passRetained(environment)
        }
    }
}

extension Environment {
    /// Says how the file is now, if nobody writes.
    fileprivate func vouchWhileOpen() {
        // What is not synced is promised to be when the file is closed, which it is not.
        guard isOwnedByThisProcess, options.durability == .full, mayVouch, !options.isTemporary,
            let control, writeQueue.tryEnter()
        else { return }
        defer { writeQueue.leave() }
        guard (try? control.tryLockWriteGate()) == true else { return }
        defer { control.unlock(.writeGate) }
        let (handle, identity) = snapshots.withLock { ($0.handle, $0.identity) }
        if handle.hasSoundPages {
            control.vouch(forFileAt: path, identity, transaction: handle.newestTransaction)
        }
    }
}
