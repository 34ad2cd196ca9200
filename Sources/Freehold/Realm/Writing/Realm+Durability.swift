import FreeholdStorage

extension Realm {
    /// What a commit promises when the power fails. In every case it survives the end of the
    /// process, however that ends, and is seen by all others at once.
    ///
    /// ```swift
    /// var configuration = Realm.Configuration(fileURL: url)
    /// configuration.durability = .relaxed
    /// ```
    ///
    /// All realms of a file in one process have the same; each process chooses its own.
    @frozen
    public enum Durability: Sendable, Hashable {
        /// What was committed is there afterwards. Each commit waits for the disk twice.
        case full
        /// The file is sound afterwards, and the last commit before the loss of power may be
        /// missing. Each commit waits for the disk once.
        case relaxed
        /// The file may be unreadable afterwards. A commit waits for nothing. For caches that
        /// can be made again, and for tests.
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
