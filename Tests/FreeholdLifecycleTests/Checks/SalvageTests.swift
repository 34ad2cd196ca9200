import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// What is saved of damaged files: the new file is always sound, what was not damaged is in it,
/// and what is missing is counted.
@Suite struct SalvageTests {
    private static let key = EncryptedSuite.isOn ? EncryptionKey(EncryptedSuite.key) : nil

    /// A file with a bit of everything and no free pages, and what it holds.
    private static func makeFile(
        _ directory: TemporaryDirectory, people: Int = 300, encryptionKey: Data? = nil
    ) throws -> (path: String, content: [String]) {
        let made = directory.file("made.realm")
        let path = directory.file("damaged.realm")
        let content = try onNewThread {
            var configuration = World.configuration(made)
            configuration.encryptionKey = encryptionKey
            let realm = try Realm(configuration: configuration)
            try realm.write { World.fill(realm, people: people) }
            try realm.writeCopy(toFile: path, encryptionKey: encryptionKey)
            return World.content(realm)
        }
        return (path.path, content)
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Salvages bytes as a file, and answers the report and what the new file holds.
    private static func salvage(
        _ bytes: [UInt8], _ directory: TemporaryDirectory, encryptionKey: Data? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (report: SalvageReport, content: [String]) {
        let (damaged, saved) = (directory.file("damaged.realm"), directory.file("saved.realm"))
        try Data(bytes).write(to: damaged)
        let report = try Salvage.run(
            from: damaged.path, to: saved.path,
            key: encryptionKey.flatMap { EncryptionKey($0) } ?? key)
        #expect(
            try Data(contentsOf: damaged) == Data(bytes), "The damaged file was changed.",
            sourceLocation: sourceLocation)
        let content = try onNewThread {
            var configuration = World.configuration(saved)
            configuration.encryptionKey = encryptionKey
            let realm = try Realm(configuration: configuration)
            #expect(try realm.check() == [], sourceLocation: sourceLocation)
            for table in report.tables {
                guard let type = Fixture.all.first(where: { $0.className() == table.name }),
                    !(type is EmbeddedObject.Type)
                else { continue }
                #expect(
                    realm.dynamicObjects(table.name).count == table.rowCount,
                    sourceLocation: sourceLocation)
            }
            return World.content(realm)
        }
        _ = try Realm.deleteFiles(for: World.configuration(saved))
        return (report, content)
    }

    @Test func aSoundFileIsSavedAsAWhole() throws {
        let directory = try TemporaryDirectory()
        let (path, content) = try Self.makeFile(directory)
        let (report, saved) = try Self.salvage(try Self.bytes(path), directory)
        #expect(saved == content)
        #expect(report.isComplete)
        #expect(report.problems == [])
        directory.delete()
    }

    @Test func anEncryptedFileIsSavedAsAWhole() throws {
        let directory = try TemporaryDirectory()
        let key = Data(repeating: 9, count: 64)
        let (path, content) = try Self.makeFile(directory, encryptionKey: key)
        let (report, saved) = try Self.salvage(try Self.bytes(path), directory, encryptionKey: key)
        #expect(saved == content)
        #expect(report.isComplete)
        directory.delete()
    }

