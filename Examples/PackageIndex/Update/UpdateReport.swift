/// What one update did to the realm.
struct UpdateReport: Codable, Equatable {
    /// A package that was there before and differs now.
    struct Change: Codable, Equatable {
        var id: String
        var oldVersion: String
        var newVersion: String
        /// The properties that were written.
        var properties: [String]
    }

    /// Whether the realm had no packages before; the ids of what was added are then left out.
    var isFirst: Bool
    var addedCount = 0
    var added: [String] = []
    var updated: [Change] = []
    var removed: [String] = []
    var unchangedCount = 0
    /// Packages that were left as they are because their stanza could not be read this time.
    var kept: [String] = []

    var packageCount: Int { addedCount + updated.count + unchangedCount + kept.count }
}
