import Foundation

/// What `--scale` prints: a table for people, and JSON for programs.
struct ScaleReport {
    let runs: [ScaleRun]

    var table: String {
        let head = pad("", 20) + runs.map { pad("\($0.count / 1_000_000) M", 14) }.joined()
        let lines = ScaleWork.allCases.map { work in
            pad(work.rawValue, 20)
                + runs.map { pad($0.values[work].map(work.text) ?? "", 14) }.joined()
                + "  " + work.summary
        }
        return ([head] + lines).joined(separator: "\n")
    }

    var json: Data {
        get throws {
            let rows = runs.map { run in
                Dictionary(
                    uniqueKeysWithValues: [("objects", Double(run.count))]
                        + run.values.map { ($0.key.rawValue, $0.value) })
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return try encoder.encode(rows)
        }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
