import Foundation
import Freehold

/// Encrypted files, and scans of files that were just opened.
extension FreeholdEngine {
    static let encryptionKey = Data((0..<64).map { UInt8($0) })

    private var encryptedFolder: URL { directory.appendingPathComponent("encrypted") }

    func encryptedBase() throws -> Realm {
        if let encrypted { return encrypted }
        try StoreFiles.makeEmptyFolder(encryptedFolder)
        let realm = try Self.open(Self.file(in: encryptedFolder), key: Self.encryptionKey)
        try Self.insert(dataset.rows, realm)
        encrypted = realm
        return realm
    }

    /// A copy is opened, so that nothing of it is decrypted or resolved. The system has it in
    /// its cache.
    func coldScan(key: Data?) throws -> Sample {
        let source = key == nil ? baseFolder : encryptedFolder
        if key != nil { _ = try encryptedBase() }
        return try StoreFiles.withScratchFolder(in: directory) { folder in
            let file = Self.file(in: folder)
            try StoreFiles.copy(Self.file(in: source), to: file)
            let realm = try Self.open(file, key: key)
            var count = 0
            let value = nanoseconds(per: dataset.rows.count) {
                count = realm.objects(Person.self).where { $0.age > 50 }.count
            }
            return Sample(value: value, answer: count)
        }
    }
}
