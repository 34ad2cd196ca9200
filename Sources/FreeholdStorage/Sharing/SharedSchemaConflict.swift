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
        let catalog = writeSet.catalog
        for (name, definition) in commit.classes.sorted(by: { $0.key < $1.key }) {
            guard let table = catalog[name], !table.isInternal else { continue }
            if table.isOwned != definition.isEmbedded
                || table.sharedKey?.name != definition.primaryKey
            {
                return SharedSchemaConflict(className: name)
            }
            for (property, theirs) in definition.properties.sorted(by: { $0.key < $1.key }) {
                guard let column = table[property] else { continue }
                let own = SharedCommit.Property(column, in: catalog)
                if own != theirs {
                    return SharedSchemaConflict(
                        className: name,
                        property: .init(name: property, own: own, theirs: theirs))
                }
            }
        }
        return nil
    }
}
