import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Synchronization
import Testing

/// What is brought to the medium, and in which order: a name never leads to a file that is not
/// there yet.
@Suite("Environment: what is synchronised") struct SynchronizationTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    /// The synchronising calls of a body.
    private func synced(_ body: () throws -> Void) throws -> [String] {
        try SystemCalls.made(in: directory.path, body).filter {
            $0.hasPrefix("fsync") || $0.hasPrefix("fdatasync") || $0.hasPrefix("mdb_env_sync")
        }
    }

    private func open(_ durability: Environment.Durability = .full) throws -> Environment {
        try Environment.open(.init(path) { $0.durability = durability })
    }

    @Test func aNewFileIsWholeBeforeItHasItsName() throws {
        var environment: Environment?
        let calls = try synced { environment = try open() }
        #expect(calls == ["fsync a.realm.creating", "fsync .", "fsync a.realm.control"])
        try withExtendedLifetime(environment) { _ = try environment?.read() }
    }

    @Test func withoutDurabilityNothingIsSynchronised() throws {
        #expect(try synced { try open(.none).put("a", "1") } == [])
        let copy = try synced {
            let environment = try open(.none)
            let grant = try environment.writer.begin()
            defer { grant.cancel() }
            try environment.compact(grant)
        }
        #expect(copy == [])
    }

    /// LMDB writes the meta page through a descriptor that synchronises; the pages before it
    /// are synchronised first.
    @Test func aCommitIsSynchronisedOnce() throws {
        let environment = try open()
        try environment.put("a", "1")
        #expect(try synced { try environment.put("a", "2") } == ["fdatasync a.realm"])
    }

    /// A relaxed commit leaves its meta page to the next one, or to the end.
    @Test func aRelaxedFileIsSynchronisedAtItsEnd() throws {
        try open().put("a", "1")
        let calls = try synced { try open(.relaxed).put("a", "2") }
        #expect(calls.contains("mdb_env_sync a.realm"))
        #expect(try synced { try open().put("a", "3") }.contains("mdb_env_sync a.realm") == false)
    }

    /// That a file was left sound is said of what is on the medium.
    @Test func aVouchedFileIsOnTheMedium() throws {
        var environment: Environment? = try open()
        try environment?.put("a", "1")
        #expect(try synced { environment = nil } == ["fdatasync a.realm"])
        #expect(try ControlRecord.read(path + ".control")?.vouch != nil)
        // Nothing was written since.
        environment = try open()
        #expect(try synced { environment = nil } == [])
    }

    @Test func aFileThatCannotBeSynchronisedIsNotVouchedFor() throws {
        var environment: Environment? = try open()
        try environment?.put("a", "1")
        #expect(
            SystemCalls.failing("fdatasync", in: directory.path, with: EIO) { environment = nil }
                == 1)
        #expect(try ControlRecord.read(path + ".control")?.vouch == nil)
        environment = try open()
        try environment?.put("a", "2")
        #expect(environment?.counters.pageWalks.load(ordering: .relaxed) == 1)
    }

    @Test func aCopyIsWholeBeforeItHasItsName() throws {
        let environment = try open()
        try environment.put("a", "1")
        let calls = try synced {
            try Environment.copy(try environment.read(), to: directory.file("b.realm"), key: nil)
        }
        #expect(Array(calls.suffix(2)) == ["fsync b.realm.copying", "fsync ."])
        for skipped in [0, 1] as [Int32] {
            let code = storageCode {
                try SystemCalls.failing("fsync", in: directory.path, with: EIO, after: skipped) {
                    try Environment.copy(
                        try environment.read(), to: directory.file("c.realm"), key: nil)
                }
            }
            #expect(code == .inputOutput)
            #expect(directory.names.contains("c.realm.copying") == false)
        }
    }

    @Test func aCompactionIsWholeBeforeItHasTheName() throws {
        let environment = try open()
        try environment.put("a", "1")
        let calls = try synced {
            let grant = try environment.writer.begin()
            defer { grant.cancel() }
            try environment.compact(grant)
        }
        #expect(
            calls.filter { $0.hasPrefix("fsync") } == [
                "fsync a.realm.compacting", "fsync a.realm.control", "fsync .",
            ])
    }

    /// Until the names are changed, a failure changes nothing; after that, it is unknown which
    /// file is at the path after a loss of power.
    @Test(arguments: [0, 1, 2]) func aCompactionWhoseSynchronisingFails(skipped: Int32) throws {
        do {
            let environment = try open()
            try environment.put("a", "1")
            let code = storageCode {
                let grant = try environment.writer.begin()
                defer { grant.cancel() }
                try SystemCalls.failing("fsync", in: directory.path, with: EIO, after: skipped) {
                    try environment.compact(grant)
                }
            }
            #expect(code == .inputOutput)
            #expect(
                storageCode { try environment.put("a", "2") } == (skipped == 2 ? .poisoned : nil))
            #expect(try environment.read().text("a") == (skipped == 2 ? "1" : "2"))
        }
        #expect(try open().read().text("a") == (skipped == 2 ? "1" : "2"))
        #expect(directory.names.filter { $0.contains("compacting") } == [])
    }

    /// Whether the medium has a commit whose synchronising failed is not known: the file takes
    /// no more, and the next one to open it writes its meta pages again.
    @Test func aCommitWhoseSynchronisingFails() throws {
        do {
            let environment = try open()
            try environment.put("a", "1")
            var code: StorageError.Code?
            let calls = try synced {
                // LMDB's own, then the one that asks whether the medium fails.
                let failures = SystemCalls.failing("fdatasync", in: directory.path, with: EIO) {
                    code = storageCode { try environment.put("a", "2") }
                }
                #expect(failures == 2)
            }
            #expect(code == .inputOutput)
            // That the file is suspect is on the medium.
            #expect(calls.last == "fsync a.realm.control")
            #expect(storageCode { try environment.put("a", "3") } == .poisoned)
        }
        #expect(try ControlRecord.read(path + ".control")?.isSuspect == true)
        #expect(
            storageCode {
                try SystemCalls.failing("fsync", in: directory.path, with: EIO) { _ = try open() }
            } == .inputOutput)
        #expect(try ControlRecord.read(path + ".control")?.isSuspect == true)
        var environment: Environment?
        #expect(try synced { environment = try open() }.contains("fsync a.realm"))
        #expect(try environment?.read().text("a") == "1")
        try environment?.put("a", "4")
        #expect(try environment?.read().text("a") == "4")
    }

    /// A commit that failed before anything reached the medium leaves the file as it is.
    @Test func aCommitThatFailsOtherwise() throws {
        let environment = try open()
        try environment.put("a", "1")
        for error in [EIO, ENOSPC, MDB_MAP_FULL] {
            let code = storageCode {
                try SystemCalls.failing("mdb_txn_commit", in: directory.path, with: Int32(error)) {
                    try environment.put("a", "2")
                }
            }
            #expect(
                code
                    == (error == EIO
                        ? .inputOutput : error == ENOSPC ? .outOfDiskSpace : .addressSpaceExhausted)
            )
            #expect(try environment.read().text("a") == "1")
        }
        try environment.put("a", "3")
        #expect(try environment.read().text("a") == "3")
    }
}

