import Freehold

class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(preservedInHistory: true) var number = ""
    @Persisted var total = 0.0
    @Persisted var customer: Customer?
    @Persisted var lines: List<Line>
    @Persisted var tags: MutableSet<String>
}

class Customer: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted(indexed: true, preservedInHistory: true) var city: String?
}

class Line: EmbeddedObject {
    @Persisted var text: String
    @Persisted var count = 1
}

class Memo: Object {
    @Persisted var text: String
}
