import ArgumentParser
import Foundation
import FreeholdInspection
import FreeholdStorage

/// Where the key of an encrypted file comes from. Never the command line, which other users of
/// the machine can see.
struct KeyOption: ParsableArguments {
    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "A file with the 64 bytes of the key, of an encrypted realm.", valueName: "path"))
    var path: String?

    @Option(
        name: .customLong("key-descriptor"),
        help: ArgumentHelp(
            "A descriptor that the key is read from: --key-descriptor 3 3<key.", valueName: "number"
        ))
    var descriptor: Int32?

    @Flag(
        name: .customLong("ask-key"),
        help: "Ask for the key, as 128 hexadecimal digits or in Base64; it is not shown.")
    var asks = false

    func validate() throws {
        if [path != nil, descriptor != nil, asks].count(where: \.self) > 1 {
            throw ValidationError(
                "Give one of --key-file, --key-descriptor and --ask-key, not several.")
        }
    }

    func data() throws -> Data? {
        if let path { return try Self.data(at: path) }
        if let descriptor {
            guard let bytes = Terminal.readAll(descriptor, atMost: 4096) else {
                throw ValidationError(
                    "Descriptor \(descriptor) cannot be read. Open it in the shell: 3<key.")
            }
            return try Self.checked(Data(bytes), "Descriptor \(descriptor)")
        }
        return asks ? try Self.ask("Key: ") : nil
    }

    func key() throws -> EncryptionKey? { try data().flatMap { EncryptionKey($0) } }

    static func key(at path: String) throws -> EncryptionKey {
        guard let key = EncryptionKey(try data(at: path)) else {
            preconditionFailure("The length was checked.")
        }
        return key
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

/// The key of a file that is written.
struct NewKeyOption: ParsableArguments {
    @Option(
        name: .customLong("new-key-file"),
        help: ArgumentHelp(
            "A file with the 64 bytes of the key to encrypt the new file with.", valueName: "path"))
    var path: String?

    @Flag(
        name: .customLong("ask-new-key"),
        help: "Ask for the key of the new file; it is not shown.")
    var asks = false

    func validate() throws {
        if path != nil, asks { throw ValidationError("Give --new-key-file or --ask-new-key.") }
    }

    func data() throws -> Data? {
        if let path { return try KeyOption.data(at: path) }
        return asks ? try KeyOption.ask("Key of the new file: ") : nil
    }
}
