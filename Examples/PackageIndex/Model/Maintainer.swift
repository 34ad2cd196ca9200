import Freehold

/// A person or a team that looks after packages.
class Maintainer: Object {
    /// The address, or the name where there is none.
    @Persisted(primaryKey: true) var id: String
    @Persisted var name: String
    @Persisted var email: String?
    /// How many packages link here. Stored, so that a sort finds the busiest.
    @Persisted var packageCount: Int
}
