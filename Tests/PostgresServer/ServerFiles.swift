import Foundation
import FreeholdStorage
import FreeholdTestProcesses
import Glibc

/// Directories and programs of servers.
enum ServerFiles {
    private static let parent: URL = {
        let found = FileManager.default.temporaryDirectory
        // A socket's path has at most 107 bytes.
        let parent = found.path.utf8.count < 60 ? found : URL(fileURLWithPath: "/tmp")
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] {
            let parts = name.split(separator: "-")
            guard parts.count == 3, parts[0] == "fhpg", let process = pid_t(parts[1]),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(at: parent.appendingPathComponent(name))
        }
        return parent
    }()

    private static let lastNumber = Locked(0)

    /// Makes a directory that the server's user owns. Those of processes that are gone are
    /// deleted by the next process.
    static func makeDirectory() throws -> URL {
        let number = lastNumber.withLock { last in
            last += 1
            return last
        }
        let url = parent.appendingPathComponent("fhpg-\(getpid())-\(number)")
        try? FileManager.default.removeItem(at: url)
        try FileManager.default.createDirectory(
            at: url.appendingPathComponent("s"), withIntermediateDirectories: true)
        for path in [url.path, url.appendingPathComponent("s").path] {
            chmod(path, 0o755)
            try giveAway(path)
        }
        return url
    }

    /// Makes the server's user the owner of a file.
    static func giveAway(_ path: String) throws {
        guard getuid() == 0, let user else { return }
        guard chown(path, user.uid, user.gid) == 0 else {
            throw ServerFailure("\(path) cannot be given to the user of the server.")
        }
    }

    /// Who runs servers if this process is root's.
    private static let user: (uid: uid_t, gid: gid_t)? = {
        guard let entry = getpwnam("nobody") else { return nil }
        return (entry.pointee.pw_uid, entry.pointee.pw_gid)
    }()

    /// The arguments that run a program of PostgreSQL as the server's user, and end it with the
    /// thread that starts it.
    static func command(_ program: String, _ arguments: [String]) throws -> [String] {
        guard let programs = PostgresServer.programs else {
            throw ServerFailure("PostgreSQL is not installed: apt-get install postgresql")
        }
        var command = ["/usr/bin/setpriv", "--pdeathsig", "QUIT"]
        if getuid() == 0, let user {
            command += ["--reuid", "\(user.uid)", "--regid", "\(user.gid)", "--clear-groups"]
        }
        return command + ["\(programs)/\(program)"] + arguments
    }

    /// Runs a program to its end, and returns what it prints.
    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> String {
        try runCommand(command(program, arguments))
    }

    @discardableResult
    static func runCommand(_ command: [String]) throws -> String {
        let process = ChildProcess(
            URL(fileURLWithPath: command[0]), Array(command.dropFirst()))
        process.currentDirectoryURL = parent
        let pipe = Pipe()
        process.standardOutput = .pipe(pipe)
        process.standardError = .pipe(pipe)
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: output, as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw ServerFailure("\(command.joined(separator: " ")): \(text)")
        }
        return text.trimmingCharacters(in: .newlines)
    }

    /// A new cluster, made once for each process: copying it is faster than making another.
    private static let template = Result {
        let url = try makeDirectory().appendingPathComponent("template")
        try run(
            "initdb",
            [
                "-D", url.path, "-U", PostgresServer.owner, "-A", "trust", "-E", "UTF8",
                "--locale=C", "--no-sync", "--wal-segsize=1",
            ])
        let access = """
            local all secured scram-sha-256
            local all,replication all trust
            host all all 127.0.0.1/32 trust

            """
        try Data(access.utf8).write(to: url.appendingPathComponent("pg_hba.conf"))
        return url
    }

    static func copyTemplate(to url: URL) throws {
        let template = try template.get()
        try runCommand(["/bin/cp", "-a", template.path, url.path])
    }

    /// A port that nobody listens at, until another process takes it.
    static func freePort() throws -> Int {
        let (descriptor, port) = try boundSocket()
        close(descriptor)
        return port
    }

    /// A socket at a free port of 127.0.0.1, which nobody else gets while it is open.
    static func boundSocket() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw ServerFailure("There is no free port.")
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}
