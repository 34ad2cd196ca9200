import CPostgres

/// An error of the server or of its connection, before it is told in Freehold's terms.
struct ServerError: Error, Sendable {
    enum Kind: Sendable {
        /// The server answered with an error; the connection lives.
        case answer
        /// A connection could not be made; the message may tell why.
        case connecting
        /// A connection that was made has ended, or no host answers.
        case connection
        /// The address cannot be understood.
        case address
        /// The process has no descriptors or memory for a connection.
        case noResources
        /// Another task ended the connection.
        case interrupted
    }

    let kind: Kind
    /// Five characters; empty if the error is not of the server.
    let state: String
    /// Without a password: ``ServerAddress`` has removed it.
    let message: String
    /// What to do, where that is known better than the state tells.
    let remedy: String?

    init(_ kind: Kind, state: String = "", message: String, remedy: String? = nil) {
        self.kind = kind
        self.state = state
        self.message = message
        self.remedy = remedy
    }

    /// An error that came in place of a result.
    init(_ result: OpaquePointer) {
        func field(_ code: Character) -> String? {
            guard let text = PQresultErrorField(result, Int32(code.asciiValue ?? 0)) else {
                return nil
            }
            return String(cString: text)
        }
        let state = field("C") ?? ""
        let message = field("M") ?? String(cString: PQresultErrorMessage(result))
        let detail = field("D").map { " \($0)" } ?? ""
        // Without a state the error is the library's: the connection broke.
        let isFatal = ["FATAL", "PANIC"].contains(field("V") ?? "")
        self.init(
            state.isEmpty || isFatal ? .connection : .answer, state: state,
            message: message.trimmed() + detail)
    }
}

extension String {
    /// Without white space at the ends, and in one line.
    func trimmed() -> String {
        split(whereSeparator: \.isNewline).map { line in
            String(line.drop(while: \.isWhitespace))
        }.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
