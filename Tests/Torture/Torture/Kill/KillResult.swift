import Foundation

/// What a run of `torture kill` has come to.
struct KillResult: Codable {
    var seed: UInt64
    var date = ISO8601DateFormatter().string(from: Date())
    var seconds = 0.0
    var kills = 0
    var files = 0
    /// How many processes were killed that worked in each way.
    var ways: [String: Int] = [:]
    var encryptedFiles = 0
    /// What operations of other processes took longer than otherwise, in milliseconds: after a
    /// kill, and at other moments.
    var heldUp: HoldUps.Summary?
    var heldUpOtherwise: HoldUps.Summary?
    var findings: [KillFinding] = []
    private var kept = HoldUps()
    private var keptOtherwise = HoldUps()

    private enum CodingKeys: CodingKey {
        case seed, date, seconds, kills, files, ways, encryptedFiles, heldUp, heldUpOtherwise,
            findings
    }

    init(seed: UInt64) { self.seed = seed }

    mutating func add(_ file: KilledFile) {
        ways.merge(file.killed) { $0 + $1 }
        if file.options.encrypted { encryptedFiles += 1 }
        kept.add(file.heldUp)
        keptOtherwise.add(file.heldUpOtherwise)
    }

    /// A machine that does other things, too, holds everyone up now and then: what counts is
    /// how much more kills do.
    mutating func judgeHoldUps() {
        let (kills, others) = (kept.summary, keptOtherwise.summary)
        (heldUp, heldUpOtherwise) = (kills, others)
        let allowed =
            max(2, kills.count / 100) + 3 * others.overHundred * kills.count / max(1, others.count)
        var problems: [String] = []
        if kills.overHundred > allowed {
            problems.append(
                """
                \(kills.overHundred) operations of \(kills.count) were held up for more \
                than 100 ms after a kill; \(others.overHundred) of \(others.count) \
                otherwise.
                """
            )
        }
        if kills.longest > max(1_000, 3 * others.longest) {
            problems.append(
                """
                An operation was held up for \(kills.longest) ms after a kill; \
                \(others.longest) otherwise.
                """
            )
        }
        if !problems.isEmpty {
            findings.append(
                KillFinding(
                    description: "all rounds", problems: problems, directory: "",
                    command: RunOptions.replay))
        }
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    var text: String {
        func line(_ summary: HoldUps.Summary?) -> String {
            summary.map {
                """
                median \($0.median) ms, 99 % \($0.ninetyNine), longest \($0.longest); \
                \($0.overHundred) of \($0.count) over 100 ms
                """
            } ?? ""
        }
        let ways = ways.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return """
            \(kills) kills of \(files) files (\(encryptedFiles) encrypted) in \(Int(seconds)) s: \
            \(findings.count) findings
            ways: \(ways.joined(separator: ", "))
            held up by a kill: \(line(heldUp))
            at other moments:  \(line(heldUpOtherwise))
            """
    }
}
