import ArgumentParser
import Foundation
import Freehold

/// An address book in the terminal, with a form whose edits are a draft.
@main
struct EditorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Editor", abstract: "Keeps an address book; type 'help' in it.")

    @Option(help: ArgumentHelp("The file the people are in.", valueName: "path"))
    var realm = "people.realm"

    @MainActor func run() async throws {
        let configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: realm), objectTypes: [Person.self, Address.self])
        try AddressBook(configuration).run()
    }
}
