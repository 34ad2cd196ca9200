import FreeholdStorage

// How the properties of observable classes come to be tracked. Everything here runs on the
// realm's scheduler.

extension RealmCore {
    /// The gate of objects of observable classes. It admits nobody at once, so that each read
    /// takes the slow way, which checks the realm's own gate and notes the read. Beside that
    /// gate in memory; has the same generation.
    var trackedGate: UnsafeMutablePointer<ConfinementGate> { gate + 1 }

    /// A property of an object of an observable class is read. The caller passed the realm's gate.
    @inline(never)
    func noteTrackedRead(of object: ObjectBase, _ column: ColumnID) {
        let tracking = tracking ?? makeTracking()
        if !tracking.isTracking { return }
        // Where nothing calls back, nothing could be told.
        guard let listener, let binding = object.binding else { return }
        let property = binding._withUnsafeGuaranteedRef { binding in
            TrackedProperty(
                table: binding.table, key: object.key, column: column,
                of: ComputedPosition(wrapper: column.position) == nil
                    ? nil : ObjectIdentifier(binding.schema.type))
        }
        tracking.noteRead(property, isProvisional: uncommitted != nil)
        guard let observer = tracking.makeObserver() else { return }
        listener.add(observer, at: currentSnapshot)
    }

    private func makeTracking() -> PropertyTracking {
        let made = PropertyTracking(schema)
        tracking = made
        return made
    }

    /// The realm wrote a version by itself: tells of what differs in it at once.
    func deliverTrackedChanges() {
        guard let tracking else { return }
        tracking.forgetProvisional()
        guard let observer = tracking.observer, let listener, let snapshot else { return }
        do throws(StorageError) {
            let package = try ChangePackage(
                [listener.group(of: observer)], of: listener, ChangeRound(origin, to: snapshot))
            delivering { listener.deliver(package) }
        } catch {
            store.noteDamage(error)
        }
    }
}
