import FreeholdStorage

/// The live realms of threads, for what has to be done when a thread ends.
///
/// A list of its own, so that the thread holds nothing but its own realms: holding all coordinators for a
/// moment would make it the last owner of files that other threads close meanwhile.
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

    /// Cancels what a thread has begun to write and cannot commit any more, as after `Thread.exit()` in a
    /// write block: the realm is never released then, and all other writers would wait. On the thread, as it
    /// ends.
    static func cancelTransactions(ofEndingThread number: UInt64) {
        let realms = threadRealms.withLock { realms in
            UnsafeTransfer(realms[number, default: []].compactMap { unsafeTryRetain($0.core) })
        }
        for core in realms.value where core.writeSet != nil && !core.isMigrating {
            core.reportDroppedTransaction()
            core.cancelWrite()
        }
    }
}
