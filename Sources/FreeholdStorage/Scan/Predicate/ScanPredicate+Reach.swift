extension ScanPredicate {
    /// Whether the result depends only on rows of the table itself. May return false although
    /// it does.
    package var staysInTable: Bool {
        switch self {
        case .all, .none: true
        case .and(let operands), .or(let operands): operands.allSatisfy(\.staysInTable)
        case .not(let operand): operand.staysInTable
        case .compare(let path, _, _), .between(let path, _, _, _), .oneOf(let path, _),
            .text(let path, _, _, _), .matchesText(let path, _),
            .fullText(let path, _), .matchesNumbers(let path, _):
            path.links.isEmpty
        case .compareColumns(let a, _, let b): a.links.isEmpty && b.links.isEmpty
        case .any, .anyCompared, .compareOperands, .compareText, .scope, .at: false
        }
    }
}
