import FreeholdStorage

/// What the live and the frozen realms of one place have in common: enough to make the frozen
/// realm of a version, on any thread and without the live one.
struct RealmOrigin: Sendable {
    let coordinator: RealmCoordinator
    let confinement: Confinement
    let configuration: Realm.Configuration
    let schema: BoundSchema

    /// The frozen realm of a version. O(classes), O(1) while one is in use.
    func frozenCore(_ snapshot: Snapshot) -> RealmCore {
        coordinator.frozenCore(schema, snapshot: snapshot, of: self)
    }
}
