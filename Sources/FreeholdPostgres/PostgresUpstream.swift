public import FreeholdSharing

/// Realms that are shared through a PostgreSQL server, version 12 or newer.
///
/// ```swift
/// let upstream = PostgresUpstream("postgresql://app@db.example.com/app?sslmode=verify-full")
/// try await upstream.prepare()         // Once, as the owner of the database.
/// try await upstream.create("orders")
/// try await upstream.grant("orders", to: "app", canWrite: true)
/// ```
///
/// Each realm that is shared has one connection to the server, with a thread of its own. TLS,
/// several hosts, time-outs and the file of passwords are as in every program of PostgreSQL: the
/// URL is libpq's. Unless it says otherwise only a primary is connected to, so that a URL with
/// two hosts survives a failover. Each host has `connect_timeout` for itself, 10 seconds without
/// one.
///
/// Thread rule: any.
public struct PostgresUpstream: Upstream {
    let url: String
    let statements: Statements
    /// The name of the schema as given.
    let schema: String
    /// Tests shorten them.
    var silence = SilenceLimits()

    /// Makes an upstream; connects to nothing yet.
    ///
    /// - Parameters:
    ///   - url: `postgresql://user@host:5432/database?sslmode=verify-full`, or libpq's
    ///     `key=value` form. A password is better in the file that `PGPASSFILE` names.
    ///   - schema: The schema of the tables, by which one database has several sets of realms.
    public init(_ url: String, schema: String = "freehold") {
        self.url = url
        self.schema = schema
        statements = Statements(schema: schema)
    }

    func openSession() async throws -> Session {
        let address: ServerAddress
        do { address = try ServerAddress(url) } catch { throw SharingError(error, at: .unknown) }
        return try await Session.open(address, silence)
    }
}

extension PostgresUpstream: CustomStringConvertible, CustomReflectable {
    /// The server without the password.
    public var description: String {
        "PostgresUpstream(\((try? ServerAddress(url))?.description ?? "?"), schema: \(schema))"
    }

    /// Without the URL: printing the upstream must not print a password.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Upstream where Self == PostgresUpstream {
    /// A PostgreSQL server, as an argument: `.postgres("postgresql://…")`.
    ///
    /// - Parameters:
    ///   - url: As in ``PostgresUpstream/init(_:schema:)``.
    ///   - schema: The schema of the tables.
    public static func postgres(_ url: String, schema: String = "freehold") -> Self {
        PostgresUpstream(url, schema: schema)
    }
}
