import ArgumentParser
import Foundation
import FreeholdInspection
import FreeholdStudio

struct StudioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio", abstract: "Shows files in the browser, live.",
        discussion: """
            Serves a page on this computer, prints its address and opens it: the classes and \
            their objects, queries with their plans, the schema as a diagram, the changes of all \
            processes as they come, versions, space and checks. The files may be in use.

            Nothing is written unless it is started with --write. Edits are then kept as a draft, \
            reviewed, and saved in one transaction.

            The page is for this user of this computer: the address has a random token, and \
            nothing is answered without it. The key of an encrypted file stays in this process.

            It ends with Control-C, and with its terminal.

            Examples:
              freehold studio shop.realm
              freehold studio --write shop.realm archive.realm
              freehold studio --ask-key secret.realm
            """)

    @Argument(help: ArgumentHelp("The files of the realms.", valueName: "file"))
    var paths: [String]

    @OptionGroup var key: KeyOption

    @Flag(help: "Allow editing: as a draft, which is saved in one transaction.")
    var write = false

    @Flag(help: "Print the address, and do not open it.")
    var noOpen = false

    @Option(help: ArgumentHelp("The port; a free one without it.", valueName: "number"))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "Where to read the page's files, while the page is being worked on.",
            valueName: "folder", visibility: .hidden))
    var page: String?

    func run() throws {
        var options = Studio.Options(paths: paths)
        options.key = try key.data()
        options.isWritable = write
        options.port = port
        options.pageDirectory = page
        let studio = try Studio(options)
        for (path, reason) in studio.failures { printError("\(path): \(reason)") }
        let address = studio.address
        let opens = !noOpen
        studio.run {
            // At once, even into a pipe.
            let text = "Freehold Studio is at \(address)\nControl-C ends it.\n"
            FileHandle.standardOutput.write(Data(text.utf8))
            if opens { StudioCommand.open(address) }
        }
    }

    /// Opens an address in the browser of the desktop, if there is one.
    private static func open(_ address: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", address]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }
}
