import DebianIndex
import Testing

@Suite("Package records")
struct PackageRecordTests {
    static let complete = """
        Package: libexample1
        Status: install ok installed
        Version: 1:2.0-1
        Installed-Size: 12
        Maintainer: "Jo Ann, IV" <Jo.Ann@Example.org>
        Architecture: amd64
        Essential: yes
        Description: a library
         It does things.
         .
           indented
        Homepage: https://example.org/
        Section: libs
        Priority: optional
        Size: 3456

        """

    @Test("a dependency field is names, of which several may be alternatives")
    func fields() throws {
        let stanza = try #require(
            firstStanza(
                """
                Package: a
                Version: 1
                Architecture: amd64
                Pre-Depends: libc6 (>= 2.34)
                Depends: default-mta | mail-transport-agent, python3:any (<< 4),  , \
                libstdc++6 [amd64]

                """))
        #expect(
            try PackageRecord(stanza)?.dependencies == [
                ["libc6"], ["default-mta", "mail-transport-agent"], ["python3"], ["libstdc++6"],
            ])
    }

    @Test("takes every field that is used")
    func complete() throws {
        let stanza = try #require(firstStanza(Self.complete))
        let record = try #require(try PackageRecord(stanza))
        #expect(record.id == "libexample1:amd64")
        #expect(record.version.text == "1:2.0-1")
        #expect(record.summary == "a library")
        #expect(record.details == "It does things.\n\n  indented")
        #expect(record.section == "libs")
        #expect(record.maintainer == Maintainer(name: "Jo Ann, IV", email: "jo.ann@example.org"))
        #expect(record.installedSize == 12 * 1_024)
        #expect(record.downloadSize == 3_456)
        #expect(record.priority == "optional")
        #expect(record.homepage == "https://example.org/")
        #expect(record.isEssential)
    }

    @Test("does without every field that is not needed")
    func minimal() throws {
        let stanza = try #require(
            firstStanza("Package: a\nVersion: 1\nArchitecture: all\nSection:\nDescription:\n"))
        let record = try #require(try PackageRecord(stanza))
        #expect(record.summary == "")
        #expect(record.details == nil)
        #expect(record.section == nil)
        #expect(record.maintainer == nil)
        #expect(record.installedSize == nil)
        #expect(record.downloadSize == nil)
        #expect(record.priority == nil)
        #expect(record.homepage == nil)
        #expect(!record.isEssential)
    }

    @Test(
        "a field that cannot be understood makes the stanza malformed, on its line",
        arguments: [
            ("Version: 1\nArchitecture: all", "'Package' is missing", 1, nil),
            ("Package:\nVersion: 1\nArchitecture: all", "'Package' is empty", 1, nil),
            ("Package: a\nArchitecture: all", "'Version' is missing", 1, "a"),
            ("Package: a\nVersion: 1", "'Architecture' is missing", 1, "a"),
            (
                "Package: a:b\nVersion: 1\nArchitecture: all", "'a:b' is not a package name", 1,
                "a:b"
            ),
            ("Package: a\nVersion: 1\nArchitecture: a b", "'a b' is not an architecture", 3, "a"),
            ("Package: a\nVersion: 1_2\nArchitecture: all", "'1_2' is not a version: ", 2, "a"),
            (
                "Package: a\nVersion: 1\nArchitecture: all\nInstalled-Size: 1k",
                "'Installed-Size' is not a count", 4, "a"
            ),
            (
                "Package: a\nVersion: 1\nArchitecture: all\nSize: -1", "'Size' is not a count", 4,
                "a"
            ),
            (
                "Package: a\nVersion: 1\nArchitecture: all\nInstalled-Size: 9223372036854775807",
                "'Installed-Size' is not a count", 4, "a"
            ),
        ] as [(String, String, Int, String?)])
    func malformed(text: String, reason: String, line: Int, name: String?) throws {
        let stanza = try #require(firstStanza(text))
        let fault = #expect(throws: MalformedStanza.self) { try PackageRecord(stanza) }
        #expect(fault?.reason.contains(reason) == true, "\(fault?.reason ?? "")")
        #expect(fault?.line == line)
        #expect(fault?.packageName == name)
    }

    @Test(
        "a package that dpkg only remembers is no package",
        arguments: [
            ("install ok installed", true), ("install ok unpacked", true),
            ("hold ok installed", true),
            ("deinstall ok config-files", false), ("unknown ok not-installed", false),
            ("install ok half-installed", false),
        ])
    func status(status: String, isThere: Bool) throws {
        let stanza = try #require(
            firstStanza("Package: a\nStatus: \(status)\nVersion: 1\nArchitecture: all\n"))
        #expect(try (PackageRecord(stanza) != nil) == isThere)
    }

    @Test(
        "maintainers are read in every form that occurs",
        arguments: [
            ("Ann <ann@example.org>", "Ann", "ann@example.org"),
            ("Ann<ANN@example.org>", "Ann", "ann@example.org"),
            ("\"Ann, B.\" <ann@example.org>", "Ann, B.", "ann@example.org"),
            ("<ann@example.org>", "ann@example.org", "ann@example.org"),
            ("Ann", "Ann", nil),
            ("Ann <>", "Ann", nil),
            ("A <b> C <c@d>", "A <b> C", "c@d"),
        ] as [(String, String, String?)])
    func maintainer(field: String, name: String, email: String?) {
        #expect(Maintainer(field: field) == Maintainer(name: name, email: email))
    }

    @Test("nothing is no maintainer", arguments: ["", "<>", " < > ", "\"\""])
    func noMaintainer(field: String) {
        #expect(Maintainer(field: field) == nil)
    }

    @Test("the newest version of a package stays, whatever the order")
    func newest() throws {
        let versions = ["1.9-1", "1.10-1", "1.10-1~rc1", "1:0.1", "2.0"]
        var random = SeededGenerator("newest")
        for _ in 0..<20 {
            var packages = NewestPackages()
            var added = 0
            for version in versions.shuffled(using: &random) {
                for architecture in ["amd64", "all"] {
                    let stanza = try #require(
                        firstStanza(
                            "Package: a\nVersion: \(version)\nArchitecture: \(architecture)\n"))
                    if try packages.add(#require(try PackageRecord(stanza))) { added += 1 }
                }
            }
            #expect(added == 2)
            #expect(packages.count == 2)
            #expect(packages.sorted().map(\.id) == ["a:all", "a:amd64"])
            #expect(
                packages.sorted().map(\.version.text) == ["1:0.1", "1:0.1"], "seed \(random.seed)")
        }
    }
}
