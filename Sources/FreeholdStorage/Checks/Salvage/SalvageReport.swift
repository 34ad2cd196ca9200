/// The result of a salvage: what was saved, and what was lost.
package struct SalvageReport: Sendable, Codable {
    package struct Table: Sendable, Codable {
        package var name: String
        /// The number of rows written to the new file.
        package var rowCount = 0
        /// The number of these rows with at least one unreadable value. Such a value becomes
        /// null, zero or empty, or a collection that lacks some of its elements.
        package var incompleteRowCount = 0
        /// The number of rows that were lost, as far as it is known.
        package var lostRowCount = 0
        /// The number of links, including elements of collections, that were dropped because
        /// their targets were lost.
        package var lostLinkCount = 0
        /// The number of rows that lack a value, by column name.
        package var missingValueCounts: [String: Int] = [:]

        init(_ name: String) { self.name = name }
    }

    package var tables: [Table] = []
    /// Descriptions of damage, in sentences; at most ``greatestProblemCount``.
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
