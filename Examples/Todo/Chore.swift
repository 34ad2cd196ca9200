import Foundation
import Freehold

/// A task on the list.
final class Chore: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var number: Int
    @Persisted var title = ""
    @Persisted var due: Date?
    @Persisted(indexed: true) var isDone = false
    @Persisted var tags: MutableSet<String>
}
