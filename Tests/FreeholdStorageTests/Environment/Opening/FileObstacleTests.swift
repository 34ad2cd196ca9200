import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// What may stand in the place of each file of a realm: the table of `FileFormat.md`, a test
/// for each cell.
///
/// Each in a process of its own, which an alarm ends where opening waits.
@Suite("Environment: what stands in the way") struct FileObstacleTests {
    enum Obstacle: String, CaseIterable, Sendable {
        case link, danglingLink, hardLink, fifo, socket, directory
        /// These take root's rights.
        case device, anothersFile

        static var possible: [Obstacle] {
            allCases.filter {
                EnvironmentFailureTests.isRoot || $0 != .device && $0 != .anothersFile
            }
        }

        /// Puts it at a path. Links lead to the victim, or nowhere.
        func make(_ path: String, victim: String) throws {
            switch self {
            case .link: try #require(symlink(victim, path) == 0)
            case .danglingLink: try #require(symlink(victim + ".none", path) == 0)
            case .hardLink: try #require(Glibc.link(victim, path) == 0)
            case .fifo: try #require(mkfifo(path, 0o666) == 0)
            case .socket: try #require(mknod(path, S_IFSOCK | 0o666, 0) == 0)
            case .directory: try #require(mkdir(path, 0o777) == 0)
            case .device: try #require(mknod(path, S_IFCHR | 0o666, 0x105) == 0)
            case .anothersFile:
                try #require(
                    FileManager.default.createFile(atPath: path, contents: Data("another's".utf8)))
                try #require(chown(path, 12_345, 12_345) == 0)
            }
        }

