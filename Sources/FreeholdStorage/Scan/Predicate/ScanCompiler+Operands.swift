/// Comparisons of computed values.
extension ScanCompiler {
    func compareOperands(
        _ left: ScanOperand, _ comparison: ScanComparison, _ right: ScanOperand, in table: TableView
    ) -> CompiledPredicate {
        if let simpler = simplify(left, comparison, right)
            ?? simplify(right, comparison.mirrored, left)
        {
            return compile(simpler, in: table)
        }
        guard let first = operand(left, in: table), let second = operand(right, in: table),
            first.kind.compares(with: second.kind)
        else { return ConstantPredicate(table: table, value: false) }
        let isOrdered = comparison != .equal && comparison != .notEqual
        if isOrdered && (first.kind.isUnordered || second.kind.isUnordered) {
            return ConstantPredicate(table: table, value: false)
        }
        if let a = first as? ConstantOperand, let b = second as? ConstantOperand {
            let holds = a.value.withOperandValue { a in
                b.value.withOperandValue {
                    OperandComparison.holds(a, comparison, $0, isMixed: false)
                }
            }
            return ConstantPredicate(table: table, value: holds)
        }
        return OperandsPredicate(table: table, first, comparison, second)
    }

    /// An equivalent predicate on columns, or on existence; nil if there is none.
    private func simplify(_ left: ScanOperand, _ comparison: ScanComparison, _ right: ScanOperand)
        -> ScanPredicate?
    {
        switch (left, right) {
        case (.path(let path), .constant(let value)): return .compare(path, comparison, value)
        case (.path(let path), .path(let other)): return .compareColumns(path, comparison, other)
        case (.count(let hop, let predicate), .constant(.integer(let number)))
        where predicate != .all:
            switch (comparison, number) {
            case (.greater, 0), (.greaterOrEqual, 1), (.notEqual, 0): return .any(hop, predicate)
            case (.equal, 0), (.less, 1), (.lessOrEqual, 0): return .not(.any(hop, predicate))
            default: return nil
            }
        default: return nil
        }
    }

    func compareText(
        _ text: ScanOperand, _ textOperator: ScanTextOperator, _ needle: ScanOperand,
        _ options: ScanTextOptions, in table: TableView
    ) -> CompiledPredicate {
        guard let first = operand(text, in: table), let second = operand(needle, in: table) else {
            return ConstantPredicate(table: table, value: false)
        }
        if first.kind == .type(.text) || first.kind == .any, case .path(let path) = text,
            case .constant(.text(let bytes)) = needle
        {
            return compile(.text(path, textOperator, bytes, options), in: table)
        }
        switch (first.kind, second.kind) {
        case (.any, _), (_, .any), (.null, _), (_, .null), (.type(.text), .type(.text)),
            (.type(.bytes), .type(.bytes)):
            return OperandTextPredicate(table: table, first, textOperator, second, options)
        default: return ConstantPredicate(table: table, value: false)
        }
    }

    /// Compiles an operand; nil if it has no comparable value.
    func operand(_ operand: ScanOperand, in table: TableView) -> Operand? {
        switch operand {
        case .constant(let value): return ConstantOperand(value)
        case .path(let path):
            guard let reader = ValueReader(path, in: table, source: source), !reader.hasElements
            else { return nil }
            return PathOperand(reader)
        case .mixed(let path, let steps):
            guard let reader = ValueReader(path, in: table, source: source), reader.type == .mixed,
                !reader.hasElements
            else { return nil }
            return PathOperand(reader, steps: steps)
        case .mapValue(let path, let key):
            guard let reader = ValueReader(path, in: table, source: source),
                let elements = reader.table.definition[path.column]?.collection,
                elements.shape == .map
            else { return nil }
            return MapValueOperand(reader, elements, key: key)
        case .count(let hop, let predicate):
            guard let walk = walk(hop, in: table) else { return nil }
            return CountOperand(
                walk, predicate == .all ? nil : compile(predicate, behind: walk.hop))
        case .aggregate(let aggregate, let hop, let path):
            guard let walk = walk(hop, in: table) else { return nil }
            var path = path
            if let elements = walk.hop.space as? CollectionTable {
                let target =
                    walk.hop.leadsToRows
                    ? elements.definition[CollectionTable.element]?.target : nil
                path = ElementScope(table: elements, target: target).path(path)
            }
            guard let reader = ValueReader(path, in: walk.hop.space, source: source),
                !reader.hasElements
            else { return nil }
            return AggregateOperand(aggregate, walk, reader)
        case .outer(let scope, let operand): return outer(scope, operand)
        }
    }
}
