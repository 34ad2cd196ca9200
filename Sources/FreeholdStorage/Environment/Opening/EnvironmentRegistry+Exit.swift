/// Vouches for the files that are open at the end of the process. Programs seldom close files
/// at their end, and the next opener would have to walk every page (``FileVouch``).
///
/// The handler runs while other threads continue, any of which may hold a lock. So it waits for
/// no lock, and skips a file whose locks it cannot get.
extension EnvironmentRegistry {
    private static let exitHandler: Void = {
        SystemProcess.atExit { EnvironmentRegistry.shared.vouchForOpenFiles() }
    }()

    /// Installs the exit handler.
    static func watchExit() { _ = exitHandler }

    private func vouchForOpenFiles() {
        for environment in openEnvironments() {
            environment.vouchWhileOpen()
            // The last release would close the file and wait for a thread to do so.
            _ = Unmanaged.passRetained(environment)
        }
    }
}

extension Environment {
    /// Records the current state of the file, if no process writes.
    fileprivate func vouchWhileOpen() {
        // Without full durability, commits become durable only when the file is closed.
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
