/// A class or property that a file has in another form than a commit: what the commit says of it is
/// left out of the file.
package struct SharedSchemaConflict: Hashable, Sendable {
    package var className: String
    /// Nil for the class: one is embedded or has another primary key, and the other does not.
    package var property: Property?

    package struct Property: Hashable, Sendable {
        package var name: String
        package var own: SharedCommit.Property
        package var theirs: SharedCommit.Property
    }
}

extension SharedApplier {
    /// The first conflict, by names; nil without one. Call it after ``prepare(for:)``: classes and
    /// properties that the file lacks are none. O(properties that the commit mentions).
    package func schemaConflict(with commit: SharedCommit) -> SharedSchemaConflict? {
        let found = commit.classes.compactMap { conflict(of: $0.key, with: $0.value) }
        return found.min { $0.className < $1.className }
    }

    private func conflict(of name: String, with definition: SharedCommit.Class)
        -> SharedSchemaConflict?
    {
        let catalog = writeSet.catalog
        guard let table = catalog[name], !table.isInternal else { return nil }
        if table.isOwned != definition.isEmbedded || table.sharedKey?.name != definition.primaryKey
        {
            return SharedSchemaConflict(className: name)
        }
        let found = definition.properties.compactMap {
            property, theirs -> SharedSchemaConflict.Property? in
            guard let column = table[property] else { return nil }
            let own = SharedCommit.Property(column, in: catalog)
            return own == theirs ? nil : .init(name: property, own: own, theirs: theirs)
        }
        return found.min { $0.name < $1.name }.map {
            SharedSchemaConflict(className: name, property: $0)
        }
    }
}
