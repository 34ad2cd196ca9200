/// Predicates on values in an interval.
extension ScanCompiler {
    func integerPredicate(
        _ interval: ScanLimits.Interval<Int64>, _ column: ColumnID, _ table: TableView
    ) -> CompiledPredicate {
        switch interval {
        case .interval(let range):
            IntegerPredicate(table: table, column: column, interval: range, isInverted: false)
        case .complement(let range):
            IntegerPredicate(table: table, column: column, interval: range, isInverted: true)
        case .all: ConstantPredicate(table: table, value: true)
        case .none: ConstantPredicate(table: table, value: false)
        }
    }

    func doublePredicate(
        _ interval: ScanLimits.Interval<Double>, _ column: ColumnID, _ table: TableView
    ) -> CompiledPredicate {
        switch interval {
        case .interval(let range):
            DoublePredicate(table: table, column: column, interval: range, isInverted: false)
        case .complement(let range):
            DoublePredicate(table: table, column: column, interval: range, isInverted: true)
        case .all: ConstantPredicate(table: table, value: true)
        case .none: ConstantPredicate(table: table, value: false)
        }
    }

    func floatPredicate(
        _ interval: ScanLimits.Interval<Float>, _ column: ColumnID, _ table: TableView
    ) -> CompiledPredicate {
        switch interval {
        case .interval(let range):
            FloatPredicate(table: table, column: column, interval: range, isInverted: false)
        case .complement(let range):
            FloatPredicate(table: table, column: column, interval: range, isInverted: true)
        case .all: ConstantPredicate(table: table, value: true)
        case .none: ConstantPredicate(table: table, value: false)
        }
    }

    func widePredicate(
        _ kind: ColumnType, _ interval: ScanLimits.Interval<UInt128>, _ column: ColumnID,
        _ table: TableView
    ) -> CompiledPredicate {
        switch interval {
        case .interval(let range):
            WidePredicate(
                table: table, column: column, kind: kind, interval: range, isInverted: false)
        case .complement(let range):
            WidePredicate(
                table: table, column: column, kind: kind, interval: range, isInverted: true)
        case .all: ConstantPredicate(table: table, value: true)
        case .none: ConstantPredicate(table: table, value: false)
        }
    }
}
