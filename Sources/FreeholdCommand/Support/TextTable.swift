import Foundation
import Freehold

/// A table with aligned columns that fits the terminal.
///
/// Rows stream: the widths come from the first ones, and later cells are cut to them on a
/// terminal, or stand out elsewhere.
struct TextTable {
    struct Column {
        let title: String
        var isRight = false
    }

    enum Tone { case plain, dim, strong, good, bad }

    struct Cell {
        let text: String
        var tone = Tone.plain

        init(_ text: String, _ tone: Tone = .plain) {
            self.text = text
            self.tone = tone
        }
    }

    private static let lookahead = 200

    private let columns: [Column]
    private let output: Output
    private let style: Style
    private let width: Int?
    private var pending: [[Cell]] = []
    private var widths: [Int]?

    init(_ columns: [Column], _ output: Output, _ options: OutputOptions) {
        self.columns = columns
        self.output = output
        style = options.style
        width = options.width
    }

    mutating func add(_ cells: [Cell]) throws {
        let cells = cells.map { Cell(Self.visible($0.text), $0.tone) }
        if let widths { return try print(cells, widths) }
        pending.append(cells)
        if pending.count >= Self.lookahead { try settle() }
    }

    mutating func add(_ texts: [String]) throws { try add(texts.map { Cell($0) }) }

    /// Prints what is left.
    mutating func finish() throws { if widths == nil { try settle() } }

    private mutating func settle() throws {
        var widths = columns.map { Self.width(of: $0.title) }
        for row in pending {
            for (index, cell) in row.enumerated() {
                widths[index] = max(widths[index], Self.width(of: cell.text))
            }
        }
        if let width { Self.fit(&widths, into: width - 2 * (columns.count - 1)) }
        self.widths = widths
        try print(columns.map { Cell($0.title, .strong) }, widths)
        try output.line(
            style.dim(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")))
        for row in pending { try print(row, widths) }
        pending = []
    }

    /// Takes room from the widest columns.
    private static func fit(_ widths: inout [Int], into room: Int) {
        let least = 4
        while widths.reduce(0, +) > room {
            guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
                widths[widest] > least
            else { return }
            let second =
                widths.indices.filter { $0 != widest }.map { widths[$0] }.max() ?? least
            let excess = widths.reduce(0, +) - room
            widths[widest] = max(
                least, min(widths[widest] - 1, max(second, widths[widest] - excess)))
        }
    }

    private func print(_ cells: [Cell], _ widths: [Int]) throws {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let text = width == nil ? cell.text : Self.cut(cell.text, to: widths[index])
            let padding = String(
                repeating: " ", count: max(0, widths[index] - Self.width(of: text)))
            let styled = styled(text, cell.tone)
            if index > 0 { line += "  " }
            if columns[index].isRight {
                line += padding + styled
            } else {
                line += styled + padding
            }
        }
        while line.utf8.last == 0x20 { line.removeLast() }
        try output.line(line)
    }

    private func styled(_ text: String, _ tone: Tone) -> String {
        if text.isEmpty { return "" }
        return switch tone {
        case .plain: text
        case .dim: style.dim(text)
        case .strong: style.bold(text)
        case .good: style.green(text)
        case .bad: style.red(text)
        }
    }

    // MARK: Texts

    /// The text on one line, without what moves the cursor.
    static func visible(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": shown += "⏎"
            case "\t": shown += "⇥"
            case "\r": shown += "␍"
            default:
                if scalar.properties.generalCategory == .control {
                    shown += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    shown.unicodeScalars.append(scalar)
                }
            }
        }
        return shown
    }

    static func width(of text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + $1.terminalWidth }
    }

    static func cut(_ text: String, to width: Int) -> String {
        if text.utf8.count <= width || Self.width(of: text) <= width { return text }
        var (shown, used) = ("", 0)
        for character in text {
            let cells = character.terminalWidth
            if used + cells > width - 1 { break }
            shown.append(character)
            used += cells
        }
        return shown + "…"
    }
}
