/// Rows of text in aligned columns, for people.
public struct Table {
    /// The alignment of a column.
    public enum Alignment: Sendable {
        case left, right
    }

    private let headings: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// Creates an empty table. Every row must have as many cells as there are columns.
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

    /// The lines of the table, the headings first, without trailing blanks. If `width` is given,
    /// longer lines are truncated and end in three dots.
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
