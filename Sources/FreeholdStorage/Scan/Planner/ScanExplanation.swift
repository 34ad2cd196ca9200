/// How a predicate is evaluated: what finds the candidates, and what is then asked of each.
package struct ScanExplanation: Hashable, Sendable, CustomStringConvertible {
    package enum Access: Hashable, Sendable {
        /// Some clusters of all that the table has are scanned.
        case scan(clusters: Int, of: Int)
        /// Rows are found by their keys, by indexes or by backlinks, as the text says.
        case lookup(String)
    }

    package var table: String
    package var access: Access
    /// What a candidate must satisfy besides; nil where all candidates match.
    package var rest: String?
    /// How many candidates the planner expects.
    package var estimatedRows: Int
    /// Whether the open transaction changed rows, so that the candidates of indexes are not all.
    package var isTouched: Bool
    /// How many rows matched when the plan was run; nil where it was not.
    package var matchingRows: Int?

    /// One line.
    package var description: String {
        var text =
            switch access {
            case .scan(let clusters, let all): "scan \(clusters) of \(all) clusters of \(table)" + (rest.map { ": \($0)" } ?? "")
            case .lookup(let name): name + (rest.map { ", then test \($0)" } ?? "")
            }
        if isTouched, case .lookup = access { text += ", and what the transaction changed" }
        text += "; about \(estimatedRows) row\(estimatedRows == 1 ? "" : "s")"
        if let matchingRows { text += ", found \(matchingRows)" }
        return text
    }
}
