import FreeholdStorage

extension Realm {
    /// What commits guarantee after a power failure. With every value, a commit survives the end
    /// of the process, however it ends, and is visible to all others at once.
    ///
    /// ```swift
    /// var configuration = Realm.Configuration(fileURL: url)
    /// configuration.durability = .relaxed
    /// ```
    ///
    /// All realms of a file in one process share one value; each process chooses its own.
    @frozen
    public enum Durability: Sendable, Hashable {
        /// Every commit survives. Each commit waits for the disk twice.
        case full
        /// The file stays sound, but the last commit before the power failure may be lost. Each
        /// commit waits for the disk once.
        case relaxed
        /// The file may become unreadable. A commit does not wait for the disk. For caches that
        /// can be rebuilt, and for tests.
        case none
    }
}

extension Environment.Durability {
    init(_ durability: Realm.Durability) {
        self =
            switch durability {
            case .full: .full
            case .relaxed: .relaxed
            case .none: .none
            }
    }
}
