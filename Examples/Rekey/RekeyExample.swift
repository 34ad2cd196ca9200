import Foundation
import Freehold

final class Secret: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var text = ""
}

/// Encrypts a plain realm, and gives an encrypted one a new key in two ways.
@main
struct RekeyExample {
    let directory: URL
    var file: URL { directory.appendingPathComponent("secrets.realm") }

    static func main() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "freehold-rekey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try RekeyExample(directory: directory).run()
    }

    func run() throws {
        let plain = configuration(key: nil)
        try write("Rosebud", plain)
        print("plain: the file \(try contains("Rosebud") ? "shows" : "hides") the text")

        let first = randomKey()
        try replaceFile(plain, copy: .key(first))
        print("encrypted: the file \(try contains("Rosebud") ? "shows" : "hides") the text")
        try show(first, "the key")
        try show(randomKey(), "another key")

        // Takes the same time for a file of any size. Use it for routine rotation: the old key with
        // an old copy of the file can still read later states.
        let second = randomKey()
        try Realm.changeEncryptionKey(of: configuration(key: first), to: second)
        try show(first, "the old key")
        try show(second, "the new key")

        // Writes the whole file. Needed if an attacker has the old key.
        let third = randomKey()
        try replaceFile(configuration(key: second), copy: .key(third))
        try show(second, "the key before the copy")
        try show(third, "the key of the copy")
        let problems = try Realm(configuration: configuration(key: third)).check()
        print(problems.isEmpty ? "the file is sound" : "the file has problems: \(problems)")
    }

    private func configuration(key: Data?) -> Realm.Configuration {
        Realm.Configuration(fileURL: file, encryptionKey: key, objectTypes: [Secret.self])
    }

    /// A real program keeps its key in a secret store, never beside the file.
    private func randomKey() -> Data { Data((0..<64).map { _ in UInt8.random(in: .min ... .max) }) }

    private func write(_ text: String, _ configuration: Realm.Configuration) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Secret(value: ["name": "sledge", "text": text])) }
    }

    /// Replaces the file with a copy. No process may have the file open: `deleteFiles` throws if
    /// one has.
    private func replaceFile(
        _ configuration: Realm.Configuration, copy encryption: Realm.CopyEncryption
    ) throws {
        let copy = directory.appendingPathComponent("copy.realm")
        try Realm(configuration: configuration).writeCopy(toFile: copy, encryption: encryption)
        _ = try Realm.deleteFiles(for: configuration)
        try FileManager.default.moveItem(at: copy, to: file)
    }

    private func contains(_ text: String) throws -> Bool {
        try Data(contentsOf: file).range(of: Data(text.utf8)) != nil
    }

    private func show(_ key: Data, _ name: String) throws {
        do {
            let realm = try Realm(configuration: configuration(key: key))
            print("\(name): \(realm.objects(Secret.self).first?.text ?? "nothing")")
        } catch let error as Realm.Error where error.code == .invalidDatabase {
            print("\(name): refused")
        }
    }
}
