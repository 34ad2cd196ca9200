import ArgumentParser
import Foundation
import FreeholdStorage

struct KeyOption: ParsableArguments {
    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "A file with the 64 bytes of the key, of an encrypted realm.", valueName: "path"))
    var path: String?

    func key() throws -> EncryptionKey? { try path.map { try Self.key(at: $0) } }

    static func key(at path: String) throws -> EncryptionKey {
        guard let key = EncryptionKey(try Data(contentsOf: URL(fileURLWithPath: path))) else {
            throw ValidationError(
                "\(path) does not have \(EncryptionKey.byteCount) bytes, so it is no key.")
        }
        return key
    }
}

/// Prints to the standard error.
func printError(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

/// A line on a terminal that is overwritten again and again; prints nothing if the standard error
/// is not a terminal.
struct ProgressLine {
    private let isTerminal = SystemProcess.hasTerminal
    private var last = ContinuousClock.now

    mutating func show(_ text: @autoclosure () -> String) {
        guard isTerminal, ContinuousClock.now - last > .milliseconds(200) else { return }
        last = .now
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text())".utf8))
    }

    func clear() {
        if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}

func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// "1,204 objects"
func counted(_ count: Int, _ noun: String) -> String {
    "\(count.formatted(.number.locale(Locale(identifier: "en")))) \(noun)\(count == 1 ? "" : "s")"
}
