/// What remains to do when an environment has no users left.
struct EnvironmentClosing: Sendable {
    let handle: EnvironmentHandle
    let control: ControlFile?
    let identity: FileIdentity
    let isTemporary: Bool
    /// Whether the next one to open the file may be told that its pages are sound.
    let mayVouch: Bool

    /// Runs once, after the writer thread has done its last job.
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

    /// Whoever closes a temporary file last removes it. Openers in other processes are kept out
    /// by the opening lock and find the names gone.
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

/// Closes a parent's descriptor in a forked child.
func closeInherited(_ descriptor: Int32) { Files.close(descriptor) }
