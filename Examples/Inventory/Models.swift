import Foundation
import Freehold

/// An article, the same in all shops: its number is its primary key everywhere.
final class Article: Object {
    @Persisted(primaryKey: true) var number = ""
    @Persisted var name = ""
    /// What all shops together have. Never below 0, so it changes in shared writes only.
    @Persisted var stock = 0
    /// How often the article was looked at. Each shop adds to it, offline too.
    @Persisted var views = 0
    /// Notes of the staff of all shops.
    @Persisted var notes: List<String>
}

/// A sale in one shop. Sales are added, offline too, and never changed.
final class Sale: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var shop = ""
    @Persisted var date = Date()
    @Persisted var article: Article?
    @Persisted var count = 0
    /// Whether the article was taken from the common stock.
    @Persisted var isSettled = false
}
