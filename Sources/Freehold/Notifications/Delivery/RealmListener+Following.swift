import FreeholdStorage

// A draft's rows may get other keys (`RowMove`). Its observers then continue from the version that
// they were notified of last, with the new keys in it. So nothing that was edited meanwhile is
// skipped, and a row that moved is the same row.
extension RealmListener {
    /// Makes the observers of a draft follow its rows. On the draft's scheduler.
    func follow(_ core: RealmCore) {
        guard let draft = core.draft, !draft.moves.isEmpty else { return }
        let moment = draft.moment
        let behind = monitor.withLock {
            observers.filter {
                $0.followedMoveCount < draft.moves.count
                    || $0.delivered.map { $0.moment != moment } ?? false
            }
        }
        var renamed: [ObjectIdentifier: ObservedVersion] = [:]
        do throws(StorageError) {
            for observer in behind { try follow(core, draft, observer, &renamed) }
        } catch {
            core.store.noteDamage(error)
        }
    }

    private func follow(
        _ core: RealmCore, _ draft: DraftState, _ observer: Observer,
        _ renamed: inout [ObjectIdentifier: ObservedVersion]
    ) throws(StorageError) {
        var (version, state) = monitor.withLock { (observer.delivered, observer.state) }
        let old = (version, state)
        let moves = draft.moves[observer.followedMoveCount...]
        if !moves.isEmpty {
            state = observer.follow(moves, in: core, state, at: version?.core(of: origin))
            observer.followedMoveCount = draft.moves.count
        }
        if let delivered = version {
            if let known = renamed[ObjectIdentifier(delivered)] {
                version = known
            } else {
                let current = try core.renamed(delivered)
                renamed[ObjectIdentifier(delivered)] = current
                version = current
            }
        }
        monitor.withLock {
            if observer.isRegistered { (observer.delivered, observer.state) = (version, state) }
        }
        withExtendedLifetime(old) {}
    }
}
