import FreeholdStorage

/// The common properties of the live and frozen realms of one confinement: enough to create the
/// frozen realm of a version, on any thread and without the live one.
struct RealmOrigin: Sendable {
    let coordinator: RealmCoordinator
    let confinement: Confinement
    let sharedConfiguration: SharedConfiguration
    let schema: BoundSchema

    /// The frozen realm of a version. O(classes), O(1) while one is in use.
    func frozenCore(_ snapshot: Snapshot) -> RealmCore {
        coordinator.frozenCore(schema, snapshot: snapshot, of: self)
    }
}
