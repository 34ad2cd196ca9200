import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// Compactions that fail before anything has another name: the file stays what it is, and takes
/// changes.
@Suite("Environment: failing compactions") struct CompactionFailureTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    private static func compact(_ environment: Environment) throws {
        let grant = try environment.writer.begin()
        defer { grant.cancel() }
        try environment.compact(grant)
    }

    /// An older state of the file in the place of what was just written, as a medium that loses
    /// writes may have it.
    @Test func aNewFileThatIsNotWhatWasCopied() throws {
        do {
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            let older = try Data(contentsOf: URL(fileURLWithPath: path))
            try environment.put("b", "2")
            let code = storageCode {
                try SystemCalls.before(
                    "fsync", in: directory.path,
                    do: {
                        guard let file = FileHandle(forWritingAtPath: path + ".compacting") else {
                            return
                        }
                        try? file.truncate(atOffset: 0)
                        try? file.write(contentsOf: older)
                    }
                ) { try Self.compact(environment) }
            }
            #expect(code == .corrupted)
            #expect(try environment.read().text("b") == "2")
            try environment.put("c", "3")
            #expect(directory.names.filter { $0.contains("compacting") } == [])
            try Self.compact(environment)
        }
        let view = try Environment.open(.init(path)).read()
        #expect(try view.text("b") == "2" && view.text("c") == "3")
    }

    /// Whichever of its files a compaction gets no descriptor for.
    @Test func withoutADescriptor() async {
        await #expect(processExitsWith: .success) {
            [directory = directory.path as String, path = path as String] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
            var whole = rlimit()
            try #require(getrlimit(kind, &whole) == 0)
            var failures = 0
            var isDone = false
            while !isDone {
                let next = dup(0)
                close(next)
                var limit = whole
                limit.rlim_cur = rlim_t(Int(next) + failures)
                try #require(setrlimit(kind, &limit) == 0)
                let code = storageCode { try Self.compact(environment) }
                try #require(setrlimit(kind, &whole) == 0)
                isDone = code == nil
                if !isDone { failures += 1 }
                let refusal = storageCode { try environment.put("a", "\(failures)") }
                try #require(
                    refusal == nil,
                    """
                    \(failures) descriptors: \(String(describing: code)), \
                    \(String(describing: refusal))
                    """
                )
                let names = try FileManager.default.contentsOfDirectory(atPath: directory)
                try #require(names.allSatisfy { !$0.contains("compacting") }, "\(names)")
            }
            // The new file, its lock file and the directory at least.
            try #require(failures >= 3)
        }
    }

    /// The last descriptor that it needs is that of the directory: without it the names stay.
    @Test func withoutADescriptorForTheDirectory() async {
        await #expect(processExitsWith: .success) {
            [directory = directory.path as String, path = path as String] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
            var whole = rlimit()
            try #require(getrlimit(kind, &whole) == 0)
            let grant = try environment.writer.begin()
            var failure: StorageError?
            do {
                // The new file is whole, and is compared with the old one.
                try SystemCalls.before(
                    "mdb_stat", in: directory,
                    do: {
                        // Not even one that becomes free meanwhile serves again.
                        var limit = whole
                        limit.rlim_cur = 3
                        setrlimit(kind, &limit)
                    }
                ) { try environment.compact(grant) }
            } catch {
                failure = error as? StorageError
            }
            grant.cancel()
            try #require(setrlimit(kind, &whole) == 0)
            try #require(
                failure?.systemError == .tooManyOpenFiles
                    && failure?.message.contains("open the directory") == true,
                "\(String(describing: failure))")
            try environment.put("a", "2")
            try Self.compact(environment)
            try #require(try environment.read().text("a") == "2")
        }
    }
}
