/// What was saved of a damaged file, and what was not.
package struct SalvageReport: Sendable, Codable {
    package struct Table: Sendable, Codable {
        package var name: String
        /// Rows that were written to the new file.
        package var rowCount = 0
        /// How many of these have at least one value that could not be read: null, zero or
        /// empty now, or a collection without some of its elements.
        package var incompleteRowCount = 0
        /// Rows that there were and that could not be read, as far as is known.
        package var lostRowCount = 0
        /// Links, elements of collections included, that were left out because what they link
        /// to was lost.
        package var lostLinkCount = 0
        /// How many rows miss a value, by the names of the columns.
        package var missingValueCounts: [String: Int] = [:]

        init(_ name: String) { self.name = name }
    }

    package var tables: [Table] = []
    /// What was found damaged, in sentences; at most ``greatestProblemCount``.
    package var problems: [String] = []

    /// Whether nothing was lost, as far as is known.
    package var isComplete: Bool {
        problems.isEmpty
            && tables.allSatisfy {
                $0.lostRowCount == 0 && $0.incompleteRowCount == 0 && $0.lostLinkCount == 0
            }
    }

    package static let greatestProblemCount = 1000

    mutating func note(_ problem: String) {
        if problems.count < Self.greatestProblemCount { problems.append(problem) }
    }
}
