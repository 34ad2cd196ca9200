import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Records and roots of other histories of a file, in the place of its own. Judged by what is
/// read, not by `check()`.
@Suite struct EncryptedHistoryTests {
    private static let key = EncryptionKey((0..<64).map { UInt8($0) })
    private static let names = ["meta", "directory", "clusters", "indexes", "blobs", "elements"]
    private static let databases: [Database] = [.clusters, .indexes, .blobs]

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func options(_ name: String) -> Environment.Options {
        Environment.Options(
            directory.file(name), hooks: TestHooks { $0.layout.encryptedNodeCapacity = 600 }
        ) {
            $0.encryptionKey = Self.key
        }
    }

    private func copyFile(_ name: String, to copy: String) throws {
        for suffix in ["", "-lock", ".control"] {
            try? FileManager.default.removeItem(atPath: directory.file(copy + suffix))
        }
        try FileManager.default.copyItem(atPath: directory.file(name), toPath: directory.file(copy))
    }

    private static func write(_ environment: Environment, _ text: String) throws {
        try environment.writer.begin().commit { transaction in
            for index in 0..<60 {
                // Values in nodes and of their own.
                for database in databases {
                    try transaction.put(
                        "\(index)",
                        "\(text) \(index)" + String(repeating: ".", count: index % 3 * 200),
                        in: database)
                }
            }
        }
    }

    /// What reads answer: the text that all values have, the errors, or what else there is.
    private func answers(_ options: Environment.Options) throws -> Set<String> {
        var answers: Set<String> = []
        do throws(StorageError) {
            let view = try Environment.open(options).read()
            for database in Self.databases {
                for index in 0..<60 { answers.insert(Self.answer("\(index)", view, database)) }
                do {
                    let count = try view.entries(database).count
                    if count != 60 { answers.insert("\(count) entries") }
                } catch { answers.insert("refused") }
            }
        } catch {
            #expect(error.code == .corrupted)
            answers.insert("refused")
        }
        return answers
    }

    private static func answer(_ key: String, _ view: ReadTransaction, _ database: Database)
        -> String
    {
        do {
            return try view.text(key, in: database).map {
                $0.split(separator: " ").first.map(String.init) ?? "empty"
            } ?? "missing"
        } catch {
            return (error as? StorageError)?.code == .corrupted ? "refused" : "\(error)"
        }
    }

    /// Puts each record of another file into this one, alone, then each whole database, then
    /// the roots.
    private func expectNoMixture(
        _ options: Environment.Options, of own: String, with other: Environment.Options
    ) throws {
        var tried = 0
        func expectOwn(_ what: String) throws {
            tried += 1
            let answers = try answers(options).subtracting([own, "refused"])
            #expect(answers.isEmpty, "\(what): \(answers)")
        }
        for name in Self.names {
            let (mine, theirs) = (
                try RawLMDB.entries(options.path, name), try RawLMDB.entries(other.path, name)
            )
            let different = theirs.filter { entry in
                entry.key.count == 8 && !mine.contains { $0 == entry }
            }
            for record in different.prefix(12) {
                let before = mine.first { $0.key == record.key }?.value
                try RawLMDB.set(options.path, name, record.key, record.value)
                try expectOwn("record \(record.key) of \(name)")
                try RawLMDB.set(options.path, name, record.key, before)
            }
            for record in different {
                try RawLMDB.set(options.path, name, record.key, record.value)
            }
            try expectOwn("all of \(name)")
            for record in different {
                try RawLMDB.set(
                    options.path, name, record.key, mine.first { $0.key == record.key }?.value)
            }
        }
        let roots = Array("roots".utf8)
        let (mine, theirs) = (
            try RawLMDB.entries(options.path, nil), try RawLMDB.entries(other.path, nil)
        )
        let (before, after) = (
            try #require(mine.first { $0.key == roots }),
            try #require(theirs.first { $0.key == roots })
        )
        try RawLMDB.set(options.path, nil, roots, after.value)
        try expectOwn("the roots")
        try RawLMDB.set(options.path, nil, roots, before.value)
        #expect(tried > 10)
        #expect(try answers(options) == [own])
    }

