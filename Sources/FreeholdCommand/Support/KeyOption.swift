import ArgumentParser
import Foundation
import FreeholdInspection
import FreeholdStorage

/// What the options for a key are called.
protocol KeyNames {
    /// Stands behind `--` and before `key-file` and so on.
    static var prefix: String { get }
    /// Whose key it is, in sentences.
    static var owner: String { get }
}

/// The key that opens the file.
enum OpeningKey: KeyNames {
    static let prefix = ""
    static let owner = "the file"
}

/// The key of the file that is written, or of the second one.
enum OtherKey: KeyNames {
    static let prefix = "new-"
    static let owner = "the new file"
}

typealias KeyOption = KeyOptions<OpeningKey>
typealias NewKeyOption = KeyOptions<OtherKey>

/// Where the key of an encrypted file comes from. Never the command line, which other users of
/// the machine can see.
struct KeyOptions<Names: KeyNames>: ParsableArguments {
    @Option(
        name: .customLong("\(Names.prefix)key-file"),
        help: ArgumentHelp(
            "A file with the 64 bytes of the key of \(Names.owner).", valueName: "path"))
    var path: String?

    @Option(
        name: .customLong("\(Names.prefix)key-descriptor"),
        help: ArgumentHelp(
            """
            A descriptor that the key of \(Names.owner) is read from: \
            --\(Names.prefix)key-descriptor 3 3<key.
            """, valueName: "number"))
    var descriptor: Int32?

    @Flag(
        name: .customLong(Names.prefix.isEmpty ? "ask-key" : "ask-\(Names.prefix)key"),
        help: ArgumentHelp(
            """
            Ask for the key of \(Names.owner), as 128 hexadecimal digits or in Base64; it is not \
            shown.
            """))
    var asks = false

    var isGiven: Bool { path != nil || descriptor != nil || asks }

    func validate() throws {
        if [path != nil, descriptor != nil, asks].count(where: \.self) > 1 {
            throw ValidationError(
                """
                Give one of --\(Names.prefix)key-file, --\(Names.prefix)key-descriptor and \
                --ask-\(Names.prefix)key, not several.
                """)
        }
    }

    func data() throws -> Data? {
        if let path { return try KeyReader.data(at: path) }
        if let descriptor { return try KeyReader.data(from: descriptor) }
        return asks ? try KeyReader.ask("Key of \(Names.owner): ") : nil
    }

    func key() throws -> EncryptionKey? { try data().flatMap { EncryptionKey($0) } }
}

/// Reads keys.
enum KeyReader {
    static func data(from descriptor: Int32) throws -> Data {
        guard let bytes = Terminal.readAll(descriptor, atMost: 4096) else {
            throw ValidationError(
                "Descriptor \(descriptor) cannot be read. Open it in the shell: 3<key.")
        }
        return try checked(Data(bytes), "Descriptor \(descriptor)")
    }

    static func data(at path: String) throws -> Data {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw InspectionError(
                "The key file \"\(path)\" cannot be read: \(error.localizedDescription)")
        }
        return try checked(bytes, path)
    }

    private static func checked(_ bytes: Data, _ place: String) throws -> Data {
        if bytes.count == EncryptionKey.byteCount { return bytes }
        throw ValidationError(
            "\(place) does not have \(EncryptionKey.byteCount) bytes, so it is no key.")
    }

    /// Asks on the terminal of the process.
    static func ask(_ prompt: String) throws -> Data {
        guard let line = Terminal.ask(prompt, isHidden: true) else {
            throw InspectionError(
                "There is no terminal to ask for the key on.",
                remedy: "Give it with --key-file or --key-descriptor.")
        }
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        if text.utf8.count == 2 * EncryptionKey.byteCount, let key = bytes(hexadecimal: text) {
            return key
        }
        if let key = Data(base64Encoded: text), key.count == EncryptionKey.byteCount { return key }
        throw InspectionError(
            "That is no key.",
            remedy: """
                A key is \(EncryptionKey.byteCount) bytes: type \(2 * EncryptionKey.byteCount) \
                hexadecimal digits, or Base64.
                """)
    }

    private static func bytes(hexadecimal text: String) -> Data? {
        var data = Data()
        var digits = text[...]
        while !digits.isEmpty {
            guard let byte = UInt8(digits.prefix(2), radix: 16) else { return nil }
            data.append(byte)
            digits = digits.dropFirst(2)
        }
        return data
    }
}
