import FreeholdStorage

/// What a draft has added to integer properties since its base.
struct Increments {
    typealias Cell = Conflict.Place

    private(set) var amounts: [Cell: Int64] = [:]

    init(_ amounts: [Cell: Int64] = [:]) { self.amounts = amounts }

    mutating func add(_ amount: Int64, to cell: Cell) { amounts[cell, default: 0] &+= amount }

    /// Adds those of a nested draft, which was saved.
    mutating func add(_ others: Increments) {
        for (cell, amount) in others.amounts { add(amount, to: cell) }
    }

    /// Takes away those that were saved.
    mutating func subtract(_ saved: Increments) {
        for (cell, amount) in saved.amounts {
            let rest = amounts[cell, default: 0] &- amount
            amounts[cell] = rest == 0 ? nil : rest
        }
    }

    /// The sum of both sides' changes, if the draft has changed the value by increments alone.
    /// Nil otherwise, and if the sum is too great.
    func resolution(of conflict: Conflict) -> Resolution? {
        if amounts.isEmpty { return nil }
        guard conflict.kind == .value, let row = conflict.row, let column = conflict.column,
            let amount = amounts[Cell(table: conflict.table, row: row, column: column)],
            case .plain(.integer(let base))? = conflict.base,
            case .plain(.integer(let mine))? = conflict.mine,
            case .plain(.integer(let theirs))? = conflict.theirs, mine == base &+ amount
        else { return nil }
        let (sum, isTooGreat) = theirs.addingReportingOverflow(amount)
        return isTooGreat ? nil : .value(.plain(.integer(sum)))
    }

    /// A resolver that settles increments itself, and asks another one for the rest.
    func resolving(_ resolve: @escaping ConflictResolver) -> ConflictResolver {
        if amounts.isEmpty { return resolve }
        return { resolution(of: $0) ?? resolve($0) }
    }
}
