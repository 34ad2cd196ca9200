import ArgumentParser
import Foundation
import FreeholdPostgres
import FreeholdSharing

/// Realms that machines share.
struct ShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Looks after realms that machines share through a PostgreSQL server.",
        discussion: """
            Examples:
              freehold share init postgresql://owner@db.example.com/app orders
              freehold share status postgresql://app@db.example.com/app
              freehold share status orders.realm
              freehold share log postgresql://app@db.example.com/app orders --last 20
              freehold share seed postgresql://app@db.example.com/app orders
              freehold share rotate-epoch postgresql://app@db.example.com/app orders

            A password is best kept in the file that PGPASSFILE names (~/.pgpass), so that no list \
            of processes shows it.
            """,
        subcommands: [
            ShareInitCommand.self, ShareStatusCommand.self, ShareLogCommand.self,
            ShareSeedCommand.self, ShareRotateEpochCommand.self,
        ])
}

/// The server, and where its tables are.
struct ServerArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The server: postgresql://user@host:5432/database, as libpq takes it.",
            valueName: "url"))
    var url: String

    @OptionGroup var tables: SchemaOption

    var upstream: PostgresUpstream { tables.upstream(url) }
}

struct SchemaOption: ParsableArguments {
    @Option(help: ArgumentHelp("The schema of the tables in the database.", valueName: "name"))
    var schema = "freehold"

    func upstream(_ url: String) -> PostgresUpstream { PostgresUpstream(url, schema: schema) }
}

/// Runs an asynchronous function from the main thread, and waits for it.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value
{
    let outcome = Outcome<Value>()
    Task.detached {
        do { outcome.end(.success(try await body())) } catch { outcome.end(.failure(error)) }
    }
    return try outcome.wait()
}

/// `@unchecked Sendable`: the result is set before the signal, and read after it.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
    private let signal = DispatchSemaphore(value: 0)
    private var result: Result<Value, any Error>?

    func end(_ result: Result<Value, any Error>) {
        self.result = result
        signal.signal()
    }

    func wait() throws -> Value {
        signal.wait()
        guard let result else { preconditionFailure("The signal follows the result.") }
        return try result.get()
    }
}
