import ArgumentParser
import Foundation
import FreeholdStorage

/// How a command prints.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print for programs: one JSON value a line.")
    var json = false

    @Flag(name: .customLong("no-color"), help: "Print without colours. Also: NO_COLOR=1.")
    var hasNoColor = false

    @Flag(name: .customLong("no-pager"), help: "Print long output on the terminal itself.")
    var hasNoPager = false

    var hasColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        return !hasNoColor && !json && Terminal.isTerminal(1)
            && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    var style: Style { Style(isOn: hasColor) }

    /// The columns of the terminal; nil for pipes and files, which take lines of any length.
    var width: Int? { Terminal.isTerminal(1) ? Terminal.size?.columns ?? 80 : nil }
}

/// Colours.
struct Style {
    let isOn: Bool

    private func code(_ code: String, _ text: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    func bold(_ text: String) -> String { code("1", text) }
    func dim(_ text: String) -> String { code("2", text) }
    func red(_ text: String) -> String { code("31", text) }
    func green(_ text: String) -> String { code("32", text) }
    func yellow(_ text: String) -> String { code("33", text) }
    func blue(_ text: String) -> String { code("34", text) }
    func cyan(_ text: String) -> String { code("36", text) }
}
