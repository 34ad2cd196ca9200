import Freehold

/// A part of the archive: `libs`, `games`, `contrib/net`.
class Section: Object {
    @Persisted(primaryKey: true) var name: String
    /// How many packages link here.
    @Persisted var packageCount: Int
}
