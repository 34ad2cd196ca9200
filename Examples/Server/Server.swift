import ArgumentParser
import Foundation
import Hummingbird

/// Serves a notebook as JSON from a realm.
@main
struct Server: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract:
            """
            Serves a notebook: GET /notes, GET, PUT and DELETE /notes/ID, and GET \
            /changes, a stream of events.
            """
    )

    @Option(help: "The realm.") var realm = "notebook.realm"
    @Option(help: "The port on this machine; 0 for any that is free.") var port = 8080

    func run() async throws {
        let notebook = try await Notebook(URL(fileURLWithPath: realm))
        let server = Application(
            router: routes(of: notebook),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                say("Listening on port \(channel.localAddress?.port ?? 0)")
            })
        // Returns after SIGTERM or SIGINT, when the requests in flight have been answered.
        try await server.runService()
        let problems = try await notebook.check()
        say(problems.isEmpty ? "The file is sound." : "The file has problems: \(problems)")
    }
}

/// Prints a line without buffering, even if the output is not a terminal.
private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
