/// The terms on the values of a column that are in an interval.
extension ScanCompiler {
    func integerTerm(
        _ interval: ScanLimits.Interval<Int64>, _ column: ColumnID, _ table: TableView
    ) -> ScanTerm {
        switch interval {
        case .interval(let range):
            IntegerTerm(table: table, column: column, interval: range, isInverted: false)
        case .complement(let range):
            IntegerTerm(table: table, column: column, interval: range, isInverted: true)
        case .all: ConstantTerm(table: table, value: true)
        case .none: ConstantTerm(table: table, value: false)
        }
    }

    func doubleTerm(
        _ interval: ScanLimits.Interval<Double>, _ column: ColumnID, _ table: TableView
    ) -> ScanTerm {
        switch interval {
        case .interval(let range):
            DoubleTerm(table: table, column: column, interval: range, isInverted: false)
        case .complement(let range):
            DoubleTerm(table: table, column: column, interval: range, isInverted: true)
        case .all: ConstantTerm(table: table, value: true)
        case .none: ConstantTerm(table: table, value: false)
        }
    }

    func floatTerm(
        _ interval: ScanLimits.Interval<Float>, _ column: ColumnID, _ table: TableView
    ) -> ScanTerm {
        switch interval {
        case .interval(let range):
            FloatTerm(table: table, column: column, interval: range, isInverted: false)
        case .complement(let range):
            FloatTerm(table: table, column: column, interval: range, isInverted: true)
        case .all: ConstantTerm(table: table, value: true)
        case .none: ConstantTerm(table: table, value: false)
        }
    }

    func wideTerm(
        _ kind: WideKind, _ interval: ScanLimits.Interval<UInt128>, _ column: ColumnID,
        _ table: TableView
    ) -> ScanTerm {
        switch interval {
        case .interval(let range):
            WideTerm(table: table, column: column, kind: kind, interval: range, isInverted: false)
        case .complement(let range):
            WideTerm(table: table, column: column, kind: kind, interval: range, isInverted: true)
        case .all: ConstantTerm(table: table, value: true)
        case .none: ConstantTerm(table: table, value: false)
        }
    }
}
