import Foundation
import Freehold

/// A class with as many small objects as the data set has rows.
protocol ColdItem: Object {
    init(_ number: Int)
    var value: Int { get }
}

final class ColdNumber: Object, ColdItem {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var value: Int

    convenience init(_ number: Int) {
        self.init()
        id = number
        value = number
    }
}

final class ColdInteger: Object, ColdItem {
    @Persisted(primaryKey: true) var id: Int?
    @Persisted var value: Int

    convenience init(_ number: Int) {
        self.init()
        id = number
        value = number
    }
}

final class ColdText: Object, ColdItem {
    @Persisted(primaryKey: true) var id: String
    @Persisted var value: Int

    convenience init(_ number: Int) {
        self.init()
        id = "key \(number)"
        value = number
    }
}

/// The works about files of which no page is in memory.
///
/// The file was closed after its last commit. The pages that are in memory after the read were
/// read for it, through the file's map or otherwise.
extension FreeholdEngine {
    func coldOpenRead<Item: ColdItem, Key>(_ type: Item.Type, key: (Int) -> Key) throws -> Sample {
        let folder = directory.appendingPathComponent("cold-\(type)")
        let file = Self.file(in: folder)
        if !FileManager.default.fileExists(atPath: file.path) {
            try StoreFiles.makeEmptyFolder(folder)
            try fill(file, type)
        }
        let number = dataset.rows.count / 3 * 2
        return try PagesInMemory.withoutReadingAhead {
            try PagesInMemory.drop(file)
            let realm = try Self.open(file, type)
            guard let item = realm.object(ofType: type, forPrimaryKey: key(number)) else {
                preconditionFailure("The file has object \(number).")
            }
            let value = item.value
            return Sample(value: Double(try PagesInMemory.count(of: file)), answer: value)
        }
    }

    private func fill(_ file: URL, _ type: (some ColdItem).Type) throws {
        let realm = try Self.open(file, type)
        let batch = 1_000_000
        for start in stride(from: 0, to: dataset.rows.count, by: batch) {
            try realm.write {
                for number in start..<min(start + batch, dataset.rows.count) {
                    realm.add(type.init(number))
                }
            }
        }
    }

    private static func open(_ file: URL, _ type: (some ColdItem).Type) throws -> Realm {
        try Realm(configuration: Realm.Configuration(fileURL: file, objectTypes: [type]))
    }
}
