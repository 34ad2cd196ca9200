/// Predicates on two columns.
extension ScanCompiler {
    func compareColumns(
        _ left: ScanPath, _ comparison: ScanComparison, _ right: ScanPath, in table: TableView
    ) -> CompiledPredicate {
        guard let first = ValueReader(left, in: table, source: source),
            let second = ValueReader(right, in: table, source: source),
            !first.hasElements, !second.hasElements
        else { return ConstantPredicate(table: table, value: false) }
        // Decimals are also compared with other numbers one value at a time.
        let mixesDecimals = mixesDecimals(first.type, second.type)
        if first.type == .mixed || second.type == .mixed || mixesDecimals {
            let (a, b) = (
                PathOperand(first, keysAreNumbers: mixesDecimals),
                PathOperand(second, keysAreNumbers: mixesDecimals)
            )
            let isOrdered = comparison != .equal && comparison != .notEqual
            if isOrdered && (a.kind.isUnordered || b.kind.isUnordered) {
                return ConstantPredicate(table: table, value: false)
            }
            return OperandsPredicate(table: table, a, comparison, b)
        }
        guard let kind = commonKind(first.type, second.type) else {
            return ConstantPredicate(table: table, value: false)
        }
        let isOrdered = comparison != .equal && comparison != .notEqual
        if isOrdered && (first.type == .boolean || first.type == .link || second.type == .link) {
            return ConstantPredicate(table: table, value: false)
        }
        return ColumnsPredicate(table: table, left: first, comparison, right: second, kind: kind)
    }

    private func mixesDecimals(_ a: ColumnType, _ b: ColumnType) -> Bool {
        switch (a, b) {
        case (.decimal, .integer), (.decimal, .float), (.decimal, .double), (.integer, .decimal),
            (.float, .decimal), (.double, .decimal):
            true
        default: false
        }
    }

    private func commonKind(_ a: ColumnType, _ b: ColumnType) -> ColumnsPredicate.Kind? {
        switch (a, b) {
        case (.integer, .integer), (.link, .link), (.integer, .link), (.link, .integer): .integers
        case (.double, .double), (.timestamp, .timestamp), (.double, .timestamp),
            (.timestamp, .double):
            .doubles
        case (.integer, .float), (.float, .integer), (.integer, .double), (.double, .integer),
            (.float, .float), (.float, .double), (.double, .float):
            .numbers
        case (.boolean, .boolean): .booleans
        case (.text, .text), (.bytes, .bytes): .text
        case (.decimal, .decimal): .wide
        default: a == b && a.isFixedValue ? a.isWide ? .wide : .integers : nil
        }
    }
}
