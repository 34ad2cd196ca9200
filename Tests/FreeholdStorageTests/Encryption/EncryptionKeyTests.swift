import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Changing the key of a file, and what a key is good for.
@Suite struct EncryptionKeyTests {
    private static let keys = (0..<4).map { seed in
        EncryptionKey((0..<64).map { UInt8($0) ^ UInt8(seed) })!
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func options(_ name: String = "file", _ key: EncryptionKey? = keys[0])
        -> Environment.Options
    {
        Environment.Options(directory.file(name)) { $0.encryptionKey = key }
    }

    private func change(_ environment: Environment, to key: EncryptionKey) throws {
        try environment.changeEncryptionKey(try environment.writer.begin(), to: key)
    }

    private func code(_ key: EncryptionKey?, _ name: String = "file") -> StorageError.Code? {
        storageCode { try Environment.open(options(name, key)) }
    }

    @Test func theNewKeyOpensTheFileAndTheOldOneDoesNot() throws {
        do {
            let environment = try Environment.open(options())
            try environment.put("k", String(repeating: "value ", count: 5_000))
            let old = try environment.read()
            try change(environment, to: Self.keys[1])
            // What is open goes on; who opens it needs the new key.
            #expect(try old.text("k")?.count == 30_000)
            #expect(try environment.put("l", "written").text("k")?.count == 30_000)
            #expect(code(Self.keys[0]) == nil)
            #expect(code(Self.keys[1]) == nil)
            #expect(code(Self.keys[3]) == .alreadyOpen)
            try change(environment, to: Self.keys[2])
            #expect(try environment.read().encryptionProblems() == [])
        }
        #expect(code(Self.keys[0]) == .encryptionKeyWrong)
        #expect(code(Self.keys[1]) == .encryptionKeyWrong)
        let environment = try Environment.open(options("file", Self.keys[2]))
        #expect(try environment.read().text("l") == "written")
        #expect(try environment.read().text("k")?.count == 30_000)
        #expect(try environment.read().encryptionProblems() == [])
    }

    /// A program may have configured realms with a key between two changes, and opened none yet.
    @Test func aKeyThatTheProcessSetOpensTheFileUntilItIsClosed() throws {
        let environment = try Environment.open(options())
        try change(environment, to: Self.keys[1])
        try change(environment, to: Self.keys[2])
        #expect(code(Self.keys[1]) == nil)
        #expect(code(Self.keys[3]) == .alreadyOpen)
    }

    /// A change of the key writes the format record, the roots, and what any commit does.
    @Test func changingTheKeyWritesNoData() throws {
        let environment = try Environment.open(options())
        try environment.writer.begin().commit { transaction in
            for index in 0..<2_000 {
                try transaction.put("\(index)", String(repeating: "value ", count: 200))
            }
        }
        let copy = directory.file("before")
        try FileManager.default.copyItem(atPath: environment.path, toPath: copy)
        try change(environment, to: Self.keys[1])
        let after = directory.file("after")
        try FileManager.default.copyItem(atPath: environment.path, toPath: after)
        for name in ["directory", "clusters", "indexes", "blobs", "elements"] {
            #expect(
                try RawLMDB.entries(copy, name).map(\.value)
                    == RawLMDB.entries(after, name).map(\.value))
        }
        #expect(try environment.read().version == 3)
    }