    /// Each page in turn is zeroed, is full of rubbish, or has one byte changed.
    @Test(arguments: [0, 1, 2]) func eachPage(_ kind: Int) throws {
        let directory = try TemporaryDirectory()
        let (path, content) = try Self.makeFile(directory, people: 100)
        let whole = try Self.bytes(path)
        var random = Seed.random()
        let seed = random.seed
        let known = Set(content)
        var isCatalogLost = false
        let size = pageSizeOfNewFiles
        // A prime, so that all kinds of pages have their turn in a run's time.
        for page in stride(
            from: Int.random(in: 2..<9, using: &random), to: whole.count / size, by: 7)
        {
            var bytes = whole
            switch kind {
            case 0: for index in 0..<size { bytes[page * size + index] = 0 }
            case 1:
                for index in 0..<size {
                    bytes[page * size + index] = UInt8.random(in: 0...255, using: &random)
                }
            default:
                bytes[page * size + Int.random(in: 0..<size, using: &random)] ^= UInt8(
                    1 << Int.random(in: 0..<8, using: &random))
            }
            let (report, saved): (SalvageReport, [String])
            do {
                (report, saved) = try Self.salvage(bytes, directory)
            } catch let error as StorageError
                where error.message.contains("its catalog") && !isCatalogLost
            {
                // It is there once, on less than seven pages.
                isCatalogLost = true
                continue
            }
            // What differs is said to.
            let isSame = saved == content
            let losses = report.tables.reduce(0) {
                $0 + $1.lostRowCount + $1.incompleteRowCount + $1.lostLinkCount
            }
            #expect(isSame || losses > 0, "page \(page), FREEHOLD_SEED=\(seed)")
            let kept = saved.count { known.contains($0) }
            // One page is one column of a cluster, or one leaf of small values at the most;
            // other lines are incomplete. What an encrypted tree has below a damaged root is
            // lost.
            #expect(
                (kept > 0 || EncryptedSuite.isOn) && saved.count <= content.count,
                "page \(page), FREEHOLD_SEED=\(seed)")
        }
        directory.delete()
    }

    /// Both pages at the head of the file, then the roots of all trees: everything is on pages
    /// that nothing leads to.
    @Test func withoutTheHeadOfTheFile() throws {
        let directory = try TemporaryDirectory()
        let (path, content) = try Self.makeFile(directory)
        var bytes = try Self.bytes(path)
        for index in 0..<2 * pageSizeOfNewFiles { bytes[index] = 0 }
        if EncryptedSuite.isOn {
            #expect(throws: StorageError.self) { try Self.salvage(bytes, directory) }
        } else {
            let (report, saved) = try Self.salvage(bytes, directory)
            #expect(saved == content)
            #expect(
                report.tables.allSatisfy { $0.incompleteRowCount == 0 && $0.lostLinkCount == 0 })
            #expect(!report.problems.isEmpty)
        }
        directory.delete()
    }

    @Test func aFileThatLostItsEnd() throws {
        let directory = try TemporaryDirectory()
        let (path, content) = try Self.makeFile(directory)
        let whole = try Self.bytes(path)
        var counts: [Int] = []
        for part in [9, 7, 5] {
            guard
                let (_, saved) = try? Self.salvage(
                    Array(whole[..<(whole.count * part / 10)]), directory)
            else { continue }
            counts.append(saved.count)
        }
        #expect(counts.allSatisfy { $0 <= content.count })
        #expect(EncryptedSuite.isOn || counts.contains { $0 > 0 })
        directory.delete()
    }

    @Test func refusals() throws {
        let directory = try TemporaryDirectory()
        let (path, _) = try Self.makeFile(directory, people: 3)
        func code(_ body: () throws -> Void) -> StorageError.Code? {
            do { try body() } catch { return (error as? StorageError)?.code }
            return nil
        }
        #expect(code { _ = try Salvage.run(from: path, to: path, key: Self.key) } == .fileExists)
        #expect(
            code {
                _ = try Salvage.run(
                    from: directory.file("none").path, to: directory.file("new").path)
            } == .fileNotFound)
        let rubbish = directory.file("rubbish")
        try Data(repeating: 7, count: 100).write(to: rubbish)
        #expect(
            code { _ = try Salvage.run(from: rubbish.path, to: directory.file("new").path) }
                == .notAnEnvironment)
        try Data(repeating: 7, count: 100_000).write(to: rubbish)
        #expect(
            code { _ = try Salvage.run(from: rubbish.path, to: directory.file("new").path) }
                == .corrupted)
        #expect(!FileManager.default.fileExists(atPath: directory.file("new").path))
        directory.delete()
    }
}
