/// A query that does not fit the realm's schema: an unknown property, a value of a wrong type.
struct QueryError: Error {
    /// The text that Realm has for it.
    let message: String
    let remedy: String

    init(_ message: String, remedy: String) {
        self.message = message
        self.remedy = remedy
    }

    /// Where a query is written in code, a misfit is the programmer's error.
    func trap() -> Never { violation(.misuse(text: message, remedy: remedy)) }
}

/// Gives what a query was lowered to. Traps if it does not fit.
@inline(__always)
func unwrapQuery<Lowered>(_ body: () throws(QueryError) -> Lowered) -> Lowered {
    do {
        return try body()
    } catch {
        error.trap()
    }
}
