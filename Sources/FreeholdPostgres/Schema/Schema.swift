/// The tables of a server: makes them, and brings older versions to the newest.
struct Schema {
    /// What makes the tables of each version out of those of the one before: the first of nothing.
    /// A version that was released stays as it is; changes are a step of their own.
    static let steps: [@Sendable (_ schema: String) -> [String]] = [SchemaVersion1.statements(in:)]

    static var version: Int32 { Int32(steps.count) }

    private let statements: Statements
    private let name: String
    private let steps: [@Sendable (_ schema: String) -> [String]]

    init(
        _ statements: Statements, name: String,
        steps: [@Sendable (_ schema: String) -> [String]] = Self.steps
    ) {
        self.statements = statements
        self.name = name
        self.steps = steps
    }

    /// Returns the version that the tables then have.
    ///
    /// All in one transaction, and two programs at once take turns: the second finds the work of
    /// the first.
    func prepare(_ connection: ServerConnection) throws(ServerError) -> Int32 {
        try connection.runScript(
            ["BEGIN", "SELECT pg_advisory_xact_lock(7238540061)"], mayTakeLong: true)
        do throws(ServerError) {
            let version = try migrate(connection)
            try connection.runScript(["COMMIT"], mayTakeLong: true)
            return version
        } catch {
            if error.kind == .answer { try connection.runScript(["ROLLBACK"]) }
            throw error
        }
    }

    private func migrate(_ connection: ServerConnection) throws(ServerError) -> Int32 {
        let tables = Statement(
            name: "freehold_tables",
            text: """
                SELECT to_regclass(quote_ident($1) || '.version') IS NOT NULL,
                    to_regnamespace(quote_ident($1)) IS NOT NULL
                """)
        let found = try connection.run(tables.with(.text(name)))[0]
        if try found.bool(0, 0) {
            let version = Statement(
                name: "freehold_number", text: "SELECT number FROM \(statements.schema).version")
            let result = try connection.run(version)[0]
            let number = result.rowCount == 0 ? 0 : try result.int32(0, 0)
            // A table without its row was not made here.
            return number < 1 ? number : try migrate(connection, from: number)
        }
        // The owner may have made an empty schema for somebody who may not.
        if try !found.bool(0, 1) {
            try connection.runScript(["CREATE SCHEMA \(statements.schema)"])
        }
        let version = try migrate(connection, from: 0)
        try checkUsage(connection)
        return version
    }

    /// Throws if only some may use the schema: granting it by a role that may not is a warning.
    ///
    /// Of new tables alone: later the owner may let only some use them.
    private func checkUsage(_ connection: ServerConnection) throws(ServerError) {
        let usage = Statement(
            name: "freehold_usage",
            text: """
                SELECT has_schema_privilege('public', oid, 'USAGE'),
                    pg_get_userbyid(nspowner)::text
                FROM pg_namespace WHERE oid = to_regnamespace(quote_ident($1))
                """)
        let found = try connection.run(usage.with(.text(name)))[0]
        guard try !found.bool(0, 0) else { return }
        let owner = found.text(0, 1)
        throw ServerError(
            .answer, state: "42501",
            message: """
                The schema \(statements.schema) belongs to "\(owner)", and this role may not let \
                all roles use it.
                """,
            remedy: """
                Have "\(owner)", the schema's owner, run GRANT USAGE ON SCHEMA \
                \(statements.schema) TO PUBLIC, and prepare again.
                """)
    }

    private func migrate(_ connection: ServerConnection, from version: Int32) throws(ServerError)
        -> Int32
    {
        guard version < steps.count else { return version }
        for step in steps[Int(version)...] {
            try connection.runScript(step(statements.schema), mayTakeLong: true)
        }
        try connection.runScript(
            ["UPDATE \(statements.schema).version SET number = \(steps.count)"])
        return Int32(steps.count)
    }
}
