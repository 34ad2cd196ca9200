import ArgumentParser
import Foundation
import FreeholdInspection
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

            Example:
              freehold rekey secret.realm --key-file old --new-key-file new

            Exits with 0 if the key was changed, with 2 if not.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @OptionGroup var key: KeyOption
    @OptionGroup var newKey: NewKeyOption
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if !key.isGiven {
            throw ValidationError(
                "Give the key that opens the file now: --key-file, --key-descriptor or --ask-key.")
        }
        if !newKey.isGiven {
            throw ValidationError(
                "Give the new key: --new-key-file, --new-key-descriptor or --ask-new-key.")
        }
    }

    private struct Report: Encodable {
        var file: String
        var isChanged: Bool
    }

    func run() throws {
        try InspectedFile.checkExists(path)
        var options = Store.Options(path: path)
        options.encryptionKey = try key.key()
        // A missing file is not created.
        options.minimumVersion = 1
        guard let newKey = try newKey.data().flatMap({ EncryptionKey($0) }) else {
            preconditionFailure("The option is there, and its length was checked.")
        }
        try Store.open(options).changeEncryptionKey(to: newKey)
        let output = Output(self.options)
        if self.options.json {
            try output.json(Report(file: path, isChanged: true))
        } else {
            try output.line("\(path): the key was changed")
        }
        try output.finish()
    }
}
