import FreeholdStorage

/// The live realms of threads, for what has to be done when a thread ends.
///
/// A list of its own, so that the thread holds nothing but its own realms: holding all
/// coordinators for a moment would make it the last owner of files that other threads close
/// meanwhile.
extension RealmCoordinator {
    /// `@unchecked`: used under the lock of `threadRealms` only.
    private struct ThreadRealm: @unchecked Sendable {
        let core: Unmanaged<RealmCore>
    }

    /// By the thread's number. Not owned; every core takes itself out when it ends.
    private static let threadRealms = Locked<[UInt64: [ThreadRealm]]>(processWide: [:])

    static func noteThreadRealm(_ core: RealmCore) {
        guard case .thread(let number) = core.confinement.domain else { return }
        let realm = ThreadRealm(core: .passUnretained(core))
        threadRealms.withLock { $0[number, default: []].append(realm) }
    }

    /// Called by a core's `deinit`, in a forked child as well.
    static func forgetThreadRealm(_ core: Unmanaged<RealmCore>, in domain: Confinement.Domain) {
        guard case .thread(let number) = domain else { return }
        let ended = core.toOpaque()
        threadRealms.withLock { realms in
            realms[number]?.removeAll { $0.core.toOpaque() == ended }
            if realms[number]?.isEmpty == true { realms[number] = nil }
        }
    }

    /// The live realms of a thread, on which the caller runs.
    private static func realms(ofThread number: UInt64) -> [RealmCore] {
        threadRealms.withLock { realms in
            UnsafeTransfer(realms[number].map { $0.compactMap { unsafeTryRetain($0.core) } } ?? [])
        }.value
    }

    /// Lets the realms of an executor's thread move to the newest versions, in front of a job:
    /// that begins after commits which it has to see. On the thread.
    static func catchUp(realmsOfThread number: UInt64) {
        for core in realms(ofThread: number) { core.catchUpByItself() }
    }

    /// Cancels what a thread has begun to write and cannot commit any more, as after
    /// `Thread.exit()` in a write block: the realm is never released then, and all other
    /// writers would wait. On the thread, as it ends.
    static func cancelTransactions(ofEndingThread number: UInt64) {
        for core in realms(ofThread: number) where core.writeSet != nil && !core.isMigrating {
            core.reportDroppedTransaction()
            core.cancelWrite()
        }
    }
}
