import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Damage inside of LMDB's own pages, of files whose control file vouches for their length, so
/// that they are not walked when they are opened.
@Suite("Environment: damaged pages", .disabled(if: EncryptedSuite.isOn, "reads plain pages"))
struct PageDamageTests {
    private static let pageSize = pageSizeOfNewFiles

    /// A file with leaves, branches, large values and free pages; its bytes and those of its
    /// control file.
    private static func makeFile(_ path: String) throws -> (bytes: Data, control: Data) {
        do {
            let environment = try Environment.open(.init(path))
            for round in 0..<4 {
                try environment.writer.begin().commit { transaction in
                    for index in 0..<900 {
                        try transaction.put(
                            "\(100_000 + index * 7 % 900)", "value \(index) of \(round)")
                    }
                    for index in 0..<6 {
                        try transaction.put(
                            "long \(index)", String(repeating: "\(round)", count: 9000))
                    }
                }
            }
        }
        return (
            try Data(contentsOf: URL(fileURLWithPath: path)),
            try Data(contentsOf: URL(fileURLWithPath: path + ".control"))
        )
    }

    /// Opens bytes, reads every entry in both directions and by its key, writes, and reads again.
    ///
    /// - Parameter isJudged: Whether the pages are judged one by one before they are written, as
    ///   in large files. Then it writes first.
    /// - Returns: The first error; nil if there was none.
    private static func use(_ bytes: Data, _ control: Data, isJudged: Bool = false) throws
        -> StorageError?
    {
        let directory = try TemporaryDirectory()
        let path = directory.file("b.realm")
        try bytes.write(to: URL(fileURLWithPath: path))
        try control.write(to: URL(fileURLWithPath: path + ".control"))
        do throws(StorageError) {
            let environment = try Environment.open(
                .init(path, hooks: isJudged ? GuardedScript.hooks : .current))
            if !isJudged { try read(try environment.read()) }
            let grant = try environment.writer.begin()
            do {
                _ = try grant.commit { transaction in
                    for index in 0..<50 {
                        try transaction.put("\(100_000 + index * 17)", "written")
                    }
                    try transaction.put("long 1", "short")
                    for index in 200..<250 where isJudged {
                        try transaction.delete("\(100_000 + index)")
                    }
                }
            } catch {
                throw (error as? StorageError) ?? StorageError(.closed, "\(error)")
            }
            try read(try environment.read())
            return nil
        } catch {
            return error
        }
    }

    private static func read(_ view: ReadTransaction) throws(StorageError) {
        for database in Database.allCases {
            var cursor = try view.cursor(database)
            var entry = try cursor.first()
            while let current = entry {
                _ = Checksum.xxh64(current.value)
                _ = try view.value(database, key: current.key)
                entry = try cursor.next()
            }
            entry = try cursor.last()
            while entry != nil { entry = try cursor.previous() }
        }
        _ = try view.environment.byteCounts()
    }

