import FreeholdStorage

// Tracks properties of observable classes. Everything here runs on the realm's scheduler.

extension RealmCore {
    /// The gate for objects of observable classes. It admits no caller directly, so each read
    /// takes the slow path, which checks the realm's own gate and notes the read. It lies beside
    /// that gate in memory and has the same generation.
    var trackedGate: UnsafeMutablePointer<ConfinementGate> { gate + 1 }

    /// Notes a read of a property of an observable class. The caller has passed the realm's
    /// gate.
    @inline(never)
    func noteTrackedRead(of object: ObjectBase, _ column: ColumnID) {
        let tracking = tracking ?? makeTracking()
        if !tracking.isTracking { return }
        // Without a way to call back, changes cannot be reported.
        let listener = draft == nil ? listener : listenToEdits()
        guard let listener, let binding = object.binding else { return }
        let property = binding._withUnsafeGuaranteedRef { binding in
            TrackedProperty(
                table: binding.table, key: object.key, column: column,
                of: ComputedPosition(wrapper: column.position) == nil
                    ? nil : ObjectIdentifier(binding.schema.type))
        }
        tracking.noteRead(property, isProvisional: showsUndelivered)
        guard let observer = tracking.makeObserver() else { return }
        listener.add(observer, at: observedVersion)
    }

    /// Whether reads see changes that a cancelled transaction, or an undo, takes back without a
    /// delivery: those that were not delivered yet.
    private var showsUndelivered: Bool {
        draft == nil ? uncommitted != nil : writeSet?.hasChangesSinceSavepoint ?? false
    }

    /// Reports an edit of a tracked property in a draft before it is made.
    @inline(never)
    func noteTrackedEdit(of object: ObjectBase, _ column: ColumnID) {
        guard let tracking, let binding = object.binding else { return }
        tracking.tellEdit(
            TrackedProperty(
                table: binding._withUnsafeGuaranteedRef(\.table), key: object.key, column: column))
    }

    private func makeTracking() -> PropertyTracking {
        let made = PropertyTracking(schema)
        tracking = made
        return made
    }

    /// Reports the changes at once after the realm itself wrote a version.
    func deliverTrackedChanges() {
        guard let tracking else { return }
        tracking.forgetProvisional()
        guard let observer = tracking.observer, let listener, let snapshot else { return }
        do throws(StorageError) {
            let package = try ChangePackage(
                [listener.group(of: observer)], of: listener,
                ChangeRound(origin, to: ObservedVersion(snapshot)))
            delivering { listener.deliver(package) }
        } catch {
            store.noteDamage(error)
        }
    }
}
