/// A statement that a connection prepares when it first runs it.
struct Statement: Sendable {
    /// Identifies the statement in a connection.
    let name: String
    let text: String
    var parameters: [Parameter] = []
    /// Whether the server may be silent for longer than usual.
    var mayTakeLong = false

    /// The statement with values for `$1` and so on.
    func with(_ parameters: Parameter...) -> Statement {
        var statement = self
        statement.parameters = parameters
        return statement
    }

    /// Throws if the library cannot tell the length of a value.
    func checkSizes() throws(ServerError) {
        guard let size = parameters.compactMap(\.bytes?.count).max(), size > Int32.max else {
            return
        }
        throw ServerError(
            .answer, state: "54000", message: "A value has \(size) bytes.",
            remedy: "Write it in smaller transactions.")
    }

    func takingLong() -> Statement {
        var statement = self
        statement.mayTakeLong = true
        return statement
    }
}