    private static func expectDamage(_ error: StorageError?, _ what: String) {
        if let error {
            #expect(
                error.code == .corrupted || error.code == .truncated
                    || error.code == .notAnEnvironment, "\(what): \(error)")
        }
    }

    /// LMDB aborted at such pages, or read where they led.
    @Test(arguments: [false, true]) func everyPageIsDamagedInTurn(isJudged: Bool) throws {
        let directory = try TemporaryDirectory()
        let (whole, control) = try Self.makeFile(directory.file("a.realm"))
        #expect(try Self.use(whole, control, isJudged: isJudged) == nil)
        var found = 0
        for page in 0..<whole.count / Self.pageSize {
            for fill in [0, 0xEE] as [UInt8] {
                var damaged = whole
                damaged.replaceSubrange(
                    page * Self.pageSize..<(page + 1) * Self.pageSize,
                    with: [UInt8](repeating: fill, count: Self.pageSize))
                let error = try Self.use(damaged, control, isJudged: isJudged)
                Self.expectDamage(error, "page \(page) is \(fill)")
                if error != nil { found += 1 }
            }
        }
        #expect(found > 30)
    }

    @Test(arguments: [false, true]) func headsAndNodesAreDamagedAtRandom(isJudged: Bool) throws {
        let directory = try TemporaryDirectory()
        let (whole, control) = try Self.makeFile(directory.file("a.realm"))
        var random = Seed.random()
        for round in 0..<300 {
            var damaged = whole
            for _ in 0..<random.int(1...4) {
                let page = random.int(0...damaged.count / Self.pageSize - 1) * Self.pageSize
                let offset = page + random.int(0...(random.once(in: 2) ? 60 : Self.pageSize - 1))
                damaged[offset] = random.pick([0, 1, 0xFF, UInt8(random.int(0...255))])
            }
            Self.expectDamage(
                try Self.use(damaged, control, isJudged: isJudged),
                "FREEHOLD_SEED=\(random.seed), round \(round)")
        }
    }

    /// LMDB aborted where a database begins on page 0 or 1, and gave its transaction up,
    /// without saying so at the last one, where it begins on a page that there is not.
    @Test func databasesThatBeginNowhereAreRefused() throws {
        let directory = try TemporaryDirectory()
        let (whole, control) = try Self.makeFile(directory.file("a.realm"))
        func word(_ offset: Int) -> UInt64 {
            whole.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        }
        func half(_ offset: Int) -> Int {
            whole.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) }
        }
        let newest = word(144) > word(Self.pageSize + 144) ? 0 : Self.pageSize
        let main = Int(word(newest + 16 + 112)) * Self.pageSize
        var count = 0
        for pointer in stride(from: main + 16, to: main + half(main + 12), by: 2) {
            let node = main + half(pointer)
            // Trees, not the version record.
            guard half(node + 4) == 2 else { continue }
            count += 1
            let root = node + 8 + half(node + 6) + 40
            for number in [0, 1, 1 << 20, .max - 1] as [UInt64] {
                var damaged = whole
                withUnsafeBytes(of: number) { damaged.replaceSubrange(root..<root + 8, with: $0) }
                #expect(
                    try Self.use(damaged, control)?.code == .corrupted,
                    "root \(number) of tree \(count)")
            }
        }
        #expect(count == Database.allCases.count)
    }

    /// A page that is used and free would be overwritten by the next commit.
    @Test func pagesThatAreUsedAndFreeAreNotWrittenTo() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.realm")
        let (whole, control) = try Self.makeFile(path)
        func word(_ offset: Int) -> UInt64 {
            whole.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        }
        let newest = word(144) > word(Self.pageSize + 144) ? 0 : Self.pageSize
        let (freeRoot, mainRoot) = (Int(word(newest + 16 + 64)), word(newest + 16 + 112))
        // The first node's data: the number of pages, then these.
        let node =
            freeRoot * Self.pageSize
            + whole.withUnsafeBytes {
                Int(
                    $0.loadUnaligned(fromByteOffset: freeRoot * Self.pageSize + 16, as: UInt16.self)
                )
            }
        try #require(word(node + 16) > 0)
        var damaged = whole
        withUnsafeBytes(of: mainRoot) { damaged.replaceSubrange(node + 24..<node + 32, with: $0) }
        let error = try Self.use(damaged, control)
        #expect(error?.code == .corrupted)
    }

    /// LMDB takes the meta page with the higher number for the newest. One changed number would
    /// silently bring back the version before.
    @Test func metaPagesWhoseTransactionsContradictEachOtherAreRefused() throws {
        let directory = try TemporaryDirectory()
        let (whole, control) = try Self.makeFile(directory.file("a.realm"))
        func word(_ offset: Int) -> UInt64 {
            whole.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        }
        let offsets = [144, Self.pageSize + 144]
        let numbers = offsets.map(word)
        let newest = try #require(numbers.max())
        for (offset, own) in zip(offsets, numbers) {
            for number in [
                0, 1, own - 2, own - 1, own + 1, own + 2, own + 3, newest + 100, 1 << 40,
            ] where number != own {
                var damaged = whole
                withUnsafeBytes(of: number) {
                    damaged.replaceSubrange(offset..<offset + 8, with: $0)
                }
                for control in [control, Data()] {
                    #expect(
                        try Self.use(damaged, control)?.code == .corrupted,
                        "\(numbers), of which \(own) is \(number)")
                }
            }
        }
    }

    /// Without syncs of meta pages, a loss of power leaves the two before, of which the pages
    /// of the older one may have been written to.
    @Test func anOverwrittenVersionBeforeIsNoDamage() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.realm")
        func change(_ rounds: Int, _ what: String) throws {
            let environment = try Environment.open(.init(path))
            for round in 0..<rounds {
                try environment.writer.begin().commit { transaction in
                    for index in 0..<900 {
                        try transaction.put("\(100_000 + index)", "\(what) \(round)")
                    }
                }
            }
        }
        try change(3, "before")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let control = try Data(contentsOf: URL(fileURLWithPath: path + ".control"))
        try change(2, "later")
        var torn = try Data(contentsOf: URL(fileURLWithPath: path))
        torn.replaceSubrange(0..<2 * Self.pageSize, with: before.prefix(2 * Self.pageSize))

        func word(_ offset: Int) -> Int {
            before.withUnsafeBytes {
                Int($0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
        }
        let older = word(144) > word(Self.pageSize + 144) ? Self.pageSize : 0
        let root = word(older + 16 + 112) * Self.pageSize
        try #require(torn[root..<root + Self.pageSize] != before[root..<root + Self.pageSize])
        #expect(try Self.use(torn, control) == nil)
        #expect(try Self.use(torn, Data()) == nil)
    }

    /// LMDB gives a meta page that it could not write its old number back, and not its old trees.
    @Test func aFailedWriteOfAMetaPageIsNoDamage() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.realm")
        let before = try Self.makeFile(path).bytes
        do {
            let environment = try Environment.open(.init(path))
            try environment.writer.begin().commit { try $0.put("failed", "failed") }
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var control = try Data(contentsOf: URL(fileURLWithPath: path + ".control"))
        func word(_ bytes: Data, _ offset: Int) -> UInt64 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        }
        let failed = word(bytes, 144) > word(bytes, Self.pageSize + 144) ? 144 : Self.pageSize + 144
        bytes.replaceSubrange(failed..<failed + 8, with: before[failed..<failed + 8])
        #expect(try Self.use(bytes, control)?.code == .corrupted)

        // The mark of a file whose medium failed, and the checksum.
        for place in ControlRecord.places where place < control.count {
            control[place + 12] |= 2
            var checksum: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in control[place..<place + 120] {
                checksum = (checksum ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            withUnsafeBytes(of: checksum.littleEndian) {
                control.replaceSubrange(place + 120..<place + 128, with: $0)
            }
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        try control.write(to: URL(fileURLWithPath: path + ".control"))
        for _ in 0..<2 {
            let environment = try Environment.open(.init(path))
            #expect(try environment.read().text("failed") == nil)
        }
        #expect(try Environment.open(.init(path)).put("again", "again").text("again") == "again")
    }

    /// The record of a database is changed while the file is open. Nothing of a version without it
    /// is read, not even from the other databases.
    @Test func aDatabaseWhoseRecordChangesWhileTheFileIsOpen() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.realm")
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let name = Array(Database.blobs.name.utf8)
        // In a node: the flag of a tree, the length of the key, the key, the record.
        let head: [UInt8] = [2, 0, UInt8(name.count), 0] + name
        let file = try #require(FileHandle(forWritingAtPath: path))
        var count = 0
        for offset in bytes.indices.dropLast(head.count + 48)
        where bytes[offset...].starts(with: head) {
            // Its own flags, behind four bytes: MDB_DUPSORT.
            try file.seek(toOffset: UInt64(offset + head.count + 4))
            try file.write(contentsOf: [4, 0])
            count += 1
        }
        try file.close()
        try #require(count > 0)
        let view = try environment.read()
        #expect(storageCode { try view.text("a") } == .corrupted)
        #expect(storageCode { _ = try view.entries() } == .corrupted)
    }
}
