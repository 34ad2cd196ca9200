import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Synchronization
import Testing

/// Whatever can lie at a path: each gets its own error, which names the path, and nothing on
/// disk changes.
@Suite("Environment: bad files")
struct EnvironmentFileTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    /// Opens `path` and expects one code, a message that names the path, and an unchanged
    /// directory.
    func expectRefusal(
        _ code: StorageError.Code, at path: String? = nil, naming named: String? = nil,
        access: FileAccess = .readWrite,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let path = path ?? self.path
        let before = directory.contents
        do {
            _ = try Environment.open(.init(path) { $0.access = access })
            Issue.record("Opened \(path).", sourceLocation: sourceLocation)
        } catch {
            #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
            #expect(
                error.description.contains(named ?? path), "\(error)",
                sourceLocation: sourceLocation)
        }
        #expect(directory.contents == before, sourceLocation: sourceLocation)
    }

    /// A file with entries of all kinds, closed.
    func makeFile(entries: Int = 2000) throws {
        let environment = try Environment.open(.init(path))
        try environment.writer.begin().commit { transaction in
            for index in 0..<entries { try transaction.put("\(100_000 + index)", "value \(index)") }
            try transaction.put("long", String(repeating: "l", count: 50_000))
        }
    }

    func patch(_ path: String, at offset: Int, _ bytes: [UInt8]) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
        try file.close()
    }

    func truncate(to size: Int) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.truncate(atOffset: UInt64(size))
        try file.close()
    }

    func size() throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    // MARK: Paths

    @Test func paths() throws {
        expectRefusal(.emptyPath, at: "", naming: "empty")
        expectRefusal(
            .missingDirectory, at: directory.file("none/a.realm"), naming: directory.file("none"))
        expectRefusal(
            .missingDirectory, at: directory.file("none/"), naming: directory.file("none"))
        expectRefusal(.isDirectory, at: directory.path)
        _ = FileManager.default.createFile(atPath: directory.file("plain"), contents: Data([1]))
        expectRefusal(
            .notADirectory, at: directory.file("plain/a.realm"), naming: directory.file("plain"))
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("dangling"), withDestinationPath: directory.file("nothing"))
        expectRefusal(.fileNotFound, at: directory.file("dangling"))
        expectRefusal(.notAnEnvironment, at: "/dev/null")
    }

    // MARK: Contents

    @Test(arguments: [1, 15, 120, 4096, 8192, 100_000]) func notLMDB(size: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        expectRefusal(.notAnEnvironment)
        expectRefusal(.notAnEnvironment, access: .readOnly)
    }

    /// A file that was made between two looks at its path was taken for a link that leads nowhere.
    @Test func aFileThatComesAndGoesIsNoLink() throws {
        let isDone = Atomic<Bool>(false)
        let end = DispatchSemaphore(value: 0)
        startThread { [path] in
            while !isDone.load(ordering: .relaxed) {
                close(open(path, O_CREAT | O_WRONLY, 0o600))
                unlink(path)
            }
            end.signal()
        }
        defer {
            isDone.store(true, ordering: .relaxed)
            end.wait()
        }
        for _ in 0..<Stress.rounds(5_000) { _ = try Environment.removeFiles(at: path) }
    }

    /// As between a process that opens realms in memory, again and again, and one that starts and
    /// removes what killed processes left: the names of files that were being made were removed.
    @Test func aFileThatIsBeingMadeIsNotRemoved() throws {
        let isDone = Atomic<Bool>(false)
        let end = DispatchSemaphore(value: 0)
        // Without the registry, which would keep them from meeting: what another process does.
        startThread { [path] in
            while !isDone.load(ordering: .relaxed) {
                let code = storageCode { try EnvironmentRemoval(path: path).run() }
                #expect(code == nil || code == .alreadyOpen)
            }
            end.signal()
        }
        defer {
            isDone.store(true, ordering: .relaxed)
            end.wait()
        }
        for round in 0..<Stress.rounds(300) {
            let environment = try Environment.open(.init(path) { $0.isTemporary = true })
            #expect(try environment.put("a", "\(round)").text("a") == "\(round)")
        }
    }

    @Test func anEmptyFileIsNew() throws {
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(), attributes: [.posixPermissions: 0o600])
        expectRefusal(.notAnEnvironment, access: .readOnly)
        let environment = try Environment.open(.init(path))
        #expect(environment.isNewlyCreated)
        let permissions =
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        #expect(try environment.put("a", "1").text("a") == "1")
    }

    @Test func anEmptiedFileIsNot() throws {
        try makeFile()
        try truncate(to: 0)
        expectRefusal(.truncated)
        // A control file with damaged records tells as much.
        var control = try Data(contentsOf: URL(fileURLWithPath: path + ".control"))
        for place in ControlRecord.places where place < control.count { control[place + 40] ^= 1 }
        try control.write(to: URL(fileURLWithPath: path + ".control"))
        expectRefusal(.truncated)
    }

    /// To a number of pages, and some bytes more or less.
    @Test(arguments: [(0, 1), (0, 100), (1, -1), (1, 0), (2, -1), (2, 0), (3, 0), (5, 0)])
    func truncatedWithItsControlFile(pages: Int, bytes: Int) throws {
        try makeFile()
        try truncate(to: pages * pageSizeOfNewFiles + bytes)
        expectRefusal(.truncated)
        expectRefusal(.truncated, access: .readOnly)
    }

    @Test func truncatedByHalfWithoutItsControlFile() throws {
        try makeFile()
        try FileManager.default.removeItem(atPath: path + ".control")
        try truncate(to: size() / 2)
        expectRefusal(.truncated)
    }

    /// Every length is either refused or, where only spare bytes were lost, complete.
    @Test func everyTruncationIsFoundOrHarmless() throws {
        try makeFile(entries: 500)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let control = try Data(contentsOf: URL(fileURLWithPath: path + ".control"))
        var opened = 0
        for size in stride(from: 0, through: whole.count, by: pageSizeOfNewFiles) {
            for keepsControl in [true, false] {
                let directory = try TemporaryDirectory()
                let copy = directory.file("b.realm")
                try whole.prefix(size).write(to: URL(fileURLWithPath: copy))
                if keepsControl { try control.write(to: URL(fileURLWithPath: copy + ".control")) }
                if size == 0, !keepsControl { continue }
                do {
                    let view = try Environment.open(.init(copy)).read()
                    #expect(try view.entries().count == 501)
                    opened += 1
                } catch {
                    #expect(
                        ["truncated", "notAnEnvironment"].contains(
                            "\((error as? StorageError)?.code ?? .closed)"), "\(error)")
                }
            }
        }
        #expect(opened > 2)
    }

    @Test func damagedMetaPages() throws {
        try makeFile()
        let zero = [UInt8](repeating: 0, count: pageSizeOfNewFiles)
        try patch(path, at: pageSizeOfNewFiles, zero)
        expectRefusal(.corrupted)
        try patch(path, at: 0, zero)
        expectRefusal(.corrupted)
        try FileManager.default.removeItem(atPath: path + ".control")
        expectRefusal(.notAnEnvironment)
    }

    /// Without a control file the whole tree is walked; damage to any page in use is an error,
    /// never a signal.
    @Test func damagedPagesAreFoundByTheWalk() throws {
        try makeFile(entries: 300)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var refused = 0
        let size = pageSizeOfNewFiles
        for page in 2..<whole.count / size {
            let directory = try TemporaryDirectory()
            let copy = directory.file("b.realm")
            var damaged = whole
            damaged.replaceSubrange(
                page * size..<(page + 1) * size, with: [UInt8](repeating: 0xEE, count: size))
            try damaged.write(to: URL(fileURLWithPath: copy))
            do {
                _ = try Environment.open(.init(copy)).read()
            } catch {
                #expect(error.code == .corrupted || error.code == .truncated, "\(error)")
                refused += 1
            }
        }
        #expect(refused > 5)
    }

    @Test func randomDamageNeverCrashesTheWalk() throws {
        try makeFile(entries: 300)
        var generator = Seed.random()
        let seed = generator.seed
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let directory = try TemporaryDirectory()
        for round in 0..<300 {
            let copy = directory.file("\(round).realm")
            var damaged = whole
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                // Half of it in the heads of pages, where the structure is.
                let page =
                    Int.random(in: 0..<damaged.count / pageSizeOfNewFiles, using: &generator)
                    * pageSizeOfNewFiles
                let isHead = Bool.random(using: &generator)
                let offset =
                    page
                    + Int.random(in: 0..<(isHead ? 160 : pageSizeOfNewFiles), using: &generator)
                damaged[offset] =
                    [0, 0xFF, UInt8.random(in: 0...255, using: &generator)].randomElement(
                        using: &generator) ?? 0
            }
            if Bool.random(using: &generator) {
                damaged = damaged.prefix(Int.random(in: 0...damaged.count, using: &generator))
            }
            try damaged.write(to: URL(fileURLWithPath: copy))
            // Read-only and without a control file: the survey judges the file; what it accepts
            // is not read further.
            do {
                _ = try Environment.open(.init(copy))
            } catch {
                #expect(
                    error.code != .internalLMDB && error.code != .inputOutput,
                    "FREEHOLD_SEED=\(seed), round \(round): \(error)")
            }
        }
    }

    @Test func anotherProgramsLMDBFile() throws {
        try makeFile(entries: 10)
        // The format record's magic, wherever it is.
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        while let range = data.range(of: Data("FREEHOLD".utf8)) {
            data.replaceSubrange(range, with: Data("NOTMINE!".utf8))
        }
        try data.write(to: URL(fileURLWithPath: path))
        expectRefusal(.foreignFile)
        let other = directory.file("other.mdb")
        try RawLMDB.makeFile(other)
        expectRefusal(.foreignFile, at: other)
        expectRefusal(.foreignFile, at: other, access: .readOnly)
    }

    @Test func otherFormats() throws {
        try makeFile(entries: 10)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        for (format, code) in [
            (UInt32(2), StorageError.Code.newerFormat), (1000, .newerFormat),
            (0x8000_0001, .unreadableFormat), (0x8003_0001, .unreadableFormat),
            (0x8004_0002, .unreadableFormat),
            (0x8000_0000, .unreadableFormat), (0, .unreadableFormat),
        ] {
            var changed = data
            var start = data.startIndex
            while let range = changed.range(of: Data("FREEHOLD".utf8), in: start..<changed.endIndex)
            {
                changed.replaceSubrange(
                    range.upperBound..<range.upperBound + 4,
                    with: withUnsafeBytes(of: format.littleEndian) { Data($0) })
                start = range.upperBound
            }
            try changed.write(to: URL(fileURLWithPath: path))
            expectRefusal(code)
        }
    }

    @Test func networkFileSystemsAreKnownByNumber() {
        for magic: UInt64 in [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x6573_5546] {
            #expect(FileSystemKind.unsuitableName(magic: magic) != nil)
        }
        // ext4, xfs, btrfs, tmpfs, overlay, zfs, f2fs
        for magic: UInt64 in [
            0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1, 0xF2F5_2010,
        ] {
            #expect(FileSystemKind.unsuitableName(magic: magic) == nil)
        }
    }

    // MARK: Copies

    @Test func aCopyWithoutControlFileOpens() throws {
        try makeFile()
        let copy = directory.file("copy.realm")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let uuid = try Environment.open(.init(path)).uuid
        let environment = try Environment.open(.init(copy))
        #expect(environment.uuid == uuid)
        #expect(!environment.isNewlyCreated)
        #expect(try environment.put("a", "1").entryCount(.clusters) == 2002)
    }

    @Test func aCopiedPairOpens() throws {
        try makeFile()
        let copy = directory.file("copy.realm")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try FileManager.default.copyItem(atPath: path + ".control", toPath: copy + ".control")
        #expect(try Environment.open(.init(copy)).put("a", "1").entryCount(.clusters) == 2002)
    }

    /// The control file asks for more bytes than the restored file has, but all it refers to is
    /// there.
    @Test func anOlderBackupOpensBesideANewerControlFile() throws {
        try makeFile(entries: 10)
        let backup = directory.file("backup")
        try FileManager.default.copyItem(atPath: path, toPath: backup)
        try Environment.open(.init(path)).put("large", String(repeating: "x", count: 5_000_000))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: backup, toPath: path)
        let view = try Environment.open(.init(path)).read()
        #expect(try view.text("large") == nil)
        #expect(view.entryCount(.clusters) == 11)
    }

    @Test func aDamagedControlFileIsRebuilt() throws {
        try makeFile(entries: 10)
        for place in ControlRecord.places {
            try patch(path + ".control", at: place + 20, [0xFF, 0xFF, 0xFF])
        }
        #expect(try Environment.open(.init(path)).put("a", "1").entryCount(.clusters) == 12)
    }

    /// mdb_copy -c numbers transactions from 1 again; versions go on.
    @Test func aCompactCopyKeepsItsVersions() throws {
        try makeFile(entries: 10)
        let version = try Environment.open(.init(path)).put("a", "1").version
        let copy = directory.file("copy.realm")
        try RawLMDB.copyCompactly(path, to: copy)
        let environment = try Environment.open(.init(copy))
        #expect(try environment.read().version == version)
        #expect(try environment.put("b", "2").version == version + 1)
    }

    /// Its bytes are copied as they are, so a commit has to wait meanwhile.
    @Test func aSeedIsNotCopiedWhileItIsWritten() throws {
        let directory = try TemporaryDirectory()
        let (seed, path) = (directory.file("seed.realm"), directory.file("new.realm"))
        let environment = try Environment.open(.init(seed))
        try environment.put("a", "1")
        let grant = try environment.writer.begin()
        let isOpen = DispatchSemaphore(value: 0)
        let text = Shared<String?>(nil)
        startThread {
            let found = try? Environment.open(.init(path) { $0.seedPath = seed }).read().text("a")
            text.change { $0 = found }
            isOpen.signal()
        }
        // It would take some milliseconds.
        #expect(isOpen.wait(timeout: .now() + 0.5) == .timedOut)
        try grant.commit { try $0.put("a", "2") }
        isOpen.wait()
        #expect(text.value == "2")
    }
}
