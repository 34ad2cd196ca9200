import ArgumentParser
import Foundation
import FreeholdTestSupport
import TortureCalls

/// Runs scripts with faults, one after the other; says what it does on standard output. Run
/// with the fault shim.
struct FaultsRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "faults-run", shouldDisplay: false)

    @Option(help: "A .json file with faults; without it, the calls of the scripts are counted.")
    var faults: String?
    @Option var from = 0
    @Option var to = 0
    @Option var directory: String

    func run() throws {
        guard torture_has_faults() != 0 else {
            throw ValidationError("The fault shim is not preloaded.")
        }
        let (faults, from, to, directory) = (faults, from, to, directory)
        try runThreads(1) { _ in
            // What a process opens once.
            for scenario in Fault.Scenario.allCases {
                _ = try FaultScript(nil, scenario: scenario, directory: "\(directory)/first").run()
            }
            guard let faults else { return try Self.count(directory) }
            let list = try JSONDecoder().decode(
                [Fault].self, from: Data(contentsOf: URL(fileURLWithPath: faults)))
            for index in from..<min(to, list.count) {
                Self.say("begin \(index)")
                let script = FaultScript(
                    list[index], scenario: list[index].scenario, directory: "\(directory)/\(index)")
                let (fired, description) = try script.run()
                let word =
                    !script.problems.isEmpty
                    ? "bad" : fired == 0 ? "missed" : script.codes.isEmpty ? "survived" : "failed"
                let text =
                    script.problems.isEmpty
                    ? script.codes.joined(separator: ",")
                    : "(\(description)) " + script.problems.joined(separator: " ")
                Self.say("\(word) \(index) \(text.replacingOccurrences(of: "\n", with: " "))")
            }
        }
    }

    /// Says "calls scenario kind count".
    private static func count(_ directory: String) throws {
        for scenario in Fault.Scenario.allCases {
            let script = FaultScript(nil, scenario: scenario, directory: "\(directory)/\(scenario)")
            _ = try script.run()
            for kind in Fault.Kind.allCases {
                say("calls \(scenario) \(kind.rawValue) \(torture_calls(kind.rawValue))")
            }
            if let problem = script.problems.first { say("bad 0 \(problem)") }
        }
    }

    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
