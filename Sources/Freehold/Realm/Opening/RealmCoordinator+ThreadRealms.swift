import FreeholdStorage

/// The live realms of threads, for cleaning up when a thread ends.
///
/// The list is separate so that a thread retains only its own realms. If it retained all
/// coordinators for a moment, it could become the last owner of files that other threads close
/// meanwhile.
extension RealmCoordinator {
    /// `@unchecked`: accessed under the lock of `threadRealms` only.
    private struct ThreadRealm: @unchecked Sendable {
        let core: Unmanaged<RealmCore>
    }

    /// Keyed by thread number. Not owned; every core removes itself in its `deinit`.
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

    /// The live realms of a thread. Call it on that thread.
    private static func realms(ofThread number: UInt64) -> [RealmCore] {
        threadRealms.withLock { realms in
            UnsafeTransfer(realms[number].map { $0.compactMap { unsafeTryRetain($0.core) } } ?? [])
        }.value
    }

    /// Moves the realms of an executor's thread to the newest versions before a job that must
    /// see recent commits. Call it on that thread.
    static func catchUp(realmsOfThread number: UInt64) {
        for core in realms(ofThread: number) { core.catchUpByItself() }
    }

    /// Cancels the open write transactions of an ending thread, as after `Thread.exit()` in a
    /// write block. Otherwise the realm would never be released, and all other writers would
    /// wait. Call it on the thread as it ends.
    static func cancelTransactions(ofEndingThread number: UInt64) {
        for core in realms(ofThread: number) where core.writeSet != nil && !core.isMigrating {
            core.reportDroppedTransaction()
            core.cancelWrite()
        }
    }
}
