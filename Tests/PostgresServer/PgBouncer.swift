import Foundation

/// A PgBouncer of a test, before a server. Ends with the process that started it.
package final class PgBouncer: Sendable {
    private static let program = "/usr/sbin/pgbouncer"
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    private let server: PostgresServer
    private let directory: URL
    private let process: ServerProcess

    /// - Parameter mode: `session`, or `transaction`, which sharing cannot use.
    package init(for server: PostgresServer, mode: String) async throws {
        self.server = server
        let directory = try ServerFiles.makeDirectory()
        self.directory = directory
        let settings = """
            [databases]
            postgres = host=\(server.sockets.path) port=\(server.port ?? 5432)
            [pgbouncer]
            unix_socket_dir = \(directory.path)
            auth_type = trust
            auth_file = \(directory.path)/users
            pool_mode = \(mode)
            default_pool_size = 2

            """
        let file = directory.appendingPathComponent("settings")
        try Data(settings.utf8).write(to: file)
        try Data("\"\(PostgresServer.owner)\" \"\"\n".utf8).write(
            to: directory.appendingPathComponent("users"))
        process = try await onThread {
            try ServerProcess(
                ServerFiles.command(atPath: Self.program, [file.path]), readyText: "process up")
        }
    }

    /// A URL of the server by way of it.
    package var url: String {
        let path = directory.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        return "postgresql://\(PostgresServer.owner)@/postgres?host=\(path ?? "")&port=6432"
    }

    package func delete() async {
        await onThread { [process] in
            process.signal(SIGTERM)
            process.waitForEnd()
        }
        try? FileManager.default.removeItem(at: directory)
    }
}
