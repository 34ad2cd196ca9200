import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Synchronization
import Testing

/// Files that are put in the place of an open one, and what would replace them.
@Suite("Environment: replaced files") struct FileReplacementTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    /// As a restored backup is put there.
    private func replaceByRestored() throws -> Data {
        let restored = directory.file("restored")
        do { try Environment.open(.init(restored)).put("a", "restored") }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: restored))
        try #require(rename(restored, path) == 0)
        return bytes
    }

    private func compact(_ environment: Environment) throws {
        let grant = try environment.writer.begin()
        defer { grant.cancel() }
        try environment.compact(grant)
    }

    /// LMDB opens both files by their paths, after they were judged.
    @Test(arguments: ["", "-lock"], ["mdb_env_open", "mdb_txn_begin read"])
    func aFileThatIsReplacedWhileLMDBOpensIt(companion: String, call: String) throws {
        do { try Environment.open(.init(path)).put("a", "1") }
        let (name, other) = (path + companion, directory.file("other"))
        // Of LMDB's files, too: nothing but their identity tells.
        try FileManager.default.copyItem(atPath: name, toPath: other)
        var code: StorageError.Code?
        SystemCalls.before(call, in: path, do: { rename(other, name) }) {
            code = storageCode { try Environment.open(.init(path)).put("a", "2") }
        }
        #expect(code == .replacedWhileOpen)
    }

    /// Two files with contents of their own, and what they are.
    private func twoFiles() throws -> (new: FileIdentity, old: FileIdentity) {
        try Data("new".utf8).write(to: URL(fileURLWithPath: path + ".new"))
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        return (try #require(FileIdentity.at(path + ".new")), try #require(FileIdentity.at(path)))
    }

    private func content(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// As networks do that ask again when an answer is lost.
    @Test(arguments: [EIO, ENOENT, EEXIST]) func aRenameThatIsDoneThoughItFails(error: Int32) throws
    {
        let (new, old) = try twoFiles()
        let failures = try SystemCalls.failing("renameat2 done", in: directory.path, with: error) {
            try FileReplacement.rename(path + ".new", new, over: path, old)
        }
        #expect(failures == 1)
        #expect(content(path) == "new" && content(path + ".new") == nil)
    }

    @Test(arguments: [EIO, ENOENT, EEXIST]) func aNewNameThatIsGivenThoughItFails(error: Int32)
        throws
    {
        let (new, _) = try twoFiles()
        try #require(unlink(path) == 0)
        let failures = try SystemCalls.failing("renameat2 done", in: directory.path, with: error) {
            try FileReplacement.rename(path + ".new", new, over: path, nil)
        }
        #expect(failures == 1)
        #expect(content(path) == "new" && content(path + ".new") == nil)
    }

    /// File systems that cannot exchange names, with a rename that is done though it fails.
    @Test(arguments: ["", "rename done"]) func aFileSystemWithoutExchanges(failing: String) throws {
        let (new, old) = try twoFiles()
        try SystemCalls.failing("renameat2", in: directory.path, with: ENOSYS) {
            try SystemCalls.failing(failing, in: directory.path, with: EIO) {
                try FileReplacement.rename(path + ".new", new, over: path, old)
            }
        }
        #expect(content(path) == "new" && content(path + ".new") == nil)
    }

    @Test func aFileSystemWithoutExclusiveRenames() throws {
        let (new, _) = try twoFiles()
        try SystemCalls.failing("renameat2", in: directory.path, with: EINVAL) {
            #expect(
                storageCode { try FileReplacement.rename(path + ".new", new, over: path, nil) }
                    == .replacedWhileOpen)
            #expect(content(path) == "old" && content(path + ".new") == "new")
            try #require(unlink(path) == 0)
            try FileReplacement.rename(path + ".new", new, over: path, nil)
        }
        #expect(content(path) == "new" && content(path + ".new") == nil)
    }

    @Test(arguments: [true, false]) func aRenameThatFailsChangesNothing(isNew: Bool) throws {
        let (new, old) = try twoFiles()
        if isNew { try #require(unlink(path) == 0) }
        SystemCalls.failing("renameat2", in: directory.path, with: EIO) {
            let code = storageCode {
                try FileReplacement.rename(path + ".new", new, over: path, isNew ? nil : old)
            }
            #expect(code != nil && code != .replacedWhileOpen)
        }
        #expect(content(path) == (isNew ? nil : "old") && content(path + ".new") == "new")
    }

    /// Who may read a file may read what comes in its place, or is copied of it; others may not.
    @Test(arguments: [0o600, 0o640, 0o664, 0o444] as [mode_t]) func permissionsAreThoseOfTheFile(
        mode: mode_t
    ) throws {
        func permissions(_ path: String) -> mode_t {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
        }
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        try #require(chmod(path, mode) == 0)
        let copy = directory.file("copy")
        try Environment.copy(try environment.read(), to: copy, key: nil)
        #expect(permissions(copy) == mode & 0o777)
        try compact(environment)
        #expect(permissions(path) == mode)
    }

    @Test func aCompactionReplacesNoOtherFile() throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        let restored = try replaceByRestored()
        let names = directory.names
        #expect(storageCode { try compact(environment) } == .replacedWhileOpen)
        #expect(FileManager.default.contents(atPath: path) == restored)
        #expect(directory.names == names)
        #expect(try environment.read().text("a") == "1")
    }

    /// At the last moment before the names change.
    @Test func aCompactionReplacesNoFileThatComesWhileItRuns() throws {
        for round in 0..<30 {
            let path = directory.file("\(round).realm")
            let restored = directory.file("restored \(round)")
            let environment = try Environment.open(.init(path) { $0.durability = .none })
            try environment.put("a", "1")
            _ = FileManager.default.createFile(atPath: restored, contents: Data("restored".utf8))
            try runThreads(2) { number in
                if number == 0 {
                    for _ in 0..<round * 200 { sched_yield() }
                    rename(restored, path)
                } else {
                    // Refused, or done before the other file came.
                    let grant = try environment.writer.begin()
                    defer { grant.cancel() }
                    let code = storageCode { try environment.compact(grant) }
                    #expect(code == nil || code == .replacedWhileOpen)
                }
            }
            #expect(
                FileManager.default.contents(atPath: path) == Data("restored".utf8),
                "round \(round)")
        }
    }

    /// A file is moved to a name again and again, by two programs: nothing that the other one
    /// has put there is ever lost.
    @Test func anExchangeIsTakenBack() throws {
        let (from, to) = (directory.file("from"), directory.file("to"))
        func make(_ path: String, _ text: String) -> FileIdentity? {
            _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
            return FileIdentity.at(path)
        }
        for round in 0..<2_000 {
            let old = try #require(make(to, "old"))
            let new = try #require(make(from, "new"))
            let restored = directory.file("restored")
            _ = make(restored, "restored \(round)")
            let isReady = Atomic<Int>(0)
            let code = Shared<StorageError.Code?>(nil)
            try runThreads(2) { number in
                isReady.wrappingAdd(1, ordering: .relaxed)
                while isReady.load(ordering: .relaxed) < 2 {}
                if number == 0 {
                    rename(restored, to)
                } else {
                    let result = storageCode {
                        try FileReplacement.rename(from, new, over: to, old)
                    }
                    code.change { $0 = result }
                }
            }
            #expect(FileManager.default.contents(atPath: to) == Data("restored \(round)".utf8))
            #expect(code.value == nil || code.value == .replacedWhileOpen)
            unlink(from)
            unlink(to)
        }
    }

    @Test func aRenameReplacesOnlyWhatIsExpected() throws {
        let (from, to) = (directory.file("from"), directory.file("to"))
        for path in [from, to] {
            _ = FileManager.default.createFile(atPath: path, contents: Data(path.utf8))
        }
        let (new, old) = (try #require(FileIdentity.at(from)), try #require(FileIdentity.at(to)))
        let before = directory.contents
        for (identity, expected) in [(new, new), (old, old), (new, nil)] {
            #expect(
                storageCode { try FileReplacement.rename(from, identity, over: to, expected) }
                    == .replacedWhileOpen)
            #expect(directory.contents == before)
        }
        try FileReplacement.rename(from, new, over: to, old)
        #expect(directory.names == ["to"] && FileIdentity.at(to) == new)
    }

    /// What is committed to a file without its name is lost when the process ends.
    @Test(arguments: ["replaced", "deleted", "moved", "directory moved"])
    func aCommitToAFileThatIsNotAtItsPathFails(_ how: String) throws {
        let inner = directory.file("inner")
        try #require(mkdir(inner, 0o700) == 0)
        let path = inner + "/b.realm"
        let environment = try Environment.open(.init(path))
        let view = try environment.put("a", "1")
        let grant = try environment.writer.begin()
        switch how {
        case "replaced":
            try FileManager.default.copyItem(atPath: path, toPath: path + "2");
            rename(path, path + "3"); rename(path + "2", path)
        case "deleted": try #require(unlink(path) == 0)
        case "moved": rename(path, path + "3")
        default: rename(inner, inner + "3")
        }
        do {
            try grant.commit { try $0.put("a", "2") }
            Issue.record("Committed.")
        } catch {
            let error = try #require(error as? StorageError)
            #expect(error.code == .replacedWhileOpen, "\(error)")
            #expect(error.message.contains(path))
        }
        #expect(storageCode { try compact(environment) } == .replacedWhileOpen)
        #expect(try view.text("a") == "1")
        #expect(try environment.read() === view)
        // In its place again it is written to.
        switch how {
        case "replaced", "moved": rename(path + "3", path)
        case "directory moved": rename(inner + "3", inner)
        default: return
        }
        #expect(try environment.put("a", "3").text("a") == "3")
        try compact(environment)
        #expect(try environment.put("a", "4").text("a") == "4")
    }

    /// A temporary file's names are removed by its last user, unless they are another file's.
    @Test func whatReplacedATemporaryFileStays() throws {
        let code: StorageError.Code?
        do {
            let environment = try Environment.open(.init(path) { $0.isTemporary = true })
            try environment.put("a", "1")
            try #require(unlink(path) == 0)
            _ = FileManager.default.createFile(atPath: path, contents: Data("another".utf8))
            code = storageCode { try environment.put("a", "2") }
        }
        #expect(code == .replacedWhileOpen)
        // Closing ends on another thread.
        _ = storageCode { try Environment.open(.init(path)) }
        #expect(
            directory.names == ["a.realm"]
                && FileManager.default.contents(atPath: path) == Data("another".utf8))
    }

    /// A file is removed only if no process has it open, even one that lost its control file.
    @Test func aFileWithoutItsControlFileIsNotRemovedWhileItIsOpen() async throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        unlink(path + ".control")
        await #expect(processExitsWith: .success) { [path = path as String] in
            try #require(storageCode { try Environment.removeFiles(at: path) } == .alreadyOpen)
        }
        try environment.put("a", "2")
    }

    @Test func adirectoryInThePlaceOfASmallFileIsFoundBeforeAnythingIsRemoved() throws {
        try Environment.open(.init(path)).put("a", "1")
        try #require(mkdir(path + ".compacting", 0o700) == 0)
        #expect(storageCode { try Environment.removeFiles(at: path) } == .fileExists)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    /// The copy is another file by the time that LMDB opens it: it is refused, and not kept open.
    @Test func aCopyThatIsReplacedWhileLMDBOpensIt() throws {
        let copies = try TemporaryDirectory()
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        let view = try environment.read()
        let code = storageCode {
            try SystemCalls.before(
                "mdb_env_open", in: copies.path,
                do: {
                    for name in copies.names {
                        try? Data().write(to: URL(fileURLWithPath: copies.file("other")))
                        rename(copies.file("other"), copies.file(name))
                    }
                }
            ) { try Environment.copy(view, to: copies.file("copy"), key: nil) }
        }
        #expect(code == .replacedWhileOpen)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }
        #expect(open.filter { $0.hasPrefix(copies.path + "/") } == [])
    }
}
