import Foundation
import FreeholdPostgres
import FreeholdSharing
import PostgresServer

/// What sharing through PostgreSQL costs, beside a bare program of libpq and beside `cp`, over a
/// server that syncs to the medium.
///
///     Tests/Benchmarks/Postgres/run                       # all works
///     Tests/Benchmarks/Postgres/run push latency          # some
///     Tests/Benchmarks/Postgres/run snapshot big.realm    # a file of your own
///     Tests/Benchmarks/Postgres/run realms clients        # many of them: minutes, not by default
@main
struct PostgresBenchmark {
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let file = arguments.last.flatMap { $0.contains(".realm") ? $0 : nil }
        if file != nil { arguments.removeLast() }
        let all = [
            "push", "writers", "latency", "catch-up", "snapshot", "sizes", "shared-push",
            "shared-catch-up", "shared-visibility", "shared-seed",
        ]
        let large = ["realms", "clients"]
        let isLarge = arguments.contains { large.contains($0) }
        // Memory as the manual advises; all else as it is by default.
        let server = try await PostgresServer(settings: [
            "fsync": "on", "max_connections": isLarge ? "2200" : "300", "shared_buffers": "1GB",
        ])
        let upstream = PostgresUpstream(server.url())
        try await upstream.prepare()
        let bench = Bench(server: server, upstream: upstream)
        for work in arguments.isEmpty ? all : arguments {
            print("== \(work)")
            switch work {
            case "push": try await bench.push()
            case "writers": try await bench.writers()
            case "latency": try await bench.latency()
            case "catch-up": try await bench.catchUp()
            case "snapshot": try await bench.snapshot(file)
            case "sizes": try await bench.sizes()
            case "shared-push": try await bench.sharedPush()
            case "shared-catch-up": try await bench.sharedCatchUp()
            case "shared-visibility": try await bench.sharedVisibility()
            case "shared-seed": try await bench.sharedSeed()
            case "realms": try await bench.realms()
            case "clients": try await bench.clients()
            default: print("Works are \((all + large).joined(separator: ", ")).")
            }
        }
        await server.delete()
    }
}

/// The server, and what all works need.
struct Bench: Sendable {
    let server: PostgresServer
    let upstream: PostgresUpstream

    /// Makes a realm with a name of its own.
    func makeRealm() async throws -> String {
        let name = "realm \(UUID())"
        try await upstream.create(name)
        return name
    }

    func connect(_ realm: String, _ upstream: PostgresUpstream? = nil) async throws
        -> any UpstreamConnection
    {
        try await (upstream ?? self.upstream).connect(
            to: realm,
            as: UpstreamClient(
                id: UUID(), previousToken: UUID(), nextToken: UUID(), name: "benchmark"))
    }

    /// A batch of commits of 200 bytes.
    func commits(_ numbers: Range<Int64>) -> [PushedCommit] {
        let payload = Data(repeating: 120, count: Self.payloadSize)
        return numbers.map { PushedCommit(clientSequence: $0, format: 1, payload: payload) }
    }

    static let payloadSize = 200
}

extension Array where Element: Comparable {
    var median: Element { sorted()[count / 2] }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

/// A number with a few digits.
func short(_ value: Double) -> String {
    String(format: value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
}

/// Prints a line at once, also into a pipe.
func print(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
