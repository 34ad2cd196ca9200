import CPostgres

/// The parts of a `postgresql://` URL, or of libpq's `key=value` form.
struct ServerAddress: Sendable {
    /// Without password, for people.
    let description: String
    /// For `PQconnectStartParams`, in order: later ones win.
    let keywords: [(name: String, value: String)]
    /// The time that connecting may take.
    let timeout: Duration
    private let password: String

    /// What an address need not say. A dead peer is noticed after 25 seconds, not after hours.
    /// A standby is never connected to: of several hosts the primary is found.
    private static let defaults: [(String, String)] = [
        ("fallback_application_name", "freehold"), ("target_session_attrs", "read-write"),
        ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "25000"), ("client_encoding", "UTF8"),
    ]

    init(_ url: String) throws(ServerError) {
        // The library's own message would repeat parts of the address, with the password.
        guard let options = PQconninfoParse(url, nil) else {
            throw ServerError(
                .address, message: "The address is neither a URL nor a list of keywords.")
        }
        defer { PQconninfoFree(options) }
        var given: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                given[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        password = given["password"] ?? ""
        let seconds = given["connect_timeout"].flatMap(Int.init) ?? 0
        timeout = .seconds(seconds > 0 ? max(2, seconds) : 10)
        let host = given["host"] ?? given["hostaddr"] ?? "the local socket"
        let port = given["port"].map { ":\($0)" } ?? ""
        description = "\(host)\(port)/\(given["dbname"] ?? given["user"] ?? "")"
        keywords =
            Self.defaults.filter { given[$0.0] == nil }
            + given.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Of an address that cannot be understood.
    static let unknown = ServerAddress()

    private init() {
        (description, keywords, timeout, password) = ("?", [], .zero, "")
    }

    /// A text of the server or the library without the password.
    func redacted(_ text: String) -> String {
        password.isEmpty ? text : text.replacing(password, with: "***")
    }
}