    @Test func compactingKeepsTheKeyAndTheIdentifier() throws {
        let identifier: UniqueIdentifier
        do {
            let environment = try Environment.open(options())
            try environment.put("k", "value")
            try change(environment, to: Self.keys[1])
            identifier = environment.uuid
            try environment.compact(try environment.writer.begin())
            #expect(code(Self.keys[1]) == nil && code(Self.keys[3]) == .alreadyOpen)
            try change(environment, to: Self.keys[2])
            try environment.put("l", "value")
        }
        #expect(code(Self.keys[1]) == .encryptionKeyWrong)
        let environment = try Environment.open(options("file", Self.keys[2]))
        #expect(environment.uuid == identifier)
        #expect(
            try environment.read().text("k") == "value" && environment.read().text("l") == "value")
        #expect(try environment.read().encryptionProblems() == [])
    }

    @Test func aPlainFileHasNoKeyToChange() throws {
        let environment = try Environment.open(options("plain", nil))
        try environment.put("k", "value")
        #expect(storageCode { try change(environment, to: Self.keys[1]) } == .notEncrypted)
        // The grant was returned.
        #expect(try environment.put("k", "other").text("k") == "other")
    }

    /// A commit that is not whole leaves the old key.
    @Test func aChangeThatIsLostLeavesTheOldKey() throws {
        do { try Environment.open(options()).put("k", "value") }
        let metaPages = try Data(contentsOf: URL(fileURLWithPath: directory.file("file")))[
            ..<(2 * pageSizeOfNewFiles)]
        do { try change(try Environment.open(options()), to: Self.keys[1]) }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.file("file")))
        try handle.write(contentsOf: metaPages)
        try handle.close()
        #expect(code(Self.keys[1]) == .encryptionKeyWrong)
        #expect(try Environment.open(options()).read().text("k") == "value")
    }

    @Test func salvageWithAKeyTakesNoPlainData() throws {
        var plain = Store.Options(path: directory.file("plain"))
        plain.encryptionKey = nil
        do {
            let store = try Store.open(plain)
            try write(store) { writeSet in
                let table = writeSet.createTable(named: "Table")
                let column = writeSet.addColumn(
                    to: table, named: "text", type: .text, isNullable: false, isIndexed: false)
                Array("the attacker's".utf8).withUnsafeBytes {
                    writeSet.mutableTable(table).insertRow(RowKey(rawValue: 0)).setBytes(column, $0)
                }
            }
        }
        let record = try #require(
            try RawLMDB.entries(plain.path, "meta").first { $0.key == Array("format".utf8) })
        for change in 0..<3 {
            var value: [UInt8]? = record.value
            if change == 0 { value?[0] ^= 1 }
            if change == 1 { value?[33] ^= 1 }
            if change == 2 { value = nil }
            try RawLMDB.set(plain.path, "meta", record.key, value)
            // Not even by an older page.
            let bytes = try Data(contentsOf: URL(fileURLWithPath: plain.path))
            let damaged = directory.file("damaged\(change)")
            try bytes.write(to: URL(fileURLWithPath: damaged))
            let code = storageCode {
                try Salvage.run(from: damaged, to: directory.file("saved"), key: Self.keys[0])
            }
            #expect(code == .corrupted || code == .notEncrypted, "\(change)")
            #expect(!FileManager.default.fileExists(atPath: directory.file("saved")))
            try RawLMDB.set(plain.path, "meta", record.key, record.value)
        }
        // Without a key it is a plain file whose record is lost.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: plain.path))
        let magic = Data("FREEHOLD".utf8)
        while let range = bytes.range(of: magic) { bytes[range.lowerBound] = 0 }
        try bytes.write(to: URL(fileURLWithPath: directory.file("lost")))
        #expect(
            try Salvage.run(from: directory.file("lost"), to: directory.file("saved"), key: nil)
                .tables.first?.rowCount == 1)
        #expect(
            storageCode {
                try Salvage.run(
                    from: directory.file("lost"), to: directory.file("other"), key: Self.keys[0])
            } == .corrupted)
    }

    /// Nothing of the data is in the file that a copy or a compaction writes, at any moment.
    @Test func temporaryFilesHaveNoData() throws {
        let environment = try Environment.open(options())
        let marker = "marker-of-text"
        try environment.writer.begin().commit { transaction in
            for index in 0..<300 {
                try transaction.put(
                    "\(marker) \(index)", String(repeating: "\(marker) ", count: index))
            }
        }
        var scanned: Set<String> = []
        func scan() throws {
            for name in directory.names {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.file(name)))
                #expect(bytes.range(of: Data(marker.utf8)) == nil, "\(name)")
                if bytes.count > 100_000 { scanned.insert(name) }
            }
        }
        try Environment.copy(try environment.read(), to: directory.file("copy"), key: Self.keys[1])
        { transaction throws(StorageError) in
            do {
                try transaction.put("other", String(repeating: marker, count: 1_000))
                try scan()
            } catch {
                throw error as? StorageError ?? StorageError(.corrupted, "\(error)", path: "")
            }
        }
        try scan()
        // A commit that ends before its meta page is written.
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try environment.writer.begin().commit { transaction in
                try transaction.put("other", String(repeating: marker, count: 100_000))
                try scan()
                throw Stop()
            }
        }
        try scan()
        #expect(scanned == ["file", "copy", "copy.copying"])
    }
}

/// Which file a program means, and how old it may be.
@Suite struct ExpectedFileTests {
    private static let key = EncryptionKey((0..<64).map { UInt8($0) })

    @Test(arguments: [false, true]) func otherFilesAndOlderStatesAreRefused(isEncrypted: Bool)
        throws
    {
        let directory = try TemporaryDirectory()
        func options(_ name: String, _ configure: (inout Environment.Options) -> Void = { _ in })
            -> Environment.Options
        {
            var options = Environment.Options(directory.file(name)) {
                $0.encryptionKey = isEncrypted ? Self.key : nil
            }
            configure(&options)
            return options
        }
        // Nothing is made in the place of a file that is missing.
        #expect(
            storageCode { try Environment.open(options("file") { $0.minimumVersion = 1 }) }
                == .fileNotFound)
        #expect(
            storageCode {
                try Environment.open(options("file") { $0.expectedIdentifier = .random() })
            } == .fileNotFound)
        #expect(!FileManager.default.fileExists(atPath: directory.file("file")))
        let (identifier, version): (UniqueIdentifier, UInt64)
        do {
            let environment = try Environment.open(options("file"))
            try environment.put("k", "old")
            try FileManager.default.copyItem(
                atPath: environment.path, toPath: directory.file("older"))
            (identifier, version) = (environment.uuid, try environment.put("k", "new").version)
        }
        do { try Environment.open(options("other")).put("k", "other") }
        let expected = { (options: inout Environment.Options) in
            (options.expectedIdentifier, options.minimumVersion) = (identifier, version)
        }
        #expect(try Environment.open(options("file", expected)).read().text("k") == "new")
        #expect(storageCode { try Environment.open(options("older", expected)) } == .olderVersion)
        #expect(storageCode { try Environment.open(options("other", expected)) } == .otherFile)
        // Where it is open already, too.
        let open = try Environment.open(options("other"))
        #expect(storageCode { try Environment.open(options("other", expected)) } == .otherFile)
        withExtendedLifetime(open) {}
        if isEncrypted {
            // Another version's number does not make it newer.
            try RawLMDB.set(
                directory.file("older"), nil, Array("version".utf8),
                withUnsafeBytes(of: version.littleEndian) { Array($0) })
            #expect(storageCode { try Environment.open(options("older", expected)) } == .corrupted)
        }
    }
}
