import DebianIndex
import Foundation
import Testing

@Suite("Reading indexes")
struct IndexReaderTests {
    @Test(
        """
        several files: the newest version stays, the malformed and the absent are counted, \
        nothing else is lost
        """
    )
    func severalFiles() throws {
        try withTemporaryDirectory { root in
            let first = root.appendingPathComponent("first_Packages")
            let second = root.appendingPathComponent("second_Packages")
            try Data(
                """
                Package: a
                Version: 1
                Architecture: all

                Package: b
                Version: 1
                oops

                Package: gone
                Status: deinstall ok config-files
                """.utf8
            ).write(to: first)
            try Data(
                """
                Package: a
                Version: 2
                Architecture: all

                Package: c
                Version: 1
                Architecture: all
                Size: huge

                Package: d
                Version: 1
                Architecture: all
                """.utf8
            ).write(to: second)

            var reader = IndexReader()
            var told: [String] = []
            var progress: [Int] = []
            for file in [first, second] {
                try reader.read(
                    PackageSource(path: file.path, origin: .file),
                    onIssue: { told.append("\($0)") },
                    onProgress: { progress.append($0) }
                )
            }
            #expect(
                reader.packages.sorted().map { "\($0.id) \($0.version)" } == ["a:all 2", "d:all 1"])
            #expect(reader.stanzaCount == 6)
            #expect(reader.supersededCount == 1)
            #expect(reader.absentCount == 1)
            #expect(
                told == [
                    """
                    \(first.path):7: the line is neither 'Name: value' nor the \
                    continuation of one (in the stanza of b)
                    """,
                    "\(second.path):8: the field 'Size' is not a count (in the stanza of c)",
                ])
            #expect(reader.issues.map(\.description) == told)
            #expect(progress.last == 6)
            #expect(progress == progress.sorted())
        }
    }

    /// The machine's own index is the best test of real input; every Debian machine has one.
    @Test(
        "this machine's index is read without a single issue", .enabled(if: !machineSources.isEmpty)
    )
    func thisMachine() throws {
        var reader = IndexReader()
        for source in machineSources { try reader.read(source) }
        #expect(reader.issues == [])
        #expect(reader.packages.count > 0)
        #expect(
            reader.stanzaCount == reader.packages.count + reader.supersededCount
                + reader.absentCount)
        for record in reader.packages.sorted().prefix(2_000) {
            #expect(!record.name.isEmpty && !record.summary.contains("\n"))
        }
        print(
            """
            \(reader.stanzaCount) stanzas, \(reader.packages.count) packages, \
            \(reader.supersededCount) superseded
            """
        )
    }

    @Test(
        "dpkg's status file is read as dpkg itself counts it",
        .enabled(if: FileManager.default.fileExists(atPath: status)))
    func dpkgStatus() throws {
        var reader = IndexReader()
        try reader.read(PackageSource(path: status, origin: .dpkgStatus))
        #expect(reader.issues == [])
        let format = "${db:Status-Status} ${Package}:${Architecture} ${Version}\\n"
        let lines = String(
            decoding: try run("/usr/bin/dpkg-query", "-W", "-f", format).output, as: UTF8.self
        )
        .split(separator: "\n")
        .map { $0.split(separator: " ") }
        let expected =
            lines
            .filter { !["config-files", "not-installed", "half-installed"].contains($0[0]) }
            .sorted { $0[1] < $1[1] }
            .map { "\($0[1]) \($0[2])" }
        #expect(reader.packages.sorted().map { "\($0.id) \($0.version)" } == expected)
    }
}

private let status = "/var/lib/dpkg/status"
private let machineSources = (try? PackageSource.discover()) ?? []
