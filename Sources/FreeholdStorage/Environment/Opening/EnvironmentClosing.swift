/// The work that remains when an environment has no users left.
struct EnvironmentClosing: Sendable {
    let handle: EnvironmentHandle
    let control: ControlFile?
    let identity: FileIdentity
    let isTemporary: Bool
    /// Whether the next opener may rely on sound pages.
    let mayVouch: Bool

    /// Runs once, after the writer thread's last job.
    func run() {
        if let control, isTemporary {
            removeFilesIfLast(control)
        } else if let control, mayVouch, handle.hasSoundPages,
            (try? control.tryLockWriteGate()) == true
        {
            let transaction = handle.newestTransaction
            handle.close()
            control.vouch(forFileAt: handle.path, identity, transaction: transaction)
        } else {
            handle.close()
        }
        control?.close()
        EnvironmentRegistry.shared.remove(handle)
        EventLog.say(.detail, "\(handle.path): closed")
    }

    /// Removes a temporary file if this process is the last to close it. The opening lock keeps
    /// out openers in other processes, which then find the names gone.
    private func removeFilesIfLast(_ control: ControlFile) {
        let lock = (try? Files.head(handle.lockDescriptor).get())?.identity
        let hasLock = (try? control.lock(.opening, .exclusive, until: .now + .seconds(10))) != nil
        handle.close()
        guard hasLock, (try? control.tryLock(.presence, .exclusive)) == true else { return }
        let names = [
            (handle.path, identity), (handle.path + "-lock", lock),
            (control.path, control.identity),
        ]
        for (path, identity) in names { if let identity { FileReplacement.remove(path, identity) } }
    }
}

/// Closes an inherited descriptor in a forked child.
func closeInherited(_ descriptor: Int32) { Files.close(descriptor) }
