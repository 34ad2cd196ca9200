import Foundation

/// A picture of `--scale`: for each work its cost beside that with the fewest objects. Both axes
/// are logarithmic, so a cost that does not depend on the number of objects is level, and one that
/// is proportional to it is the dashed line.
struct ScalePlot {
    let runs: [ScaleRun]

    private let width = 880
    private let height = 520
    private let left = 60.0
    private let right = 620.0
    private let top = 30.0
    private let bottom = 470.0
    /// The costs at the lower and upper edge, beside that with the fewest objects.
    private let least = 0.25
    private let most = 64.0

    private static let colours = [
        "#0b6e99", "#d1495b", "#2e933c", "#8d6a9f", "#e28413", "#00798c", "#6b4226", "#c2185b",
        "#556b2f", "#3f51b5", "#616161",
    ]

    private func x(_ count: Int) -> Double {
        guard let first = runs.first?.count, let last = runs.last?.count, last > first else {
            return left
        }
        return left + (right - left) * log(Double(count) / Double(first))
            / log(Double(last) / Double(first))
    }

    private func y(_ ratio: Double) -> Double {
        let place = log(min(max(ratio, least), most) / least) / log(most / least)
        return bottom - (bottom - top) * place
    }

    var svg: String {
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)"
            font-family="sans-serif" font-size="13">
            """,
            "<title>Costs by the number of objects</title>",
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        ]
        lines += axes
        for (index, work) in labelled.enumerated() { lines += line(work, index) }
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private var axes: [String] {
        var lines: [String] = []
        for ratio in [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64] {
            let y = number(y(ratio))
            let text = ratio < 1 ? "\(ratio)" : "\(Int(ratio))"
            lines.append(
                """
                <path d="M\(number(left)) \(y)H\(number(right))" stroke="#dddddd"/>
                <text x="\(number(left - 8))" y="\(y)" dy="4" text-anchor="end">\(text) x</text>
                """)
        }
        for run in runs {
            lines.append(
                """
                <text x="\(number(x(run.count)))" y="\(number(bottom + 22))" \
                text-anchor="middle">\(run.count / 1_000_000) M objects</text>
                """)
        }
        if let first = runs.first?.count, let last = runs.last?.count {
            let (end, slope) = (x(last), y(Double(last) / Double(first)))
            lines.append(
                """
                <path d="M\(number(left)) \(number(y(1)))L\(number(end)) \(number(slope))" \
                stroke="#999999" stroke-dasharray="5 5" fill="none"/>
                <text x="\(number(end + 8))" y="\(number(slope))" dy="4" \
                fill="#777777">proportional to the objects</text>
                """)
        }
        return lines
    }

    /// The works with the height of their labels, from the top, so that no two overlap.
    private var labelled: [(work: ScaleWork, label: Double)] {
        let ends = ScaleWork.allCases.compactMap { work in
            ratios(work).last.map { (work: work, label: y($0.ratio)) }
        }
        var placed: [(work: ScaleWork, label: Double)] = []
        for end in ends.sorted(by: { $0.label < $1.label }) {
            let lowest = placed.last.map { $0.label + 16 } ?? top + 24
            placed.append((end.work, max(end.label, lowest)))
        }
        return placed
    }

    private func ratios(_ work: ScaleWork) -> [(count: Int, ratio: Double)] {
        guard let base = runs.first?.values[work], base > 0 else { return [] }
        return runs.compactMap { run in run.values[work].map { (run.count, $0 / base) } }
    }

    private func line(_ item: (work: ScaleWork, label: Double), _ index: Int) -> [String] {
        let points = ratios(item.work).map { "\(number(x($0.count))) \(number(y($0.ratio)))" }
        let colour = Self.colours[index % Self.colours.count]
        let label = number(right + 30)
        return [
            """
            <path d="M\(points.joined(separator: "L"))" stroke="\(colour)" stroke-width="2"
            fill="none"/>
            """,
            "<text x=\"\(label)\" y=\"\(number(item.label))\" dy=\"4\" fill=\"\(colour)\">"
                + "\(item.work.rawValue)</text>",
        ]
    }

    private func number(_ value: Double) -> String { HumanFormat.fixed(value, digits: 1) }
}
