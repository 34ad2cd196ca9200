import Freehold
import FreeholdStorage

extension Realm.Configuration {
    /// Whether each object of the declared classes has a key by which other machines find it.
    /// Before anything is made of the classes: a file that has them can be shared by no program.
    ///
    /// - Throws: ``SharingError`` with `unfitClass`; ``Realm/Error``.
    func checkClassesAreShareable() throws {
        guard let found = try classesWithoutSharedKey().first else { return }
        throw SharingError.unfit(found.name, isAutomatic: found.isAutomatic)
    }
}

extension Realm {
    /// Whether each object of the file has a key by which other machines find it.
    ///
    /// - Throws: ``SharingError`` with `unfitClass`.
    func checkClassesAreShareable() throws {
        let catalog = try sharedStore.newestSnapshot().catalog
        let automatic = classesWithAutomaticKeys
        for table in catalog.classTables where !table.isOwned {
            if automatic.contains(table.name) || table.sharedKey == nil {
                throw SharingError.unfit(
                    table.name, isAutomatic: automatic.contains(table.name))
            }
        }
    }
}

extension SharingError {
    fileprivate static func unfit(_ name: String, isAutomatic: Bool) -> SharingError {
        if isAutomatic {
            return SharingError(
                .unfitClass,
                "The class '\(name)' cannot be shared: its primary key is assigned here.",
                remedy: """
                    Two machines would assign the same. Declare a key that is unique \
                    everywhere: @Persisted(primaryKey: true) var id: ObjectId (or UUID), or \
                    set the integer yourself.
                    """)
        }
        return SharingError(
            .unfitClass, "The class '\(name)' cannot be shared: it has no fit primary key.",
            remedy: """
                Declare one that is unique everywhere and not optional: \
                @Persisted(primaryKey: true) var id: ObjectId (or UUID, String, Int).
                """)
    }
}
