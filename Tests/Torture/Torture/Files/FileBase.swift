import Foundation
import Freehold
import FreeholdStorage
import FreeholdWorkload

/// A sound file that is damaged again and again, and what it holds.
struct FileBase {
    let name: String
    let bytes: [UInt8]
    /// The file as it was some versions before.
    let older: [UInt8]
    let control: [UInt8]
    /// What is in it; and what was before its last commit, which a file may go back to whose
    /// newest meta page is gone.
    let contents: [FileContents]

    var isEncrypted: Bool { name.hasPrefix("encrypted") }
    /// Of `EveryType`, to be opened as a realm.
    var isEveryType: Bool { !name.hasPrefix("golden") }
    var isTiny: Bool { name.hasPrefix("tiny") }

    static let key = Data((0..<64).map { UInt8($0) &* 3 &+ 1 })

    /// - Parameter forReader: Whether the file has the classes of the reader, too.
    static func configuration(_ path: String, isEncrypted: Bool, forReader: Bool)
        -> Realm.Configuration
    {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), encryptionKey: isEncrypted ? key : nil,
            objectTypes: EveryType.objectTypes + (forReader ? Everything.objectTypes : []))
        configuration.durability = .none
        return configuration
    }

    static func options(_ path: String, isEncrypted: Bool, isTiny: Bool) -> Store.Options {
        var options = Store.Options(path: path, hooks: isTiny ? .tiny : .current)
        options.durability = .none
        options.encryptionKey = isEncrypted ? EncryptionKey(key) : nil
        return options
    }

    // MARK: Making

    /// Makes all bases in a directory that has none yet.
    ///
    /// - Parameter forReader: Smaller ones, with the classes of the reader, too, and no golden
    ///   files, which lack these.
    static func make(in directory: URL, forReader: Bool) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (name, count) in [
            ("plain", 40), ("small", 6), ("tiny", 16), ("encrypted", 14), ("encrypted-small", 5),
        ] {
            try make(
                name, forReader ? (count + 1) / 2 + 2 : count, in: directory, forReader: forReader)
        }
        if forReader { return }
        let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Golden/draft-11").standardizedFileURL
        // Not the encrypted one, which has a key of its own: those above stand for it.
        for file in try FileManager.default.contentsOfDirectory(
            at: golden, includingPropertiesForKeys: nil)
        where file.pathExtension == "gz" && file.lastPathComponent.hasPrefix("version") {
            let made = directory.appendingPathComponent(
                "golden-" + file.deletingPathExtension().lastPathComponent)
            _ = FileManager.default.createFile(atPath: made.path, contents: nil)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["gunzip", "-c", file.path]
            process.standardOutput = try FileHandle(forWritingTo: made)
            try process.run()
            process.waitUntilExit()
            // Opened and closed, it has a control file.
            _ = try Store.open(options(made.path, isEncrypted: false, isTiny: false))
            try FileManager.default.copyItem(atPath: made.path, toPath: made.path + ".older")
        }
    }

    private static func make(_ name: String, _ count: Int, in directory: URL, forReader: Bool)
        throws
    {
        let path = directory.appendingPathComponent(name + ".realm").path
        func change(_ body: (Realm) throws -> Void) throws {
            let store = try Store.open(
                options(path, isEncrypted: name.hasPrefix("encrypted"), isTiny: name == "tiny"))
            let realm = try Realm(
                configuration: configuration(
                    path, isEncrypted: name.hasPrefix("encrypted"), forReader: forReader))
            // A realm that was kept open may show the version before.
            realm.refresh()
            try body(realm)
            withExtendedLifetime(store) {}
        }
        try change { realm in
            for first in stride(from: 0, to: count, by: 10) {
                try realm.write { EveryType.fill(realm, first..<min(first + 10, count)) }
            }
            if forReader { try realm.write { Everything.fill(realm, 0..<max(count / 8, 2)) } }
            try realm.write {
                if forReader { Everything.fill(realm, 0..<1, salt: 3) }
                realm.delete(
                    realm.objects(EveryType.Thing.self).where { $0.id > count / 2 && $0.int == 3 })
                EveryType.fill(realm, 0..<count / 3, salt: 5)
            }
        }
        try FileManager.default.copyItem(atPath: path, toPath: path + ".older")
        try change { realm in
            try realm.write {
                realm.delete(Array(realm.objects(EveryType.Thing.self)).filter { $0.id % 10 == 4 })
            }
            try realm.write { EveryType.fill(realm, count / 2..<count / 2 + 3, salt: 9) }
        }
        try FileManager.default.copyItem(atPath: path, toPath: path + ".before")
        try change { realm in try realm.write { EveryType.fill(realm, 1..<3, salt: 11) } }
    }

    /// All bases of a directory, in the order of their names.
    static func all(in directory: URL, scratch: String) throws -> [FileBase] {
        try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "realm" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }.map { file in
                let name = file.deletingPathExtension().lastPathComponent
                var contents: [FileContents] = []
                for suffix in ["", ".before"]
                where FileManager.default.fileExists(atPath: file.path + suffix) {
                    try? FileManager.default.removeItem(atPath: scratch)
                    try FileManager.default.copyItem(atPath: file.path + suffix, toPath: scratch)
                    let store = try Store.open(
                        options(
                            scratch, isEncrypted: name.hasPrefix("encrypted"),
                            isTiny: name == "tiny"))
                    contents.append(FileContents(try store.newestSnapshot()))
                }
                for suffix in ["", "-lock", ".control"] {
                    try? FileManager.default.removeItem(atPath: scratch + suffix)
                }
                return FileBase(
                    name: name, bytes: Array(try Data(contentsOf: file)),
                    older: Array(try Data(contentsOf: URL(fileURLWithPath: file.path + ".older"))),
                    control: Array(
                        try Data(contentsOf: URL(fileURLWithPath: file.path + ".control"))),
                    contents: contents)
            }
    }
}