extension SynchronizationTests {
    /// LMDB has one error for a medium that fails and for a write that ends at the limit of a
    /// file's size. Which it was, the size tells: whether one more page has room.
    @Test func failuresBesideALimitOfTheSize() async throws {
        await #expect(processExitsWith: .success) {
            [directory = directory.path as String, path = path as String] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            var status = stat()
            try #require(stat(path, &status) == 0)
            for (bytes, expected) in [
                (pageSizeOfNewFiles, StorageError.Code.inputOutput),
                (pageSizeOfNewFiles - 1, .fileTooLarge),
            ] {
                var limit = rlimit()
                try #require(
                    getrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0)
                let whole = limit
                limit.rlim_cur = rlim_t(status.st_size) + rlim_t(bytes)
                try #require(
                    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0)
                let code = storageCode {
                    try SystemCalls.failing("mdb_txn_commit", in: directory, with: EIO) {
                        try environment.put("a", "2")
                    }
                }
                limit = whole
                try #require(
                    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0)
                try #require(code == expected, "\(bytes) bytes: \(String(describing: code))")
            }
            try environment.put("a", "3")
        }
    }
}

/// LMDB's, which the tests do not import.
private let MDB_MAP_FULL: Int32 = -30792

extension ControlRecord {
    fileprivate static func read(_ path: String) throws -> ControlRecord? {
        let descriptor = Glibc.open(path, O_RDONLY)
        defer { close(descriptor) }
        return try ControlRecord.read(from: descriptor, path: path)
    }
}
