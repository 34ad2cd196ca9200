import Freehold
import FreeholdStorage

extension Realm {
    /// Whether each object has a key by which other machines find it.
    ///
    /// - Throws: ``SharingError`` with `unfitClass`.
    func checkClassesAreShareable() throws {
        let catalog = try sharedStore.newestSnapshot().catalog
        let automatic = classesWithAutomaticKeys
        for table in catalog.classTables where !table.isOwned {
            if automatic.contains(table.name) {
                throw SharingError(
                    .unfitClass,
                    "The class '\(table.name)' cannot be shared: its primary key is assigned here.",
                    remedy: """
                        Two machines would assign the same. Declare a key that is unique \
                        everywhere: @Persisted(primaryKey: true) var id: ObjectId (or UUID), or \
                        set the integer yourself.
                        """)
            }
            if table.sharedKey == nil {
                throw SharingError(
                    .unfitClass,
                    "The class '\(table.name)' cannot be shared: it has no fit primary key.",
                    remedy: """
                        Declare one that is unique everywhere and not optional: \
                        @Persisted(primaryKey: true) var id: ObjectId (or UUID, String, Int).
                        """)
            }
        }
    }
}
