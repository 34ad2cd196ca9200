package import Foundation
import FreeholdStorage
import Glibc

/// A PostgreSQL server of a test, in a temporary directory, on a Unix socket.
///
/// Runs as an ordinary user: PostgreSQL refuses root, who becomes `nobody` for it. Ends with the
/// process that started it, however that ends. Nothing is synced to the medium unless a test asks
/// for it: a killed server loses nothing that way.
///
/// Methods that wait for processes do it on threads of their own.
package final class PostgresServer: Sendable {
    /// Where `postgres` and the other programs are; nil if they are not installed.
    package static let programs: String? = {
        let versions = "/usr/lib/postgresql"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
        let newest = names.compactMap(Int.init).max()
        return newest.map { "\(versions)/\($0)/bin" }
    }()

    package static let isInstalled = programs != nil

    /// The user who owns all and needs no password.
    package static let owner = "owner"

    package let directory: URL
    /// The port of 127.0.0.1; nil if the server has the socket alone.
    package let port: Int?
    private let process = Locked<ServerProcess?>(nil)

    package var data: URL { directory.appendingPathComponent("data") }
    package var sockets: URL { directory.appendingPathComponent("s") }
    package var processIdentifier: Int32? { process.withLock { $0?.identifier } }

    /// Makes and starts a server.
    ///
    /// - Parameters:
    ///   - settings: Of `postgresql.conf`.
    ///   - withTCP: Whether it listens at 127.0.0.1, too.
    package convenience init(settings: [String: String] = [:], withTCP: Bool = false) async throws {
        let directory = try ServerFiles.makeDirectory()
        let port = withTCP ? try ServerFiles.freePort() : nil
        self.init(directory: directory, port: port)
        try await onThread { [self] in
            try ServerFiles.copyTemplate(to: data)
            try configure(settings)
        }
        try await start()
    }

    private init(directory: URL, port: Int?) {
        self.directory = directory
        self.port = port
    }

    deinit { process.exchange(nil)?.signal(SIGQUIT) }

    /// Appends settings; they are in force after the next start.
    package func configure(_ settings: [String: String]) throws {
        var all = [
            "unix_socket_directories": sockets.path, "listen_addresses": "",
            "port": "\(port ?? 5432)", "fsync": "off", "shared_buffers": "16MB",
            "max_connections": "400", "lc_messages": "C", "autovacuum_naptime": "5s",
            // Clients of a busy machine take long to say who they are.
            "authentication_timeout": "10min",
        ]
        if port != nil { all["listen_addresses"] = "127.0.0.1" }
        all.merge(settings) { $1 }
        let lines = all.map { "\($0.key) = '\($0.value)'\n" }.sorted().joined()
        let file = try FileHandle(forWritingTo: data.appendingPathComponent("postgresql.conf"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(lines.utf8))
        try file.close()
    }

    // MARK: Running

    /// Starts the server, and returns when it accepts connections.
    package func start() async throws {
        try await onThread { [self] in
            let started = try ServerProcess(
                ServerFiles.command("postgres", ["-D", data.path]))
            process.withLock { $0 = started }
        }
    }

    /// Ends the server at once (`kill -9`), and returns when all its processes are gone.
    package func kill() async { await end(SIGKILL) }

    /// Ends the server; what was committed stays.
    package func stop() async { await end(SIGINT) }

    /// Ends the server and deletes its files.
    package func delete() async {
        await end(SIGQUIT)
        try? FileManager.default.removeItem(at: directory)
    }

    private func end(_ signal: Int32) async {
        guard let running = process.exchange(nil) else { return }
        await onThread {
            running.signal(signal)
            running.waitForEnd()
        }
    }

    /// What the server has logged.
    package var log: String { process.withLock { $0?.log } ?? "" }

    // MARK: Addresses

    /// A URL of the server by its socket.
    package func url(
        user: String = PostgresServer.owner, password: String? = nil,
        database: String = "postgres", sockets: URL? = nil
    ) -> String {
        let path = (sockets ?? self.sockets).path
        let encoded = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? path
        let secret = password.map { ":\($0)" } ?? ""
        return "postgresql://\(user)\(secret)@/\(database)?host=\(encoded)&port=\(port ?? 5432)"
    }

    /// A URL of this server and its standby: clients take whichever is the primary.
    package func url(with standby: PostgresServer) -> String {
        let hosts = [self, standby].map { server in
            server.sockets.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                ?? server.sockets.path
        }
        return "postgresql://\(Self.owner)@/postgres?host=\(hosts.joined(separator: ","))&port=5432"
    }

    /// Runs statements, and returns what psql prints without headings.
    ///
    /// - Parameter url: Nil for the owner's.
    @discardableResult
    package func query(_ text: String, at url: String? = nil) async throws -> String {
        let url = url ?? self.url()
        return try await onThread {
            try ServerFiles.run("psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", text])
        }
    }

    /// Dumps a schema, and restores it into a new database.
    ///
    /// - Parameter options: Of `pg_dump`.
    /// - Returns: A URL of the database.
    package func restore(
        schema: String, into database: String, _ options: [String] = []
    ) async throws -> String {
        let (source, target) = (url(), url(database: database))
        // The programs may write there, whoever runs them.
        let file = data.appendingPathComponent("dump-\(database)").path
        try await query("CREATE DATABASE \(database)")
        return try await onThread {
            try ServerFiles.run(
                "pg_dump", ["-Fc", "-n", schema, "-f", file, "-d", source] + options)
            try ServerFiles.run("pg_restore", ["--exit-on-error", "-d", target, file])
            return target
        }
    }

    // MARK: Standby

    /// Makes a standby of this server and starts it; commits of this server wait for it from then
    /// on.
    package func makeStandby() async throws -> PostgresServer {
        let standby = PostgresServer(directory: try ServerFiles.makeDirectory(), port: nil)
        let source = url()
        try await onThread {
            try ServerFiles.run(
                "pg_basebackup", ["-D", standby.data.path, "-R", "-X", "stream", "-d", source])
            try standby.configure([:])
        }
        try await standby.start()
        try await query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try await query("SELECT pg_reload_conf()")
        return standby
    }

    /// Makes a primary of a standby.
    package func promote() async throws { try await query("SELECT pg_promote()") }
}

/// Runs `body` on a thread of its own: the pool that tasks run on has two on a small machine.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
    -> Value
{
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// As ``onThread(_:)-`` for what does not fail.
package func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread {
            body()
            continuation.resume()
        }.start()
    }
}
