import Foundation
import FreeholdPostgres
import FreeholdStorage
import PostgresServer
import Testing

/// The server that most tests share, each with a schema of its own.
enum SharedServer {
    private static let starting = Locked<Task<PostgresServer, any Error>?>(nil)

    static func server() async throws -> PostgresServer {
        let task = starting.withLock { task in
            let found = task ?? Task { try await PostgresServer(withTCP: true) }
            task = found
            return found
        }
        return try await task.value
    }

    private static let securing = Locked<Task<String, any Error>?>(nil)

    /// A role that needs a password, "right".
    static func securedRole() async throws -> String {
        let task = securing.withLock { task in
            let found =
                task
                ?? Task {
                    try await server().query("CREATE ROLE secured LOGIN PASSWORD 'right'")
                    return "secured"
                }
            task = found
            return found
        }
        return try await task.value
    }
}

/// A set of realms in a schema of its own on the shared server.
struct PostgresSchema: Sendable {
    let server: PostgresServer
    let upstream: PostgresUpstream
    let name: String

    private static let sharing = Locked<Task<PostgresSchema, any Error>?>(nil)

    /// One for all tests that only need realms of their own.
    static func shared() async throws -> PostgresSchema {
        let task = sharing.withLock { task in
            let found = task ?? Task { try await PostgresSchema() }
            task = found
            return found
        }
        return try await task.value
    }

    /// Makes the tables in a new schema.
    init() async throws {
        server = try await SharedServer.server()
        name = "s" + UUID().uuidString.lowercased().replacing("-", with: "")
        upstream = .postgres(server.url(), schema: name)
        try await upstream.prepare()
    }

    /// The realms as another user sees them.
    func upstream(user: String, password: String? = nil) -> PostgresUpstream {
        .postgres(server.url(user: user, password: password), schema: name)
    }

    /// Makes a role that can connect, with a name of its own.
    func makeRole(_ options: String = "") async throws -> String {
        let role = "r" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await server.query("CREATE ROLE \(role) LOGIN \(options)")
        return role
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests that need a server where none is installed.
    static var needsPostgres: Self {
        .enabled(
            if: PostgresServer.isInstalled, "PostgreSQL is missing: apt-get install postgresql")
    }
}
