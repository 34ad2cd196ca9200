import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

@Suite("Environment: open, read, write")
struct EnvironmentBasicsTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    @Test func createsWritesAndReadsBack() throws {
        do {
            let environment = try Environment.open(.init(path))
            #expect(environment.isNewlyCreated)
            let before = try environment.read()
            let after = try environment.put("hello", "world")
            #expect(try before.text("hello") == nil)
            #expect(try after.text("hello") == "world")
            #expect(after.version == before.version + 1)
            #expect(try environment.read() === after)
            #expect(environment.newestVersionHint == after.version)
        }
        let environment = try Environment.open(.init(path))
        #expect(!environment.isNewlyCreated)
        #expect(try environment.read().text("hello") == "world")
        #expect(directory.names == ["a.realm", "a.realm-lock", "a.realm.control"])
    }

    @Test func viewsOfOneVersionAreShared() throws {
        let environment = try Environment.open(.init(path))
        let first = try environment.read()
        #expect(try environment.read() === first)
        let second = try environment.put("a", "1")
        #expect(second !== first)
        #expect(try environment.read() === second)
        let pinned = try environment.pinnedVersions()
        #expect(pinned.oldestVersion == first.version)
        #expect(pinned.activeVersionCount == 2)
        #expect(pinned.pins.allSatisfy { $0.processIdentifier == getpid() })
        #expect(pinned.ownOldestAge != nil)
    }

    @Test func aPinIsReportedWithItsCost() throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", String(repeating: "x", count: 100_000))
        let pin = try environment.read()
        for round in 0..<10 {
            try environment.put("a", String(repeating: "\(round)", count: 100_000))
        }
        let pinned = try environment.pinnedVersions()
        #expect(pinned.oldestVersion == pin.version)
        #expect(pinned.newestVersion == pin.version + 10)
        #expect(pinned.pinnedByteCount > 900_000)
        withExtendedLifetime(pin) {}
    }

    @Test func cursorsWalkAndSeek() throws {
        let environment = try Environment.open(.init(path))
        let view = try environment.writer.begin().commit { transaction in
            for index in stride(from: 10, to: 100, by: 10) {
                try transaction.put("\(index)", "v\(index)")
            }
        }.1
        #expect(view.entryCount(.clusters) == 9)
        var cursor = try view.cursor(.clusters)
        func text(_ entry: Entry?) -> String? {
            entry.map { String(decoding: $0.key, as: UTF8.self) }
        }
        func key(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Entry?) rethrows
            -> Entry?
        {
            try Array(text.utf8).withUnsafeBytes { try body($0) }
        }
        #expect(text(try cursor.next()) == "10")
        #expect(text(try cursor.next()) == "20")
        #expect(text(try cursor.previous()) == "10")
        #expect(text(try cursor.last()) == "90")
        #expect(text(try cursor.first()) == "10")
        #expect(text(try key("35") { try cursor.seek(atOrAfter: $0) }) == "40")
        #expect(text(try key("35") { try cursor.seek(atOrBefore: $0) }) == "30")
        #expect(text(try key("40") { try cursor.seek(atOrBefore: $0) }) == "40")
        #expect(text(try key("99") { try cursor.seek(atOrBefore: $0) }) == "90")
        #expect(text(try key("05") { try cursor.seek(atOrBefore: $0) }) == nil)
        #expect(text(try key("99") { try cursor.seek(atOrAfter: $0) }) == nil)
        #expect(text(try key("50") { try cursor.seek(exactly: $0) }) == "50")
        #expect(text(try key("55") { try cursor.seek(exactly: $0) }) == nil)
        #expect(text(try key("") { try cursor.seek(atOrAfter: $0) }) == "10")
    }

    @Test func writeTransactionReadsItsOwnChanges() throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        let (seen, view) = try environment.writer.begin().commit { transaction in
            try transaction.put("b", "2")
            try transaction.delete("a")
            let missing = try transaction.delete("zzz")
            try Array("c".utf8).withUnsafeBytes { key in
                let bytes = try transaction.reserve(.clusters, key: key, count: 3)
                bytes.copyBytes(from: Array("333".utf8))
            }
            var cursor = try transaction.cursor(.clusters)
            var keys: [String] = []
            while let entry = try cursor.next() {
                keys.append(String(decoding: entry.key, as: UTF8.self))
            }
            return (keys, missing, transaction.entryCount(.clusters))
        }
        #expect(seen.0 == ["b", "c"])
        #expect(!seen.1)
        #expect(seen.2 == 2)
        #expect(try view.text("c") == "333")
        #expect(try view.text("a") == nil)
    }

    @Test func appendingOutOfOrderStillPutsInPlace() throws {
        let environment = try Environment.open(.init(path))
        let view = try environment.writer.begin().commit { transaction in
            for name in ["b", "d", "a", "c", "d"] {
                try Array(name.utf8).withUnsafeBytes { key in
                    try transaction.put(.clusters, key: key, value: key, appending: true)
                }
            }
        }.1
        #expect(
            try view.entries().map { String(decoding: $0.key, as: UTF8.self) } == [
                "a", "b", "c", "d",
            ])
    }

    @Test func deleteAllEmptiesOneDatabase() throws {
        let environment = try Environment.open(.init(path))
        try environment.writer.begin().commit { transaction in
            for index in 0..<1000 { try transaction.put("\(index)", "x") }
            try transaction.put("kept", "y", in: .indexes)
        }
        let view = try environment.writer.begin().commit { try $0.deleteAll(.clusters) }.1
        #expect(view.entryCount(.clusters) == 0)
        #expect(try view.text("kept", in: .indexes) == "y")
    }

    @Test func keysAndValuesOfEverySize() throws {
        let environment = try Environment.open(.init(path))
        let sizes = [0, 1, 2000, 2023, 2024, 4080, 4081, 16_368, 100_000, 3_000_000]
        let view = try environment.writer.begin().commit { transaction in
            for size in sizes {
                try transaction.put("k\(size)", [UInt8](repeating: UInt8(size % 251), count: size))
            }
            try transaction.put(String(repeating: "k", count: 511), "longest")
        }.1
        for size in sizes {
            #expect(
                try view.bytes("k\(size)") == [UInt8](repeating: UInt8(size % 251), count: size))
        }
        #expect(try view.text(String(repeating: "k", count: 511)) == "longest")
        for key in ["", String(repeating: "k", count: 512)] {
            #expect(storageCode { try environment.put(key, "x") } == .valueTooLarge)
        }
        #expect(try environment.put("after", "x").text("after") == "x")
    }

    @Test func everyCommitMakesOneVersion() throws {
        let environment = try Environment.open(.init(path))
        var version = try environment.read().version
        for _ in 0..<20 {
            let grant = try environment.writer.begin()
            #expect(grant.base.version == version)
            #expect(grant.version == version + 1)
            let view = try grant.commit { _ in }.1
            version += 1
            #expect(view.version == version)
        }
    }

    @Test func readOnlyReadsAndRefusesWrites() throws {
        #expect(
            storageCode { try Environment.open(.init(path) { $0.access = .readOnly }) }
                == .fileNotFound)
        #expect(directory.names.isEmpty)
        try Environment.open(.init(path)).put("a", "1")
        let environment = try Environment.open(.init(path) { $0.access = .readOnly })
        #expect(try environment.read().text("a") == "1")
        #expect(storageCode { try environment.writer.begin() } == .readOnly)
    }

    @Test func theReservedMapBoundsTheFile() throws {
        let environment = try Environment.open(
            .init(path, hooks: TestHooks { $0.reservedMapSize = 1 << 20 }))
        #expect(environment.capacity == 1 << 20)
        let code = storageCode {
            try environment.put("big", String(repeating: "x", count: 2 << 20))
        }
        #expect(code == .addressSpaceExhausted)
        #expect(try environment.put("small", "x").text("small") == "x")
    }

    @Test(.disabled(if: isThreadSanitized)) func defaultReservationIsOneTebibyte() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            try #require(try Environment.open(.init(path)).capacity == 1 << 40)
        }
    }

    @Test func readerSlotsRunOutWithAnErrorAndComeBack() throws {
        let environment = try Environment.open(
            .init(path, hooks: TestHooks { $0.maximumReaders = 4 }))
        var views: [ReadTransaction] = []
        var code: StorageError.Code?
        for index in 0..<10 where code == nil {
            code = storageCode { views.append(try environment.put("a", "\(index)")) }
        }
        #expect(code == .readersFull)
        #expect(views.count == 4)
        for (index, view) in views.enumerated() { #expect(try view.text("a") == "\(index)") }
        views.removeAll()
        #expect(try environment.put("a", "again").text("a") == "again")
    }

    @Test func theFileStaysCloseToItsPages() throws {
        let environment = try Environment.open(.init(path))
        try environment.writer.begin().commit { transaction in
            for index in 0..<20_000 {
                try transaction.put("\(1_000_000 + index)", [UInt8](repeating: 7, count: 1000))
            }
        }
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        #expect(size >= environment.usedByteCount)
        #expect(size <= environment.usedByteCount + 257 * pageSizeOfNewFiles)
    }

    @Test func temporaryFilesGoWithTheirLastUser() throws {
        let options = Environment.Options(path) {
            $0.isTemporary = true
            $0.durability = .none
        }
        do {
            let environment = try Environment.open(options)
            try environment.put("a", "1")
            #expect(try Environment.open(options) === environment)
            #expect(directory.names.count == 3)
        }
        #expect(directory.names == [])
        #expect(try Environment.open(options).read().text("a") == nil)
    }

    @Test func aTemporaryFileDoesNotReplaceALastingOne() throws {
        try Environment.open(.init(path)).put("a", "1")
        #expect(
            storageCode { try Environment.open(.init(path) { $0.isTemporary = true }) }
                == .fileExists)
        #expect(try Environment.open(.init(path)).read().text("a") == "1")
    }

    @Test func removeFilesRefusesWhatIsOpen() throws {
        #expect(try !Environment.removeFiles(at: path))
        do {
            let environment = try Environment.open(.init(path))
            #expect(storageCode { try Environment.removeFiles(at: path) } == .alreadyOpen)
            try environment.put("a", "1")
        }
        #expect(try Environment.removeFiles(at: path))
        #expect(directory.names == [])
        #expect(try Environment.open(.init(path)).isNewlyCreated)
    }
}
