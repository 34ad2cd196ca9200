import FreeholdStorage

/// What a draft has added to integer properties since its base.
struct Increments {
    typealias Cell = Conflict.Place

    private(set) var amounts: [Cell: Int64] = [:]

    init(_ amounts: [Cell: Int64] = [:]) { self.amounts = amounts }

    mutating func add(_ amount: Int64, to cell: Cell) {
        let sum = amounts[cell, default: 0] &+ amount
        amounts[cell] = sum == 0 ? nil : sum
    }

    /// Adds those of a nested draft, which was saved, or of a step of undo.
    mutating func add(_ others: Increments) {
        for (cell, amount) in others.amounts { add(amount, to: cell) }
    }

    /// Takes away those that were saved.
    mutating func subtract(_ saved: Increments) {
        for (cell, amount) in saved.amounts { add(0 &- amount, to: cell) }
    }

    /// What takes all of them back.
    var inverse: Increments {
        var inverse = Increments()
        inverse.subtract(self)
        return inverse
    }

    /// Follows rows that got other keys.
    mutating func moveRows(_ moved: [TableID: [Int64: Int64]]) {
        if amounts.isEmpty || moved.isEmpty { return }
        var followed = Increments()
        for (cell, amount) in amounts {
            let row = moved[cell.table]?[cell.row] ?? cell.row
            followed.add(amount, to: Cell(table: cell.table, row: row, column: cell.column))
        }
        self = followed
    }

    /// What a merge adds to what others did. A value that was set beside is a value like any
    /// other.
    var counters: Counters { Counters(amounts: amounts) }
}
