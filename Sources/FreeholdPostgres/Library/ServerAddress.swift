import CPostgres

/// The parts of a `postgresql://` URL, or of libpq's `key=value` form.
struct ServerAddress: Sendable {
    /// Without password, for people.
    let description: String
    /// In the order in which they are given.
    let hosts: [ServerHost]
    /// The time that connecting to one of the hosts, or to one of its addresses, may take.
    let timeout: Duration
    /// For `PQconnectStartParams`: what all hosts have in common.
    private let keywords: [(name: String, value: String)]
    /// Whether hosts, and the addresses of each, are tried in an order of chance.
    private let isShuffled: Bool
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
        guard let parsed = PQconninfoParse(url, nil) else {
            throw Self.isUnclear("is neither a URL nor a list of keywords")
        }
        let given = Self.values(parsed)
        try Self.checkDelimiters(of: url)
        // What environment variables say, and what is compiled into the library.
        let environment = PQconndefaults().map(Self.values) ?? [:]
        let all = environment.merging(given) { $1 }
        try Self.check(port: all["port"], database: all["dbname"])
        password = given["password"] ?? ""
        let seconds = all["connect_timeout"].flatMap(Int.init) ?? 0
        // To the library it is an int.
        timeout = .seconds(seconds > 0 ? min(max(2, seconds), Int(Int32.max)) : 10)
        isShuffled = all["load_balance_hosts"] == "random"
        let host = given["host"] ?? given["hostaddr"] ?? "the local socket"
        let port = given["port"].map { ":\($0)" } ?? ""
        description = "\(host)\(port)/\(given["dbname"] ?? given["user"] ?? "")"
        var common = given
        if given["service"] == nil {
            hosts = try ServerHost.hosts(
                names: all["host"], addresses: all["hostaddr"], ports: all["port"])
            for keyword in ServerHost.keywords { common[keyword] = nil }
        } else {
            // Only the library reads the file of services, which may name the hosts.
            hosts = [ServerHost()]
        }
        keywords =
            Self.defaults.filter { given[$0.0] == nil }
            + common.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Of an address that cannot be understood.
    static let unknown = ServerAddress()

    private init() {
        (description, hosts, timeout, keywords) = ("?", [], .zero, [])
        (isShuffled, password) = (false, "")
    }

    /// The options that have a value. Frees them.
    private static func values(
        _ options: UnsafeMutablePointer<PQconninfoOption>
    ) -> [String: String] {
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            // To the library an empty value is none.
            if let text = option.pointee.val, text.pointee != 0 {
                values[String(cString: keyword)] = String(cString: text)
            }
            option += 1
        }
        return values
    }

    /// For `PQconnectStartParams`: connects to one host alone.
    func keywords(for host: ServerHost) -> [(name: String, value: String)] {
        keywords + host.keywords
    }

    /// The order in which hosts, or the addresses of one, are tried.
    func ordered(_ hosts: [ServerHost]) -> [ServerHost] { isShuffled ? hosts.shuffled() : hosts }

    /// A text of the server or the library without the password.
    func redacted(_ text: String) -> String {
        password.isEmpty ? text : text.replacing(password, with: "***")
    }
}
