import ArgumentParser
import Dispatch
import ExampleSupport
import Foundation
import Freehold

/// Shows the realm live: each commit of another process appears at once.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show counts and the largest packages while another process updates the realm.",
        discussion: """
            Begin it in one terminal, before or after there is a realm, and run 'update --batch \
            1000' in another one. \
            It ends with Ctrl-C. With --json it prints a line for each update, for programs.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var length: LengthOption

    @Option(help: ArgumentHelp("End when there are that many packages.", valueName: "number"))
    var until: Int?

    @MainActor
    func run() async throws {
        let realm = try await IndexRealm.openForUpdate(path: common.realm)
        let dashboard = Dashboard(Questions(realm: realm), length: length.limit)
        let watching = Task { @MainActor in
            var updateCount = 0
            // The first iteration shows the current state. The loop ends when the task is
            // cancelled.
            for await change in realm.objects(Package.self).changes {
                try show(dashboard.state(after: change, number: updateCount))
                updateCount += 1
                if let until, dashboard.packageCount >= until { break }
            }
        }
        let signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { watching.cancel() }
            source.resume()
            return source
        }
        defer { for source in signals { source.cancel() } }
        try await watching.value
    }

    private func show(_ state: DashboardState) throws {
        var text =
            common.json
            ? try state.jsonLine()
            : state.lines(width: Terminal.standardOutputWidth).joined(separator: "\n") + "\n"
        // Overwrites the last state: moves the cursor home and clears the screen below it.
        if !common.json, Terminal.standardOutputWidth != nil { text = "\u{1B}[H\u{1B}[J" + text }
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