        /// The code of the error where it stands in the place of a small file.
        var refusal: StorageError.Code { self == .anothersFile ? .permissionDenied : .fileExists }
    }

    let directory: TemporaryDirectory
    let path: String
    let victim: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
        victim = directory.file("victim")
        try #require(
            FileManager.default.createFile(
                atPath: victim, contents: Data("the victim's".utf8),
                attributes: [.posixPermissions: 0o600]))
    }

    /// The victim's bytes and permissions, and what is beyond the dangling link.
    private func expectVictimUnchanged(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(
            FileManager.default.contents(atPath: victim) == Data("the victim's".utf8),
            sourceLocation: sourceLocation)
        #expect(
            try FileManager.default.attributesOfItem(atPath: victim)[.posixPermissions] as? Int
                == 0o600, sourceLocation: sourceLocation)
        #expect(
            !FileManager.default.fileExists(atPath: victim + ".none"),
            sourceLocation: sourceLocation)
    }

    // MARK: The small files

    @Test(arguments: [".control", "-lock"], Obstacle.possible) func inThePlaceOfASmallFile(
        _ name: String, _ obstacle: Obstacle
    ) async throws {
        let other = directory.file("b.realm")
        try Environment.open(.init(path)).put("a", "1")
        let bytes = FileManager.default.contents(atPath: path)
        unlink(path + name)
        for path in [path, other] { try obstacle.make(path + name, victim: victim) }
        // Two hard links to one file would each be the other's second name.
        if obstacle == .hardLink { unlink(other + name) }
        await #expect(processExitsWith: .success) {
            [
                path = path as String, other = other as String, name = name as String,
                obstacle = obstacle.rawValue as String
            ] in
            alarm(20)
            let obstacle = try #require(Obstacle(rawValue: obstacle))
            func expectRefusal(_ body: () throws -> Void) throws {
                do {
                    try body()
                    Issue.record("Nothing stood in the way.")
                } catch {
                    let error = try #require(error as? StorageError)
                    try #require(error.code == obstacle.refusal, "\(error)")
                    try #require(error.message.contains(name), "\(error)")
                }
            }
            try expectRefusal { _ = try Environment.open(.init(path)) }
            try expectRefusal { _ = try Environment.open(.init(path) { $0.access = .readOnly }) }
            if obstacle != .hardLink {
                try expectRefusal { _ = try Environment.open(.init(other)) }
            }
            if name == ".control" {
                try expectRefusal { _ = try Environment.removeFiles(at: path) }
            }
            try #require(!FileManager.default.fileExists(atPath: other))
        }
        try expectVictimUnchanged()
        #expect(FileManager.default.contents(atPath: path) == bytes)
        // Without it, all is well.
        try FileManager.default.removeItem(atPath: path + name)
        #expect(try Environment.open(.init(path)).put("b", "2").text("a") == "1")
    }

    /// Who may write the data file may have made the control file.
    @Test(.enabled(if: EnvironmentFailureTests.isRoot))
    func theSmallFilesOfOthersWhoMayWriteTheData() throws {
        try Environment.open(.init(path)).put("a", "1")
        for name in [".control", "-lock"] { try #require(chown(path + name, 12_345, 12_346) == 0) }
        #expect(storageCode { try Environment.open(.init(path)) } == .permissionDenied)
        try #require(chmod(path, 0o666) == 0)
        try Environment.open(.init(path)).put("a", "2")
        try #require(chmod(path, 0o660) == 0)
        #expect(storageCode { try Environment.open(.init(path)) } == .permissionDenied)
        try #require(chown(path, 0, 12_346) == 0)
        try Environment.open(.init(path)).put("a", "3")
        // Where everybody may make files, a group may be the directory's.
        try #require(chmod(directory.path, 0o2777) == 0)
        #expect(storageCode { try Environment.open(.init(path)) } == .permissionDenied)
        try #require(chmod(directory.path, 0o700) == 0)
        try #require(chown(path, 12_345, 12_346) == 0)
        try Environment.open(.init(path)).put("a", "4")
    }

    /// In a directory as `/tmp`: what another user has put beside a file that this one is about
    /// to make.
    @Test(.enabled(if: EnvironmentFailureTests.isRoot))
    func whatAnotherUserPreparedInASharedDirectory() async throws {
        try #require(chmod(directory.path, 0o1777) == 0 && chmod(victim, 0o666) == 0)
        for name in [".control", "-lock"] {
            await #expect(processExitsWith: .success) {
                [path = path as String, name = name as String] in
                try #require(setgid(12_345) == 0 && setuid(12_345) == 0)
                // A record that says that the file is temporary would have it made anew.
                try #require(
                    FileManager.default.createFile(
                        atPath: path + name, contents: Data(count: 128),
                        attributes: [.posixPermissions: 0o666]))
            }
            await #expect(processExitsWith: .success) { [path = path as String] in
                try #require(setgid(65_534) == 0 && setuid(65_534) == 0)
                try #require(storageCode { try Environment.open(.init(path)) } == .permissionDenied)
                try #require(!FileManager.default.fileExists(atPath: path))
            }
            for name in ["", ".control", "-lock"] { unlink(path + name) }
        }
    }

    // MARK: Unfinished files

    /// The names of what is being made are this library's: what stands there goes, and is not
    /// written to.
    @Test(arguments: Obstacle.possible) func inThePlaceOfAnUnfinishedFile(_ obstacle: Obstacle)
        async throws
    {
        for name in [".creating", ".compacting", ".compacting-lock"] {
            let path = directory.file("c\(name).realm")
            if name != ".creating" { try Environment.open(.init(path)).put("a", "1") }
            try obstacle.make(path + name, victim: victim)
            await #expect(processExitsWith: .success) {
                [
                    path = path as String, victim = victim as String, name = name as String,
                    obstacle = obstacle.rawValue as String
                ] in
                alarm(20)
                let code = storageCode {
                    let environment = try Environment.open(.init(path))
                    if name == ".creating" { return }
                    // Opening has removed it.
                    if obstacle != "directory" {
                        try Obstacle(rawValue: obstacle)?.make(path + name, victim: victim)
                    }
                    let grant = try environment.writer.begin()
                    defer { grant.cancel() }
                    try environment.compact(grant)
                }
                try #require(
                    code == (obstacle == "directory" ? .fileExists : nil),
                    "\(name) \(String(describing: code))")
            }
            try expectVictimUnchanged()
            unlink(path + name)
            rmdir(path + name)
            try Environment.open(.init(path)).put("a", "2")
        }
    }

    @Test(arguments: Obstacle.possible) func inThePlaceOfAnUnfinishedCopy(_ obstacle: Obstacle)
        async throws
    {
        let copy = directory.file("copy.realm")
        try Environment.open(.init(path)).put("a", "1")
        try obstacle.make(copy + ".copying", victim: victim)
        await #expect(processExitsWith: .success) {
            [path = path as String, copy = copy as String, obstacle = obstacle.rawValue as String]
            in
            alarm(20)
            let view = try Environment.open(.init(path)).read()
            let code = storageCode { try Environment.copy(view, to: copy, key: nil) }
            try #require(
                code == Obstacle(rawValue: obstacle)?.refusal, "\(String(describing: code))")
        }
        try expectVictimUnchanged()
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    // MARK: The data file

    @Test(arguments: Obstacle.possible) func inThePlaceOfTheDataFile(_ obstacle: Obstacle)
        async throws
    {
        try Environment.open(.init(victim + ".realm")).put("a", "1")
        try obstacle.make(path, victim: victim + ".realm")
        let names = Set(directory.names)
        await #expect(processExitsWith: .success) {
            [path = path as String, obstacle = obstacle.rawValue as String] in
            alarm(20)
            let obstacle = try #require(Obstacle(rawValue: obstacle))
            let expected: StorageError.Code? =
                switch obstacle {
                // A user's own link leads to the file.
                case .link: nil
                case .danglingLink: .fileNotFound
                case .hardLink: .severalNames
                case .directory: .isDirectory
                case .fifo, .socket, .device, .anothersFile: .notAnEnvironment
                }
            try #require(storageCode { try Environment.open(.init(path)) } == expected)
            let readOnly = storageCode {
                try Environment.open(.init(path) { $0.access = .readOnly })
            }
            try #require(readOnly == (obstacle == .hardLink ? nil : expected))
            if expected == nil {
                try #require(!FileManager.default.fileExists(atPath: path + ".control"))
            }
        }
        // Nothing is left beside it but what read-only access makes.
        if obstacle != .hardLink { #expect(Set(directory.names) == names) }
    }

    /// What another user has made is read and written as permissions allow.
    @Test(.enabled(if: EnvironmentFailureTests.isRoot)) func anothersDataFile() throws {
        try Environment.open(.init(path)).put("a", "1")
        try #require(chown(path, 12_345, 12_345) == 0)
        #expect(try Environment.open(.init(path)).put("a", "2").text("a") == "2")
    }

    @Test func aSeedThatIsNoFile() async throws {
        try #require(mkfifo(directory.file("seed"), 0o600) == 0)
        await #expect(processExitsWith: .success) {
            [path = path as String, seed = directory.file("seed") as String] in
            alarm(20)
            try #require(
                storageCode { try Environment.open(.init(path) { $0.seedPath = seed }) }
                    == .notAnEnvironment)
        }
    }

    // MARK: A directory that may not be written

    /// Reading needs the small files only beside a writer: whichever of them is missing.
    @Test(
        .enabled(if: EnvironmentFailureTests.isRoot),
        arguments: [[], [".control"], ["-lock"], [".control", "-lock"]])
    func readingInADirectoryThatMayNotBeWritten(missing: [String]) async throws {
        try #require(chmod(directory.path, 0o777) == 0)
        await #expect(processExitsWith: .success) { [path = path as String] in
            try #require(setgid(65_534) == 0 && setuid(65_534) == 0)
            try Environment.open(.init(path)).put("a", "1")
        }
        for name in missing { unlink(path + name) }
        try #require(chmod(directory.path, 0o555) == 0)
        let left = directory.names
        for permissions: mode_t in [0o644, 0o444] {
            for name in ["", ".control", "-lock"] { chmod(path + name, permissions) }
            await #expect(processExitsWith: .success) {
                [path = path as String, mayJoin = (missing.isEmpty && permissions == 0o644) as Bool]
                in
                try #require(setgid(65_534) == 0 && setuid(65_534) == 0)
                do {
                    let environment = try Environment.open(.init(path) { $0.access = .readOnly })
                    try #require(try environment.read().text("a") == "1")
                }
                try #require((storageCode { try Environment.open(.init(path)) } == nil) == mayJoin)
            }
            #expect(directory.names == left)
        }
        // Beside a writer it is refused, as no slot tells that writer what is being read.
        let environment = try Environment.open(.init(path))
        try environment.put("a", "2")
        if permissionsForbidSlots(missing) {
            await #expect(processExitsWith: .success) { [path = path as String] in
                try #require(setgid(65_534) == 0 && setuid(65_534) == 0)
                try #require(
                    storageCode { try Environment.open(.init(path) { $0.access = .readOnly }) }
                        == .permissionDenied)
            }
        }
        try environment.put("a", "3")
    }

    /// The writer, root, has made what was missing, for itself.
    private func permissionsForbidSlots(_ missing: [String]) -> Bool {
        access(path + "-lock", W_OK) == 0 || !missing.isEmpty
    }

    /// Without a control file, only the data file's own locks show that it is read.
    @Test(.enabled(if: EnvironmentFailureTests.isRoot))
    func aWriterIsRefusedBesideAReaderWithoutAControlFile() async throws {
        try Environment.open(.init(path)).put("a", "1")
        for name in [".control", "-lock"] { unlink(path + name) }
        try #require(chmod(directory.path, 0o555) == 0)
        await #expect(processExitsWith: .success) { [path = path as String] in
            typealias Fork = @convention(c) () -> pid_t
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
            var pipes: [Int32] = [0, 0]
            try #require(pipe(&pipes) == 0)
            let child = fork()
            if child == 0 {
                close(pipes[1])
                guard setgid(65_534) == 0, setuid(65_534) == 0,
                    let environment = try? Environment.open(.init(path) { $0.access = .readOnly })
                else { _exit(1) }
                // Tells that it reads by stopping, and ends with the pipe.
                raise(SIGSTOP)
                var byte: UInt8 = 0
                _ = read(pipes[0], &byte, 1)
                _exit((try? environment.read().text("a")) == "1" ? 0 : 2)
            }
            var status: Int32 = 0
            try #require(waitpid(child, &status, WUNTRACED) == child && status & 0xFF == 0x7F)
            try #require(storageCode { try Environment.open(.init(path)) } == .alreadyOpen)
            try #require(
                try Environment.open(.init(path) { $0.access = .readOnly }).read().text("a") == "1")
            kill(child, SIGCONT)
            close(pipes[1])
            try #require(waitpid(child, &status, 0) == child && status == 0)
            try Environment.open(.init(path)).put("a", "2")
        }
    }
}
