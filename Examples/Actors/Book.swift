import Freehold

final class Book: Object {
    @Persisted(primaryKey: true) var isbn = ""
    @Persisted var title = ""
    @Persisted(indexed: true) var reader: String?
    @Persisted var lendings = 0
}
