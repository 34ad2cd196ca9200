import Freehold

/// The rows of the works about queries.
final class Volume: Object {
    @Persisted(primaryKey: true) var id: Int
    /// A different one in each row, in random order.
    @Persisted(indexed: true) var rank: Int
    /// One of 1,000.
    @Persisted var level: Double
    @Persisted var series: Series?
}

final class Series: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var publisher: Publisher?
}

final class Publisher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
}

/// An object with five integers.
final class Box: Object {
    @Persisted var numbers: List<Int>
}

/// An object with a text of about 200 bytes.
final class Article: Object {
    @Persisted(indexed: .fullText) var text: String
}
