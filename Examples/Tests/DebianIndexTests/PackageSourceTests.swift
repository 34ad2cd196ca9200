import DebianIndex
import Foundation
import Testing

@Suite("Sources")
struct PackageSourceTests {
    private func write(_ text: String, _ root: URL, _ path: String) throws {
        let file = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test("apt's lists come before dpkg's status, which comes before nothing")
    func discovery() throws {
        try withTemporaryDirectory { root in
            #expect(try PackageSource.discover(root: root.path) == [])

            try write("", root, "var/lib/dpkg/status")
            let status = PackageSource(
                path: root.path + "/var/lib/dpkg/status", origin: .dpkgStatus)
            #expect(try PackageSource.discover(root: root.path) == [status])

            let lists = root.path + "/var/lib/apt/lists/"
            try write("", root, "var/lib/apt/lists/lock")
            try write("", root, "var/lib/apt/lists/x_InRelease")
            #expect(try PackageSource.discover(root: root.path) == [status])

            for name in [
                "b_Packages.lz4", "a_Packages", "a_Packages.xz", "c_Packages.diff_Index",
                "d_Translation-en",
            ] {
                try write("", root, "var/lib/apt/lists/" + name)
            }
            let found = try PackageSource.discover(root: root.path + "/")
            #expect(found.map(\.path) == [lists + "a_Packages", lists + "b_Packages.lz4"])
            #expect(found.map(\.isCompressed) == [false, true])
            #expect(found.allSatisfy { $0.origin == .aptList })
        }
    }

    @Test("a file that is missing is told from one that is damaged")
    func missing() throws {
        for path in ["/nonexistent/x_Packages", "/nonexistent/x_Packages.lz4"] {
            let error = #expect(throws: IndexError.self) {
                try PackageSource(path: path, origin: .file).read { _ in }
            }
            #expect(error?.code.description == "unreadable")
            #expect(error?.path == path)
        }
        let directory = #expect(throws: IndexError.self) {
            try PackageSource(path: "/", origin: .file).read { _ in }
        }
        #expect(directory?.code.description == "unreadable")
    }

    @Test("a decompressor that is missing or fails is an error that says so")
    func decompressor() throws {
        try withTemporaryDirectory { root in
            try write("x", root, "a_Packages.lz4")
            let source = PackageSource(path: root.path + "/a_Packages.lz4", origin: .file)
            for command in ["/nonexistent/helper", "/bin/false"] {
                let error = #expect(throws: IndexError.self) {
                    try source.read(decompressor: [command]) { _ in }
                }
                #expect(error?.code.description == "decompressionFailed")
                #expect(error?.message.contains(command) == true)
            }
        }
    }

    @Test("a failure of the reader ends a decompressor that is still running")
    func readerFails() throws {
        struct Enough: Error {}
        try withTemporaryDirectory { root in
            try write("x", root, "a_Packages.lz4")
            let source = PackageSource(path: root.path + "/a_Packages.lz4", origin: .file)
            #expect(throws: Enough.self) {
                // It never ends on its own.
                try source.read(decompressor: ["/bin/sh", "-c", "while echo y; do :; done"]) { _ in
                    throw Enough()
                }
            }
        }
    }

    @Test(
        "compressed files are read to their end, and damaged ones are refused",
        arguments: compressors)
    func compressed(program: String, ending: String) throws {
        try withTemporaryDirectory { root in
            let text = (0..<20_000).map { "Package: p\($0)\nVersion: \($0)\nArchitecture: all\n\n" }
                .joined()
            try write(text, root, "a_Packages")
            let file = root.appendingPathComponent("a_Packages" + ending)
            let packed = try run("/usr/bin/env", program, "-c", root.path + "/a_Packages").output
            try packed.write(to: file)
            let source = PackageSource(path: file.path, origin: .file)

            var reader = IndexReader()
            try reader.read(source)
            #expect(reader.packages.count == 20_000)
            #expect(reader.issues.isEmpty)

            try packed.prefix(packed.count / 2).write(to: file)
            var broken = IndexReader()
            let error = #expect(throws: IndexError.self) { try broken.read(source) }
            #expect(error?.code.description == "decompressionFailed")
            #expect(error?.path == file.path)
        }
    }
}

/// This machine's programs that create files in the forms that apt writes. Every Debian machine has
/// gzip.
private let compressors = [
    ("gzip", ".gz"), ("xz", ".xz"), ("lz4", ".lz4"), ("bzip2", ".bz2"), ("zstd", ".zst"),
]
.filter { program, ending in
    let source = PackageSource(path: "x" + ending, origin: .file)
    return FileManager.default.isExecutableFile(atPath: source.decompressor[0])
        && (try? run("/bin/sh", "-c", "command -v \(program)").status) == 0
}
