import ArgumentParser
import Foundation
import FreeholdStorage

struct RekeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey", abstract: "Changes the key that an encrypted file is opened with.",
        discussion: """
            Takes one small write transaction, however large the file is. The file may be in use: \
            programs that have it open go on, and need the new key when they open it again. If it \
            is interrupted, one key or the other opens the file.

            The objects stay encrypted with the file's own key, which the given ones only wrap. \
            Who had the old key and a copy of the file can read that copy, and later states of \
            the file. If the old key is in wrong hands, write an encrypted copy with a new key \
            and replace the file by it.

            Exits with 0 if the key was changed, with 2 if not.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "A file with the 64 bytes of the key that opens the realm now.", valueName: "path"))
    var keyPath: String

    @Option(
        name: .customLong("new-key-file"),
        help: ArgumentHelp("A file with the 64 random bytes of the new key.", valueName: "path"))
    var newKeyPath: String

    func run() throws {
        var options = Store.Options(path: path)
        options.encryptionKey = try KeyOption.key(at: keyPath)
        // A missing file is not created.
        options.minimumVersion = 1
        let newKey = try KeyOption.key(at: newKeyPath)
        do throws(StorageError) {
            try Store.open(options).changeEncryptionKey(to: newKey)
        } catch {
            printError("\(error.code): \(error.message)")
            throw ExitCode.failed
        }
        print("\(path): the key was changed")
    }
}
