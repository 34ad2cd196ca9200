import FreeholdSharing

extension ServerError {
    /// Whether the connection is of no more use.
    var endsConnection: Bool {
        kind != .answer || SharingError.code(of: self) == .unreachable
    }

    /// The text of a failure to connect that has no state, because it is the library's: it has
    /// nothing else that tells what failed. Without names of hosts and files, which may have any
    /// words in them. Nil for others: a connection that was made was also trusted.
    fileprivate var textOfLibrary: String? {
        guard kind == .connecting, state.isEmpty else { return nil }
        return message.replacing(/"[^"]*"/, with: "").lowercased()
    }

    /// Whether the address cannot be understood, or an option of it has no such value. The library
    /// looks at most of them only when it connects.
    fileprivate var isOfAddress: Bool {
        if kind == .address { return true }
        let place = /(connection to server .* failed: )?/
        let invalid = /invalid (\w+ value|require_auth method|port number|ssl protocol)/
        guard let text = textOfLibrary, let start = text.prefixMatch(of: place) else {
            return false
        }
        return text[start.range.upperBound...].prefixMatch(of: invalid) != nil
    }
}

extension SharingError {
    /// What the call of a connection throws that was closed.
    static let closed = SharingError(
        .unreachable, "The connection to the server was closed.", remedy: "Connect again.")

    /// An error of a server in Freehold's terms.
    init(_ error: ServerError, at address: ServerAddress) {
        if error.kind == .interrupted {
            self = .closed
            return
        }
        let code = Self.code(of: error)
        let (message, remedy) = Self.texts(of: code, error, address.description)
        let state = error.state.isEmpty ? "" : " [\(error.state)]"
        self.init(
            code, message, remedy: error.remedy ?? remedy,
            cause: address.redacted(error.message) + state)
    }

    /// The code for the state of an error; `unreachable` where trying again later may help.
    static func code(of error: ServerError) -> Code {
        if error.isOfAddress { return .serverFailed }
        switch error.kind {
        case .noResources, .interrupted: return .unreachable
        case .answer, .connecting, .connection, .address: break
        }
        switch error.state {
        // Wrong user, password, or no line for them in pg_hba.conf.
        case "28000", "28P01": return .authenticationFailed
        // Insufficient privilege, also by row-level security.
        case "42501": return .permissionDenied
        // Undefined schema, table, function, column; no such database.
        case "3F000", "42P01", "42883", "42703", "3D000": return .notPrepared
        // Disk full, out of memory, limits of configuration and of the program.
        case "53000", "53100", "53200", "53400", "54000": return .serverFull
        // Too many connections; shutting down, starting, crashed, idle too long; a standby;
        // deadlock, serialization, lock not available; statement cancelled.
        case "53300", "57P01", "57P02", "57P03", "57P04", "57P05", "25006", "25P03", "40P01",
            "40001", "55P03", "57014":
            return .unreachable
        default: break
        }
        if error.state.hasPrefix("08") { return .unreachable }
        // A program limit, such as an array of more than 1 GB.
        if error.state.hasPrefix("54") { return .serverFull }
        if error.kind == .answer { return .serverFailed }
        return tellsDistrust(error) ? .authenticationFailed : .unreachable
    }

    /// Whether a failure to connect is one of TLS, of a password, or of how the server asks for it.
    private static func tellsDistrust(_ error: ServerError) -> Bool {
        guard let message = error.textOfLibrary else { return false }
        let reasons = [
            "certificate", "private key", "alert", "does not support ssl", "no password supplied",
            "channel binding", "server signature", "authentication method requirement",
        ]
        if reasons.contains(where: { message.contains($0) }) { return true }
        // A connection that breaks tells so by way of the TLS library, too.
        let breaks = ["syscall", "eof", "closed", "reset", "broken pipe"]
        return message.contains("ssl") && !breaks.contains { message.contains($0) }
    }

    private static func texts(of code: Code, _ error: ServerError, _ server: String)
        -> (message: String, remedy: String)
    {
        if error.isOfAddress {
            return (
                "The address of the server cannot be understood.",
                "Give one such as postgresql://user@host:5432/database?sslmode=verify-full."
            )
        }
        switch code {
        case .unreachable where error.state == "53300":
            return (
                "The server at \(server) has no connection left.",
                "Raise max_connections, or share fewer realms at once."
            )
        case .unreachable where error.state == "25006":
            return (
                "The server at \(server) is a standby, which cannot be written to.",
                "Name the primary, or both with target_session_attrs=read-write."
            )
        case .unreachable:
            return (
                "The server at \(server) does not answer.",
                "See that it runs and that the address is right; Freehold tries again."
            )
        case .authenticationFailed:
            return (
                "The server at \(server) and this program do not trust each other.",
                "See to the user, the password, pg_hba.conf and the certificates (sslmode)."
            )
        case .permissionDenied:
            return (
                "The user may not do this on the server at \(server).",
                "Have the owner grant it: PostgresUpstream.grant(_:to:canWrite:)."
            )
        case .notPrepared:
            return (
                "The server at \(server) has no tables for sharing.",
                "Have the owner run `freehold share init`, or PostgresUpstream.prepare()."
            )
        case .serverFull:
            return (
                "The server at \(server) has no room.",
                "Free space on its disk, or trim the log; then everything goes on."
            )
        // A prepared statement that there is already, or that is not known: it was made in another
        // session.
        case .serverFailed where ["42P05", "26000"].contains(error.state):
            return (
                "Calls of one connection to \(server) reach several sessions of the server.",
                "Connect directly, without a pooler of transactions (pool_mode = transaction)."
            )
        default:
            return (
                "The server at \(server) failed.",
                "See its log; what waits to be pushed is kept."
            )
        }
    }
}
