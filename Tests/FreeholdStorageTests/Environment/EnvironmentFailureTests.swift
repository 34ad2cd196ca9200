import Foundation
@testable import FreeholdStorage
import FreeholdTestProcesses
import FreeholdTestSupport
import Glibc
import Testing

/// Full disks, size limits, failing media and missing permissions, each in a child process of
/// its own.
@Suite("Environment: failures")
struct EnvironmentFailureTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    static let isRoot = geteuid() == 0

    @Test(.enabled(if: isRoot)) func aFullDiskFailsTheCommitAndNothingElse() async throws {
        let mount = directory.file("mount")
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
        try run("/bin/mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", mount])
        defer { try? run("/bin/umount", [mount]) }
        await #expect(processExitsWith: .success) { [mount = mount as String] in
            let environment = try Environment.open(.init(mount + "/a.realm"))
            for _ in 0..<20 {
                var count = 0
                var code: StorageError.Code?
                while code == nil {
                    code = storageCode {
                        try environment.put("key \(count)", String(repeating: "x", count: 20_000))
                    }
                    if code == nil { count += 1 }
                }
                try #require(code == .outOfDiskSpace)
                try #require(count > 20)
                try #require(try environment.read().entryCount(.clusters) == count)
                // The reserve lets deletes through.
                for index in 0..<count {
                    try environment.writer.begin().commit { transaction in
                        transaction.mayUseReserve = true
                        try #require(try transaction.delete("key \(index)"))
                    }
                }
                try #require(try environment.read().entryCount(.clusters) == 0)
            }
            // One transaction larger than the disk.
            let code = storageCode {
                try environment.put("huge", String(repeating: "x", count: 8_000_000))
            }
            try #require(code == .outOfDiskSpace)
            try environment.put("a", "1")
        }
    }

    /// A commit that is larger than the reserve must not use it up. Found by `torture full-disk`.
    @Test(.enabled(if: isRoot)) func largeCommitsLeaveTheReserveToDeletions() async throws {
        let mount = directory.file("mount")
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
        try run("/bin/mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", mount])
        defer { try? run("/bin/umount", [mount]) }
        await #expect(processExitsWith: .success) { [mount = mount as String] in
            let environment = try Environment.open(.init(mount + "/a.realm"))
            for size in [370_000, 450_000, 230_000] {
                var count = 0
                while storageCode({
                    try environment.put("key \(count)", String(repeating: "x", count: size))
                }) == nil { count += 1 }
                try #require(count > 4)
                for index in 0..<count {
                    try environment.writer.begin().commit { transaction in
                        transaction.mayUseReserve = true
                        // What a deletion writes again.
                        try transaction.put("noise", [UInt8](repeating: 1, count: 90_000))
                        try #require(try transaction.delete("key \(index)"))
                    }
                }
            }
        }
    }

    /// What the version before freed can be used by the commit after the next only: where one fails
    /// for want of it, an empty one is made in between.
    @Test(.enabled(if: isRoot)) func whatTheVersionBeforeFreedIsThereForTheNextTry() async throws {
        let mount = directory.file("mount")
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
        try run("/bin/mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", mount])
        defer { try? run("/bin/umount", [mount]) }
        await #expect(processExitsWith: .success) { [mount = mount as String] in
            let environment = try Environment.open(.init(mount + "/a.realm"))
            try environment.put("large", String(repeating: "x", count: 3_000_000))
            try environment.put("small", "1")
            try environment.writer.begin().commit { transaction in
                try #require(try transaction.delete("large"))
            }
            let filler = open(mount + "/filler", O_WRONLY | O_CREAT, 0o600)
            let bytes = [UInt8](repeating: 1, count: 4096)
            while write(filler, bytes, bytes.count) > 0 {}
            close(filler)
            let value = String(repeating: "y", count: 1_200_000)
            let code = storageCode { try environment.put("next", value) }
            try #require(code == .outOfDiskSpace)
            try environment.put("next", value)
            try #require(try environment.read().text("next") == value)
        }
    }

    /// Free pages that lie apart are of no use to a value of many pages: commits that add took
    /// the reserve at the end instead, and nothing could be deleted then. Found by
    /// `torture full-disk`.
    @Test(.enabled(if: isRoot), .disabled(if: EncryptedSuite.isOn, "counts pages of plain files"))
    func freePagesInPiecesAreNoReserveForDeletions() async throws {
        let mount = directory.file("mount")
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
        try run("/bin/mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", mount])
        defer { try? run("/bin/umount", [mount]) }
        await #expect(processExitsWith: .success) { [mount = mount as String] in
            let environment = try Environment.open(.init(mount + "/a.realm"))
            // A page each; then every second one is free.
            for group in 0..<8 {
                try environment.writer.begin().commit { transaction in
                    for index in 0..<200 {
                        try transaction.put(
                            "page \(group * 200 + index)", String(repeating: "x", count: 4_000))
                    }
                }
            }
            _ = FileManager.default.createFile(
                atPath: mount + "/filler", contents: Data(count: 8 << 20))
            for group in 0..<8 {
                try environment.writer.begin().commit { transaction in
                    transaction.mayUseReserve = true
                    for index in 0..<100 {
                        try transaction.delete("page \(group * 200 + index * 2)")
                    }
                }
            }
            var code: StorageError.Code?
            var count = 0
            while code == nil {
                code = storageCode {
                    try environment.put("column \(count)", String(repeating: "x", count: 18_000))
                }
                count += 1
            }
            try #require(code == .outOfDiskSpace)
            for index in 0..<100 {
                try environment.writer.begin().commit { transaction in
                    transaction.mayUseReserve = true
                    try transaction.put("written again", [UInt8](repeating: 1, count: 18_000))
                    try #require(try transaction.delete("page \(index * 2 + 1)"))
                }
            }
        }
    }

    @Test(.enabled(if: isRoot)) func aFullDiskFailsCreationAndLeavesNothing() async throws {
        let mount = directory.file("mount")
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
        try run("/bin/mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", mount])
        defer { try? run("/bin/umount", [mount]) }
        await #expect(processExitsWith: .success) { [mount = mount as String] in
            for filler in stride(from: 64, through: 0, by: -4) {
                _ = FileManager.default.createFile(
                    atPath: mount + "/filler", contents: Data(count: filler * 1024))
                let code = storageCode { try Environment.open(.init(mount + "/a.realm")) }
                try #require(code == .outOfDiskSpace, "\(filler): \(String(describing: code))")
                try #require(!FileManager.default.fileExists(atPath: mount + "/a.realm.creating"))
                try FileManager.default.removeItem(atPath: mount + "/filler")
                for name in try FileManager.default.contentsOfDirectory(atPath: mount) {
                    try FileManager.default.removeItem(atPath: mount + "/" + name)
                }
            }
        }
    }

    @Test(.enabled(if: isRoot)) func aReadOnlyMediumIsReadWithoutLocks() async throws {
        let mount = directory.file("mount")
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
        try run("/bin/mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", mount])
        defer { try? run("/bin/umount", [mount]) }
        await #expect(processExitsWith: .success) { [mount = mount as String] in
            try Environment.open(.init(mount + "/a.realm")).put("a", "1")
        }
        try run("/bin/mount", ["-o", "remount,ro", mount])
        await #expect(processExitsWith: .success) { [mount = mount as String] in
            try #require(
                storageCode { try Environment.open(.init(mount + "/a.realm")) } == .readOnly)
            let environment = try Environment.open(
                .init(mount + "/a.realm") { $0.access = .readOnly })
            try #require(try environment.read().text("a") == "1")
        }
    }

    @Test(.enabled(if: isRoot)) func missingPermissions() async throws {
        try Environment.open(.init(path)).put("a", "1")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: directory.path)
        let closed = directory.file("closed")
        try FileManager.default.createDirectory(
            atPath: closed, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        await #expect(processExitsWith: .success) {
            [path = path as String, closed = closed as String] in
            try #require(setgid(65534) == 0 && setuid(65534) == 0)
            // Readable by all, writable by root.
            try #require(storageCode { try Environment.open(.init(path)) } == .permissionDenied)
            try #require(
                storageCode { try Environment.open(.init(path + "2")) } == .permissionDenied)
            try #require(
                storageCode { try Environment.open(.init(closed + "/a.realm")) }
                    == .permissionDenied)
            let environment = try Environment.open(.init(path) { $0.access = .readOnly })
            try #require(try environment.read().text("a") == "1")
        }
        // Beside a writer, a reader that cannot take a slot is refused.
        let environment = try Environment.open(.init(path))
        await #expect(processExitsWith: .success) { [path = path as String] in
            try #require(setgid(65534) == 0 && setuid(65534) == 0)
            try #require(
                storageCode { try Environment.open(.init(path) { $0.access = .readOnly }) }
                    == .permissionDenied)
        }
        try environment.put("a", "2")
    }

    /// LMDB's descriptor of the data file is replaced by one that is always full, as a disk may
    /// become between two system calls.
    @Test(arguments: CommitThread.allCases)
    func aFailedDataWriteLeavesTheFileUsable(on thread: CommitThread) async throws {
        await #expect(processExitsWith: .success) {
            [path = path as String, thread = thread as CommitThread] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1", on: thread)
            let descriptors = try descriptors(of: path, synchronous: false)
            let saved = descriptors.map { dup($0) }
            let full = open("/dev/full", O_RDWR)
            // A data write through LMDB's own fails.
            for descriptor in descriptors where isLMDBs(descriptor, environment) {
                try #require(dup2(full, descriptor) == descriptor)
            }
            try #require(
                storageCode { try environment.put("a", "2", on: thread) } == .outOfDiskSpace)
            for (descriptor, original) in zip(descriptors, saved) {
                try #require(dup2(original, descriptor) == descriptor)
            }
            try #require(try environment.read().text("a") == "1")
            try environment.put("a", "3", on: thread)
        }
        #expect(try Environment.open(.init(path)).read().text("a") == "3")
    }

    /// The same for the descriptor that LMDB writes meta pages with: what the medium holds is
    /// now unknown.
    @Test(arguments: CommitThread.allCases)
    func aFailedMetaWritePoisonsTheFileUntilItIsOpenedAgain(on thread: CommitThread) async throws {
        await #expect(processExitsWith: .success) {
            [path = path as String, thread = thread as CommitThread] in
            do {
                let environment = try Environment.open(.init(path))
                let view = try environment.put("a", "1", on: thread)
                let full = open("/dev/full", O_WRONLY)
                let descriptors = try descriptors(of: path, synchronous: true)
                try #require(descriptors.count == 1)
                for descriptor in descriptors { try #require(dup2(full, descriptor) == descriptor) }
                try #require(
                    storageCode { try environment.put("a", "2", on: thread) } == .inputOutput)
                try #require(storageCode { try environment.put("a", "3", on: thread) } == .poisoned)
                // Views that are alive go on, and the newest of them can be had again.
                try #require(try view.text("a") == "1")
                try #require(try environment.read() === view)
            }
            let environment = try Environment.open(.init(path))
            try #require(try environment.read().text("a") == "1")
            try environment.put("a", "4", on: thread)
            try #require(try environment.read().text("a") == "4")
        }
        #expect(try Environment.open(.init(path)).read().text("a") == "4")
    }

    /// What each level waits for, by making that fail. A meta page that is waited for is
    /// written through a descriptor of its own; what goes to `/dev/null` cannot be
    /// synchronised.
    @Test(arguments: [Environment.Durability.full, .relaxed, .none])
    func levelsOfDurabilityWaitForWhatTheySay(_ level: Environment.Durability) async throws {
        await #expect(processExitsWith: .success) {
            [
                path = path as String, isFull = (level == .full) as Bool,
                isNone = (level == .none) as Bool
            ] in
            let level: Environment.Durability = isFull ? .full : isNone ? .none : .relaxed
            let environment = try Environment.open(.init(path) { $0.durability = level })
            try environment.put("a", "1")
            // The meta page.
            let full = open("/dev/full", O_WRONLY)
            let synchronous = try descriptors(of: path, synchronous: true)
            try #require(synchronous.count == 1)
            let saved = dup(synchronous[0])
            if level != .full {
                try #require(dup2(full, synchronous[0]) == synchronous[0])
                try environment.put("a", "2")
                try #require(dup2(saved, synchronous[0]) == synchronous[0])
            }
            // The data pages.
            let null = open("/dev/null", O_RDWR)
            for descriptor in try descriptors(of: path, synchronous: false)
            where isLMDBs(descriptor, environment) {
                try #require(dup2(null, descriptor) == descriptor)
            }
            let code = storageCode { try environment.put("a", "3") }
            // Without waiting the commit succeeds, and what it wrote is not in the file.
            try #require(
                code == (level == .none ? .foreignFile : .inputOutput),
                "\(String(describing: code))")
        }
    }

    /// A program that writes with LMDB alone makes no version records.
    @Test func anotherProgramsWritesAreNoticed() async throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        await #expect(processExitsWith: .success) { [path = path as String] in
            try RawLMDB.write(path, count: 3, flags: RawLMDB.noSubdirectory)
        }
        #expect(storageCode { try environment.read() } == .foreignFile)
        #expect(storageCode { try environment.put("a", "2") } == .foreignFile)
    }

    @Test(.disabled(if: isThreadSanitized || isAddressSanitized))
    func aSmallAddressSpaceHalvesTheReservation() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            var limit = rlimit(rlim_cur: 1 << 36, rlim_max: 1 << 36)
            try #require(setrlimit(__rlimit_resource_t(UInt32(RLIMIT_AS.rawValue)), &limit) == 0)
            let environment = try Environment.open(.init(path))
            try #require(environment.capacity >= 1 << 30 && environment.capacity < 1 << 36)
            try environment.put("a", "1")
        }
    }

    /// A process has 128 TiB of address space, and its first files reserve 1 TiB each.
    @Test(.disabled(if: isThreadSanitized || isAddressSanitized))
    func manyFilesShareTheAddressSpace() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environments = try (0..<600).map {
                try Environment.open(
                    .init(path + "\($0)", hooks: TestHooks { $0.maximumReaders = 8 }))
            }
            try #require(environments.first?.capacity == 1 << 40)
            try #require(environments.last?.capacity == 1 << 32)
            for environment in environments { try environment.put("a", "1") }
        }
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        let process = ChildProcess(URL(fileURLWithPath: program), arguments)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}

/// The process's descriptors of a file, those with or without synchronous writes.
private func descriptors(of path: String, synchronous: Bool) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
        guard let descriptor = Int32(name),
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(name)"),
            target == path, (fcntl(descriptor, F_GETFL) & O_DSYNC != 0) == synchronous
        else { return nil }
        return descriptor
    }.sorted()
}

/// Whether a descriptor of the data file is LMDB's and not Freehold's own.
private func isLMDBs(_ descriptor: Int32, _ environment: Environment) -> Bool {
    descriptor != environment.handle.dataDescriptor
}
