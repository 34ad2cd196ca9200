import DebianIndex
import Foundation
import Testing

@Suite("Debian versions")
struct DebianVersionTests {
    /// Pairs as the policy and dpkg's own test suite have them: -1 the first is older, 0 equal,
    /// 1 newer.
    @Test(
        "compare as dpkg compares",
        arguments: [
            ("1.0", "1.0", 0), ("1.0", "1.00", 0), ("1.0", "0:1.0", 0), ("1.0", "1.0-0", 0),
            ("1.0-0", "1.0-00", 0),
            ("0", "0-0", 0), ("1.0", "1.1", -1), ("1.9", "1.10", -1), ("1.0-1", "1.0-2", -1),
            ("1.0-9", "1.0-10", -1),
            ("2:1", "1:9", 1), ("1:0", "9999", 1), ("1.0~rc1", "1.0", -1), ("1.0~~", "1.0~", -1),
            ("1.0~~a", "1.0~", -1),
            ("1.0~", "1.0", -1), ("1.0", "1.0a", -1), ("1.0a", "1.0+", -1), ("1.0+b1", "1.0.1", -1),
            ("1.0-1~bpo1", "1.0-1", -1),
            ("1.0-1", "1.0-1+b1", -1), ("a", "1", 1), ("1a2", "1a10", -1), ("1-1-1", "1-1-2", -1),
            ("1-1", "1-1-1", -1),
            ("1:1:1", "1:1:2", -1), ("Z", "a", -1), ("0~", "0", -1),
            ("99999999999999999999999999999", "100000000000000000000000000000", -1),
            ("1.00000000000000000000000000001", "1.1", 0), ("2147483647:1", "1:1", 1),
            ("1:9.2p1-2+deb12u7", "1:9.2p1-2+deb12u10", -1), ("6.1.0-0.deb11.5~bpo", "6.1.0-1", -1),
        ])
    func order(left: String, right: String, expected: Int) throws {
        let left = try DebianVersion(left)
        let right = try DebianVersion(right)
        #expect((left < right) == (expected < 0))
        #expect((right < left) == (expected > 0))
        #expect((left == right) == (expected == 0))
        #expect((right == left) == (expected == 0))
    }

    @Test(
        "what is not a version is refused with the reason",
        arguments: [
            ("", "the version is empty"),
            (":1", "the epoch before ':' is empty"),
            ("a:1", "is not a number"),
            ("-1:1", "is not a number"),
            ("+1:1", "is not a number"),
            ("2147483648:1", "is not a number"),
            ("1:", "the upstream version is empty"),
            ("-1", "the upstream version is empty"),
            ("1:-1", "the upstream version is empty"),
            ("1-", "the revision after '-' is empty"),
            ("1.0 2", "cannot contain the byte 32"),
            ("1_0", "cannot contain '_'"),
            ("1.0-1:2", "is not a number"),
            ("1:1.0-1:2", "cannot contain ':'"),
            ("1.0é", "cannot contain the byte 195"),
        ])
    func invalid(text: String, reason: String) {
        let error = #expect(throws: InvalidVersion.self) { try DebianVersion(text) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("the parts and the text are as written")
    func parts() throws {
        let version = try DebianVersion("1:2.0-1")
        #expect(version.epoch == 1)
        #expect(version.text == "1:2.0-1")
        #expect("\(version)" == "1:2.0-1")
    }

    @Test("random versions are ordered as the installed dpkg orders them", .enabled(if: hasDpkg))
    func againstDpkg() throws {
        var random = SeededGenerator("againstDpkg")
        let pieces = ["0", "00", "1", "9", "10", "a", "Z", "~", "~", ".", "+", "-", "b1", "rc"]
        var texts: [String] = []
        while texts.count < 40 {
            let text =
                (Bool.random(using: &random) ? "" : "\(Int.random(in: 0...2, using: &random)):")
                + "\(Int.random(in: 0...2, using: &random))"
                + (0..<Int.random(in: 0...5, using: &random)).map { _ in
                    pieces.randomElement(using: &random)!
                }.joined()
            if (try? DebianVersion(text)) != nil { texts.append(text) }
        }
        for _ in 0..<150 {
            let left = texts.randomElement(using: &random)!
            let right = texts.randomElement(using: &random)!
            let isOlder =
                try run("/usr/bin/dpkg", "--compare-versions", left, "lt", right).status == 0
            let isEqual =
                try run("/usr/bin/dpkg", "--compare-versions", left, "eq", right).status == 0
            #expect(
                try (DebianVersion(left) < DebianVersion(right)) == isOlder,
                "\(left) < \(right), seed \(random.seed)")
            #expect(
                try (DebianVersion(left) == DebianVersion(right)) == isEqual,
                "\(left) == \(right), seed \(random.seed)")
        }
    }
}

private let hasDpkg = FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg")
