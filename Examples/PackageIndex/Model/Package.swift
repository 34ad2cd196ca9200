import Foundation
import Freehold

/// A package in its newest version.
class Package: Object {
    /// `name:architecture`; see `PackageRecord.id` for why.
    @Persisted(primaryKey: true) var id: String
    @Persisted(indexed: true) var name: String
    @Persisted var architecture: String
    @Persisted var version: String
    /// One line; may be empty.
    @Persisted var summary: String
    /// The rest of the description, where the index has it.
    @Persisted var details: String?
    @Persisted var section: Section?
    @Persisted var maintainer: Maintainer?
    /// Bytes on disk once installed, 0 where the index does not say.
    @Persisted var installedSize: Int
    /// Bytes of the package file, 0 where the index does not say.
    @Persisted var downloadSize: Int
    @Persisted var priority: String
    @Persisted var homepage: String?
    @Persisted var isEssential: Bool
    /// The packages that this one requires. Of alternatives, the first that the index has.
    @Persisted var dependencies: List<Package>
    /// The packages that need this one.
    @Persisted(originProperty: "dependencies") var dependents: LinkingObjects<Package>
    /// The time when an update last added or changed this object.
    @Persisted var changedAt: Date
}
