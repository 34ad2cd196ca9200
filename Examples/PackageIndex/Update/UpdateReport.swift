/// What one update did to the realm.
struct UpdateReport: Codable, Equatable {
    /// A package that the update changed.
    struct Change: Codable, Equatable {
        var id: String
        var oldVersion: String
        var newVersion: String
        /// The properties that were written.
        var properties: [String]
    }

    /// Whether the realm had no packages before the update. Then the report leaves out the added
    /// ids.
    var isFirst: Bool
    var addedCount = 0
    var added: [String] = []
    var updated: [Change] = []
    var removed: [String] = []
    var unchangedCount = 0
    /// Packages that were left unchanged because their stanza could not be read.
    var kept: [String] = []

    var packageCount: Int { addedCount + updated.count + unchangedCount + kept.count }
}
