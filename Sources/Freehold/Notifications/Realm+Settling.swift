package import FreeholdStorage

extension Realm {
    /// Waits until the file's notifier has handled all signals so far. Deliveries are then
    /// queued at their schedulers. For tests.
    package func waitForNotifier() { core.coordinator.notifier.settle() }

    /// Opens a realm for the caller's actor without a suspension. For simulations, in which no
    /// pool thread runs.
    package static func openHere(
        _ configuration: Configuration, _ actor: isolated any Actor, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Realm {
        Realm(
            core: try RealmCore.open(configuration, .here(actor: actor, fileID: fileID, line: line))
        )
    }

    /// The environment of the realm's file. For tests and simulations.
    package var environment: Environment { core.store.environment }

    /// Whether asynchronous writes keep the realm alive although none is in flight, or the other
    /// way round, or their state does not match the realm's transaction. For tests.
    package var isKeptAliveWrongly: Bool {
        guard let writes = core.asyncWrites else { return false }
        return writes.isBusy != (writes.keptAlive != nil)
            || writes.state.isOpen != (core.writeSet != nil)
    }

    /// The versions that this process reads, ascending, from LMDB's reader table. For tests.
    package var readVersions: [UInt64] {
        // The writer thread notifies the notifier of a commit after acknowledging it.
        core.store.environment.waitForWriterThread()
        waitForNotifier()
        let process = SystemProcess.identifier
        let pins = core.store.environment.readerPins.filter { $0.processIdentifier == process }
        return Set(pins.map(\.version)).sorted()
    }
}
