import Foundation
import Freehold

// A realm without encryption is written, read and verified; keys are refused with the remedy.
// Arguments: a directory for files, and an encrypted realm.

final class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var friends: List<Dog>
}

let directory = URL(fileURLWithPath: CommandLine.arguments[1])
let encrypted = URL(fileURLWithPath: CommandLine.arguments[2])
let key = Data(repeating: 7, count: 64)

func expect(_ condition: Bool, _ what: String) {
    if !condition { fatalError(what) }
}

func expectRefused(_ what: String, _ body: () throws -> Void) {
    do {
        try body()
        fatalError("\(what) was not refused")
    } catch let error as Realm.Error where error.code == .encryptionUnavailable {
        let text = "\(error) \(error.recoverySuggestion ?? "")"
        expect(text.contains("trait \"Encryption\""), "\(what) does not name the remedy: \(text)")
    } catch {
        fatalError("\(what): \(error)")
    }
}

let realm = try Realm(
    configuration: .init(
        fileURL: directory.appendingPathComponent("plain.realm"), objectTypes: [Dog.self]))
try realm.write {
    for id in 1...2_000 { realm.add(Dog(value: ["id": id, "name": "dog \(id % 7)"])) }
    realm.object(ofType: Dog.self, forPrimaryKey: 1)?.friends.append(
        objectsIn: realm.objects(Dog.self).where { $0.id > 1_990 })
}
expect(realm.objects(Dog.self).where { $0.name == "dog 3" }.count == 286, "a query")
expect(realm.object(ofType: Dog.self, forPrimaryKey: 1)?.friends.count == 10, "a list")
expect(try realm.check().isEmpty, "check()")

expectRefused("a new file with a key") {
    let file = directory.appendingPathComponent("new.realm")
    _ = try Realm(configuration: .init(fileURL: file, encryptionKey: key, objectTypes: [Dog.self]))
}
expect(
    !FileManager.default.fileExists(atPath: directory.appendingPathComponent("new.realm").path),
    "the new file is there")
expectRefused("an encrypted copy") {
    try realm.writeCopy(toFile: directory.appendingPathComponent("copy.realm"), encryptionKey: key)
}
expect(
    !FileManager.default.fileExists(atPath: directory.appendingPathComponent("copy.realm").path),
    "the copy is there")
expectRefused("an encrypted file") {
    _ = try Realm(
        configuration: .init(fileURL: encrypted, encryptionKey: key, objectTypes: [Dog.self]))
}
do {
    _ = try Realm(configuration: .init(fileURL: encrypted, objectTypes: [Dog.self]))
    fatalError("an encrypted file was opened without a key")
} catch let error as Realm.Error {
    expect(error.code == .invalidDatabase, "an encrypted file without a key: \(error)")
}
print("without encryption: as it should be")
