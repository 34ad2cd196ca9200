/// The tables of a server: makes them, and brings older versions to the newest.
struct Schema {
    static let version: Int32 = 1

    private let statements: Statements
    private let name: String

    init(_ statements: Statements, name: String) {
        self.statements = statements
        self.name = name
    }

    /// Returns the version that the tables then have.
    ///
    /// All in one transaction, and two programs at once take turns: the second finds the work of
    /// the first.
    func prepare(_ connection: ServerConnection) throws(ServerError) -> Int32 {
        try connection.runScript(["BEGIN", "SELECT pg_advisory_xact_lock(7238540061)"])
        do throws(ServerError) {
            let version = try migrate(connection)
            try connection.runScript(["COMMIT"])
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
            return result.rowCount == 0 ? 0 : try result.int32(0, 0)
        }
        // The owner may have made an empty schema for somebody who may not.
        if try !found.bool(0, 1) {
            try connection.runScript(["CREATE SCHEMA \(statements.schema)"])
        }
        try connection.runScript(SchemaVersion1.statements(in: statements.schema))
        return Self.version
    }
}
