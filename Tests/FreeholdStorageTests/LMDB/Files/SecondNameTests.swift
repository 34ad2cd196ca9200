import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// One file under two names, each with small files of its own.
@Suite("Environment: second names") struct SecondNameTests {
    let directory: TemporaryDirectory
    let path: String
    let other: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
        other = directory.file("b.realm")
    }

    @Test func aFileWithTwoLinksIsNotWritten() throws {
        do { try Environment.open(.init(path)).put("a", "1") }
        try #require(link(path, other) == 0)
        for path in [path, other] {
            #expect(storageCode { try Environment.open(.init(path)) } == .severalNames)
            #expect(
                try Environment.open(.init(path) { $0.access = .readOnly }).read().text("a") == "1")
        }
        // Each of them can be the one that goes.
        #expect(try Environment.removeFiles(at: other))
        #expect(try Environment.open(.init(path)).put("a", "2").text("a") == "2")
    }

    @Test func aLinkThatIsMadeLaterLeadsToNoSecondWriter() async throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        try #require(link(path, other) == 0)
        await #expect(processExitsWith: .success) { [other = other as String] in
            try #require(storageCode { try Environment.open(.init(other)) } == .severalNames)
            try #require(
                storageCode { try Environment.open(.init(other) { $0.access = .readOnly }) }
                    == .incompatibleLockFile)
            // Not even a control file was made.
            try #require(!FileManager.default.fileExists(atPath: other + ".control"))
        }
        try environment.put("a", "2")
        // Who opened the name before that still holds it, moved or not.
        try #require(unlink(path) == 0)
        await #expect(processExitsWith: .success) { [other = other as String] in
            try #require(
                storageCode { try Environment.open(.init(other)) } == .incompatibleLockFile)
        }
        #expect(storageCode { try environment.put("a", "3") } == .replacedWhileOpen)
    }

    /// A mount of the file itself has one link.
    @Test(.enabled(if: EnvironmentFailureTests.isRoot)) func aMountedFileHasOneWriter() async throws
    {
        do { try Environment.open(.init(path)).put("a", "1") }
        try #require(FileManager.default.createFile(atPath: other, contents: Data()))
        try #require(mount(path, other, nil, 4096, nil) == 0)
        defer { umount2(other, 2) }
        do {
            let environment = try Environment.open(.init(path))
            try environment.put("a", "2")
            await #expect(processExitsWith: .success) { [other = other as String] in
                try #require(
                    storageCode { try Environment.open(.init(other)) } == .incompatibleLockFile)
                try #require(
                    storageCode { try Environment.open(.init(other) { $0.access = .readOnly }) }
                        == .incompatibleLockFile)
                try #require(!FileManager.default.fileExists(atPath: other + ".control"))
            }
        }
    }

    /// Readers do nothing to one another, and keep writers of the other name away.
    @Test(.enabled(if: EnvironmentFailureTests.isRoot)) func aMountedFileHasManyReaders()
        async throws
    {
        do { try Environment.open(.init(path)).put("a", "1") }
        try #require(FileManager.default.createFile(atPath: other, contents: Data()))
        try #require(mount(path, other, nil, 4096, nil) == 0)
        defer { umount2(other, 2) }
        let environment = try Environment.open(.init(path) { $0.access = .readOnly })
        await #expect(processExitsWith: .success) { [other = other as String] in
            try #require(
                storageCode { try Environment.open(.init(other)) } == .incompatibleLockFile)
            try #require(
                try Environment.open(.init(other) { $0.access = .readOnly }).read().text("a") == "1"
            )
        }
        #expect(try environment.read().text("a") == "1")
    }

    /// The same control file under both names: no second name.
    @Test(.enabled(if: EnvironmentFailureTests.isRoot)) func aMountedDirectoryIsTheSame()
        async throws
    {
        let mounted = directory.file("mounted")
        let inner = directory.file("inner")
        for path in [mounted, inner] { try #require(mkdir(path, 0o700) == 0) }
        try #require(mount(inner, mounted, nil, 4096, nil) == 0)
        defer { umount2(mounted, 2) }
        let environment = try Environment.open(.init(inner + "/a.realm"))
        try environment.put("a", "1")
        await #expect(processExitsWith: .success) { [path = (mounted + "/a.realm") as String] in
            try #require(try Environment.open(.init(path)).put("a", "2").text("a") == "2")
        }
        #expect(try environment.put("b", "3").text("a") == "2")
    }

    /// The locks go with the process, and with the last use in it.
    @Test func nothingStaysLocked() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            kill(getpid(), SIGKILL)
        }
        for name in [".control", "-lock"] { unlink(path + name) }
        do { try Environment.open(.init(path)).put("a", "2") }
        for name in [".control", "-lock"] { unlink(path + name) }
        #expect(try Environment.open(.init(path)).put("a", "3").text("a") == "3")
    }
}
