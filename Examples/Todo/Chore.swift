import Foundation
import Freehold

/// Something to do.
final class Chore: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var number: Int
    @Persisted var title = ""
    @Persisted var due: Date?
    @Persisted(indexed: true) var isDone = false
    @Persisted var tags: MutableSet<String>
}
