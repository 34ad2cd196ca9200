/// Rows of text in aligned columns, for people.
public struct Table {
    /// How a column is set.
    public enum Alignment: Sendable {
        case left, right
    }

    private let headings: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// An empty table. Every row has to have as many cells as there are columns.
    public init(_ columns: [(heading: String, alignment: Alignment)]) {
        precondition(!columns.isEmpty, "a table has columns")
        headings = columns.map(\.heading)
        alignments = columns.map(\.alignment)
    }

    /// Adds a row. Control characters are replaced.
    public mutating func add(_ cells: String...) {
        precondition(cells.count == headings.count, "a row has a cell for each column")
        rows.append(cells.map(\.printable))
    }

    /// The lines of the table, the headings first, without blanks at their ends. Lines longer
    /// than `width` columns, where that is given, are cut and end in three dots.
    public func lines(width: Int? = nil) -> [String] {
        let widths = headings.indices.map { column in
            rows.reduce(headings[column].count) { max($0, $1[column].count) }
        }
        return ([headings] + rows).map { cells in
            var line = ""
            for (column, cell) in cells.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += column == 0 ? "" : "  "
                line += alignments[column] == .left ? cell + padding : padding + cell
            }
            while line.last == " " { line.removeLast() }
            guard let width, width >= 4, line.count > width else { return line }
            return line.prefix(width - 3) + "..."
        }
    }
}
