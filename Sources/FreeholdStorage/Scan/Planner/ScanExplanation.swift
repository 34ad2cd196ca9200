/// Describes how a predicate is evaluated: the access path to the candidates, and the tests of
/// each.
package struct ScanExplanation: Hashable, Sendable, CustomStringConvertible {
    package struct Access: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            /// A scan of some or all clusters.
            case scan
            /// Access by row keys.
            case rowKeys
            case index
            /// Access through the targets of links.
            case backlinks
            case fullText
            /// The union of several access paths.
            case union
        }

        package var kind: Kind
        /// The data that are read, such as "index age in 18 ... 30".
        package var text: String
        /// The planner's estimate of the number of candidates.
        package var estimatedRows: Int
        /// The number of candidates when the plan was run; nil if it was not.
        package var foundRows: Int?
        /// The parts of a union.
        package var parts: [Access]

        package init(
            kind: Kind, text: String, estimatedRows: Int, foundRows: Int? = nil,
            parts: [Access] = []
        ) {
            self.kind = kind
            self.text = text
            self.estimatedRows = estimatedRows
            self.foundRows = foundRows
            self.parts = parts
        }
    }

    package var table: String
    package var access: Access
    /// The remaining condition for a candidate; nil if all candidates match.
    package var rest: String?
    /// Whether the open transaction changed rows, so that indexes do not find all candidates.
    package var isDirty: Bool
    /// The number of matches when the plan was run; nil if it was not.
    package var matchingRows: Int?

    package var estimatedRows: Int { access.estimatedRows }

    /// The explanation in one line.
    package var description: String {
        var text = access.text
        if let rest { text += access.kind == .scan ? ": \(rest)" : ", then test \(rest)" }
        if isDirty { text += ", and what the transaction changed" }
        text += "; about \(estimatedRows) row\(estimatedRows == 1 ? "" : "s")"
        if let matchingRows { text += ", found \(matchingRows)" }
        return text
    }
}

extension ScanPlan {
    /// Explains the plan for people.
    ///
    /// - Parameter running: Whether to also evaluate it, for the actual numbers of rows.
    func explanation(running: Bool) throws(StorageError) -> ScanExplanation {
        var explained: ScanExplanation.Access
        if let access {
            explained = try access.explained(in: table, running: running)
            explained.estimatedRows = estimatedRows
        } else {
            let all = table.clusterCount
            explained = ScanExplanation.Access(
                kind: .scan,
                text: """
                    scan \(clusters.count) of \(all) cluster\(all == 1 ? "" : "s") of \
                    \(table.definition.name)
                    """, estimatedRows: estimatedRows)
        }
        return ScanExplanation(
            table: table.definition.name, access: explained,
            rest: access == nil
                ? (compiled as? ConstantPredicate)?.value == true ? nil : compiled.summary
                : rest?.summary, isDirty: table.isDirty && !(access?.isCurrent ?? true),
            matchingRows: running ? try count(ScanRun()) : nil)
    }
}

extension AccessPath {
    fileprivate func explained(in table: TableView, running: Bool) throws(StorageError)
        -> ScanExplanation.Access
    {
        if case .superset(let access) = self {
            return try access.explained(in: table, running: running)
        }
        var parts: [ScanExplanation.Access] = []
        if case .union(let accesses) = self {
            for access in accesses {
                parts.append(try access.explained(in: table, running: running))
            }
        }
        var found: Int?
        if running {
            var keys: [Int64] = []
            try appendKeys(in: table, to: &keys)
            found = Set(keys).count
        }
        return ScanExplanation.Access(
            kind: kind, text: summary(in: table),
            estimatedRows: try estimate(in: table, limit: table.count), foundRows: found,
            parts: parts)
    }

    private var kind: ScanExplanation.Access.Kind {
        switch self {
        case .rowKeys: .rowKeys
        case .equal, .range: .index
        case .backlinks: .backlinks
        case .words: .fullText
        case .union: .union
        case .superset(let access): access.kind
        }
    }

    private func summary(in table: TableView) -> String {
        func values(_ values: [ScanValue], of column: ColumnID) -> String {
            let type = table.type(of: column)
            let shown = values.map { type == .link ? Self.target($0) : $0.shown(as: type) }
            return shown.count == 1
                ? "== \(shown[0].summary)" : "in \(ScanValue.summary(of: shown))"
        }
        switch self {
        case .rowKeys(let keys):
            return keys.count == 1 ? "row \(keys[0])" : "\(keys.count) rows by their keys"
        case .equal(let column, let keys):
            return "index \(table.name(of: column)) \(values(keys, of: column))"
        case .range(let column, let from, let to):
            return """
                index \(table.name(of: column)) in \
                \(ScanBound.summary(from: from, to: to, table.type(of: column)))
                """
        case .backlinks(let column, _, let targets):
            let rows = targets.count == 1 ? "row \(targets[0])" : "\(targets.count) rows"
            return "backlinks \(table.name(of: column)) of \(rows)"
        case .words(let column, let query):
            return "full-text index \(table.name(of: column)) has \(query)"
        case .union(let parts):
            return "union of " + parts.map { $0.summary(in: table) }.joined(separator: " and ")
        case .superset(let access): return access.summary(in: table)
        }
    }

    private static func target(_ value: ScanValue) -> ScanValue {
        if case .integer(let key) = value { .link(RowKey(rawValue: key)) } else { value }
    }
}