/// Each row of each table, as a hash of all that it has.
struct FileContents: Equatable {
    private(set) var rows: [String: [Int64: UInt64]] = [:]

    /// Reads everything.
    init(_ snapshot: Snapshot) {
        for definition in snapshot.catalog.tables {
            let table = snapshot.table(definition.id)
            var found: [Int64: UInt64] = [:]
            for index in 0..<table.clusterCount {
                let cluster = table.cluster(at: index)
                for row in 0..<cluster.count {
                    var hash: UInt64 = 1
                    for column in definition.columns {
                        hash = Self.hash(column, table, cluster, row, hash)
                    }
                    found[cluster.key(at: row).rawValue] = hash
                }
            }
            rows[definition.name] = found
        }
    }

    private static func hash(
        _ column: ColumnDefinition, _ table: TableView, _ cluster: ClusterView, _ row: Int,
        _ before: UInt64
    ) -> UInt64 {
        if column.collection != nil {
            var hash = before &+ 1
            let elements = table.collection(of: column.id, cluster, row: row)
            elements.forEachLeaf { leaf in
                for element in 0..<leaf.count {
                    hash = Self.hash(leaf.values, element, elements.kind.type, hash)
                    if elements.kind.shape == .map {
                        hash = Self.hash(leaf.keys, element, .text, hash)
                    }
                }
                return true
            }
            return hash
        }
        if cluster.columns[column.id.position].isBlob(at: row) {
            return table.withBytes(cluster, column.id, row) { Checksum.xxh64($0, seed: before) }
        }
        return hash(cluster.columns[column.id.position], row, column.type, before)
    }

    private static func hash(_ view: ColumnView, _ row: Int, _ type: ColumnType, _ before: UInt64)
        -> UInt64
    {
        func hash<Value>(_ value: Value) -> UInt64 {
            withUnsafeBytes(of: value) { Checksum.xxh64($0, seed: before) }
        }
        if view.isNull(at: row) { return hash(UInt8(0)) }
        switch type {
        case .integer, .link: return hash(view.integer(at: row))
        case .boolean: return hash(view.boolean(at: row))
        case .float: return hash(view.float(at: row))
        case .double, .timestamp: return hash(view.double(at: row))
        case .fixed12:
            let (first, second) = view.fixed12(at: row)
            return hash((first, UInt64(second)))
        case .fixed16, .decimal: return hash(view.fixed16(at: row))
        case .text, .bytes, .mixed: return Checksum.xxh64(view.heapBytes(at: row), seed: before)
        }
    }
}
