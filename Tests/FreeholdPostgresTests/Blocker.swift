import PostgresServer

/// Holds a lock, in a session of psql: that of a realm's row, for which pushes wait, or of a table.
actor Blocker {
    private let server: PostgresServer
    /// Of the schema, which no other test has.
    private let name: String
    /// Of the database; nil for the owner's.
    private let url: String?
    private var holder: Task<Void, Never>?

    init(_ schema: PostgresSchema) { self.init(schema.server, schema: schema.name) }

    init(_ server: PostgresServer, schema: String, at url: String? = nil) {
        (self.server, name, self.url) = (server, schema, url)
    }

    /// Returns when the row is locked.
    func lock() async throws {
        try await lock("SELECT head FROM \(name).realm FOR UPDATE")
    }

    /// Returns when nobody else can use a table.
    func lock(table: String) async throws { try await lock("LOCK TABLE \(name).\(table)") }

    func lock(_ statement: String) async throws {
        holder = Task { [server, name, url] in
            // Ends by being terminated.
            _ = try? await server.query(
                "BEGIN; \(statement); SELECT pg_sleep(3600) -- \(name)", at: url)
        }
        try await wait(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' "
                + "AND query LIKE '%-- \(name)'")
    }

    func waitUntilSomebodyWaits(for function: String = "push", count: Int = 1) async throws {
        try await wait(
            "SELECT greatest(0, count(*) - \(count - 1)) FROM pg_stat_activity "
                + "WHERE wait_event_type = 'Lock' AND query LIKE '%\(name)%\(function)%'")
    }

    /// Returns when so many wait for an advisory lock of the database.
    func waitUntilSomebodyWaits(inTurn count: Int) async throws {
        try await wait(
            """
            SELECT greatest(0, count(*) - \(count - 1)) FROM pg_locks l
            JOIN pg_database d ON d.oid = l.database
            WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted
            """)
    }

    private func wait(_ query: String) async throws {
        while try await server.query(query, at: url) == "0" {}
    }

    func unlock() async throws {
        try await server.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep' "
                + "AND query LIKE '%-- \(name)'")
        await holder?.value
    }
}