    @Test func twoHistoriesOfOneFileDoNotMix() throws {
        let (first, second) = (options("first"), options("second"))
        do { try Self.write(try Environment.open(first), "common") }
        try copyFile("first", to: "second")
        do { try Self.write(try Environment.open(first), "first") }
        do { try Self.write(try Environment.open(second), "second") }
        try expectNoMixture(first, of: "first", with: second)
    }

    /// A power cut before the meta page: the pages of the lost commit are in the file, and the
    /// next one makes the same version.
    @Test func aLostCommitDoesNotMixWithTheNextOne() throws {
        let (file, lost) = (options("file"), options("lost"))
        do { try Self.write(try Environment.open(file), "common") }
        let metaPages = try Data(contentsOf: URL(fileURLWithPath: file.path))[
            ..<(2 * pageSizeOfNewFiles)]
        do { try Self.write(try Environment.open(file), "lost") }
        try copyFile("file", to: "lost")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file.path))
        try handle.write(contentsOf: metaPages)
        try handle.close()
        #expect(try answers(file) == ["common"])
        do { try Self.write(try Environment.open(file), "kept") }
        try expectNoMixture(file, of: "kept", with: lost)
    }

    /// The values of an entry of LMDB's on all leaf pages of a file, those included that no
    /// tree reaches any more.
    private static func valuesOnAllPages(_ path: String, key: String) throws -> Set<Data> {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var values: Set<Data> = []
        let size = pageSizeOfNewFiles
        for page in stride(from: 2 * size, to: bytes.count - size + 1, by: size) {
            func word(_ offset: Int) -> Int {
                Int(bytes[page + offset]) | Int(bytes[page + offset + 1]) << 8
            }
            guard word(10) == 2, word(12) >= 16, word(12) <= size else { continue }
            for slot in stride(from: 16, to: word(12), by: 2) {
                let node = word(slot)
                guard node >= 16, node + 8 + key.utf8.count <= size, word(node + 4) == 0,
                    word(node + 6) == key.utf8.count
                else { continue }
                let start = page + node + 8
                guard bytes[start..<start + key.utf8.count].elementsEqual(key.utf8) else {
                    continue
                }
                let (value, count) = (start + key.utf8.count, word(node) | word(node + 2) << 16)
                guard value + count <= page + size else { continue }
                values.insert(Data(bytes[value..<value + count]))
            }
        }
        return values
    }

    /// A copy's pages have its roots once. With the roots of a part, removing records would
    /// leave a sound file.
    @Test(arguments: [false, true]) func aCopyHasNoRootsOfItsParts(isCompacted: Bool) throws {
        let source = options("source")
        var target = source
        do {
            let environment = try Environment.open(source)
            try Self.write(environment, "copied")
            if isCompacted {
                try environment.compact(try environment.writer.begin())
            } else {
                target = options("copy")
                try Environment.copy(try environment.read(), to: target.path, key: Self.key)
            }
        }
        #expect(try answers(target) == ["copied"])
        let roots = try #require(
            try RawLMDB.entries(target.path, nil).first { $0.key == Array("roots".utf8) })
        let found = try Self.valuesOnAllPages(target.path, key: "roots")
        #expect(found.contains(Data(roots.value)))
        for stale in found where stale != Data(roots.value) {
            try RawLMDB.set(target.path, nil, roots.key, Array(stale))
            #expect(try answers(target).subtracting(["copied", "refused"]).isEmpty)
        }
        #expect(found.count == 1)
    }

    /// Every encrypted record of a file has a nonce of its own, over commits, aborted ones, copies
    /// and compactions.
    @Test func noncesAreNeverUsedTwice() throws {
        var records: [Data: Data] = [:]
        func collect(_ path: String) throws {
            var encrypted = try RawLMDB.entries(path, nil).filter { $0.key == Array("roots".utf8) }
                .map { Data($0.value.dropFirst(16)) }
            for name in Self.names {
                encrypted += try RawLMDB.entries(path, name).filter { $0.key.count == 8 }.map {
                    Data($0.value)
                }
            }
            for record in encrypted {
                let known = records.updateValue(record, forKey: Data(record.prefix(12)))
                #expect(known == nil || known == record)
            }
        }
        struct Stop: Error {}
        let file = options("file")
        for round in 0..<6 {
            do {
                let environment = try Environment.open(file)
                try Self.write(environment, "round\(round)")
                #expect(throws: Stop.self) {
                    try environment.writer.begin().commit { transaction in
                        try transaction.put("0", String(repeating: "aborted", count: 200))
                        throw Stop()
                    }
                }
                if round == 3 { try environment.compact(try environment.writer.begin()) }
                try Environment.copy(
                    try environment.read(), to: directory.file("copy\(round)"), key: Self.key)
            }
            try collect(file.path)
            try collect(directory.file("copy\(round)"))
        }
        #expect(records.count > 500)
    }

    /// A value that is written twice in one transaction gets another number, so that nothing is
    /// encrypted twice for one place.
    @Test func nothingIsEncryptedTwiceForOnePlace() throws {
        let environment = try Environment.open(options("file"))
        let long = [UInt8](repeating: 7, count: 1_000)
        let view = try environment.writer.begin().commit { transaction in
            for round in 0..<5 { try transaction.put("k", long + [UInt8(round)]) }
        }.1
        #expect(try view.bytes("k") == long + [4])
        #expect(try view.encryptionProblems() == [])
        let numbers = try RawLMDB.entries(environmentPath(environment), "clusters").map {
            $0.key.last
        }
        // The leaf is 1.
        #expect(numbers == [1, 6])
    }

    private func environmentPath(_ environment: Environment) throws -> String {
        let copy = directory.file("bytes")
        try FileManager.default.copyItem(atPath: environment.path, toPath: copy)
        return copy
    }

    /// Another process writes to the pages while they are read: the reader gets what was
    /// written, or an error.
    @Test func pagesThatChangeMeanwhileAreRefused() throws {
        let file = Environment.Options(
            directory.file("file"), hooks: TestHooks { $0.recordCacheSize = 0 }
        ) {
            $0.encryptionKey = Self.key
            $0.durability = .none
        }
        let environment = try Environment.open(file)
        let value = [UInt8](repeating: 0x5A, count: 12_000)
        try environment.writer.begin().commit { try $0.put("k", value) }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
        // A large value begins a run of pages: its flag is 4.
        let runs = (2..<bytes.count / 4096).filter {
            bytes[$0 * 4096 + 10] == 4 && bytes[$0 * 4096 + 12] > 2
        }
        let offset = try #require(runs.first) * 4096 + 6_000
        let isDone = Shared(false)
        let end = DispatchSemaphore(value: 0)
        let descriptor = open(file.path, O_RDWR)
        defer { close(descriptor) }
        startThread {
            var byte = bytes[offset]
            while !isDone.value {
                byte ^= 0xFF
                _ = pwrite(descriptor, &byte, 1, off_t(offset))
            }
            byte = bytes[offset]
            _ = pwrite(descriptor, &byte, 1, off_t(offset))
            end.signal()
        }
        var (sound, refused) = (0, 0)
        for _ in 0..<20_000 where sound == 0 || refused == 0 {
            // A view keeps what it read.
            try environment.put("other", "value \(sound + refused)")
            do {
                #expect(try environment.read().bytes("k") == value)
                sound += 1
            } catch {
                #expect((error as? StorageError)?.code == .corrupted)
                refused += 1
            }
        }
        isDone.change { $0 = true }
        end.wait()
        #expect(sound > 0 && refused > 0)
        #expect(try environment.read().encryptionProblems() == [])
    }
}
