/// A query that does not fit the realm's schema: an unknown property, a value of a wrong type.
struct QueryError: Error {
    /// Realm's text for the error.
    let message: String
    let remedy: String

    init(_ message: String, remedy: String) {
        self.message = message
        self.remedy = remedy
    }

    /// Traps. A query written in code that does not fit is the programmer's error.
    func trap() -> Never { misuse(message, remedy: remedy) }
}

/// Returns what a query was lowered to. Traps if it does not fit.
@inline(__always)
func unwrapQuery<Lowered>(_ body: () throws(QueryError) -> Lowered) -> Lowered {
    do {
        return try body()
    } catch {
        error.trap()
    }
}
