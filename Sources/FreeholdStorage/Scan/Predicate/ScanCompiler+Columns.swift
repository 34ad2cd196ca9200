/// Predicates on one column.
extension ScanCompiler {
    func compare(
        _ column: ColumnID, _ comparison: ScanComparison, _ value: ScanValue, in table: TableView
    ) -> CompiledPredicate {
        guard let type = table.type(of: column) else {
            return ConstantPredicate(table: table, value: false)
        }
        let value = value.fitted(to: type)
        if value.isNull {
            switch comparison {
            case .equal, .lessOrEqual, .greaterOrEqual:
                return NullPredicate(table: table, column: column, matchesNull: true)
            case .notEqual: return NullPredicate(table: table, column: column, matchesNull: false)
            case .less, .greater: return ConstantPredicate(table: table, value: false)
            }
        }
        let isEquality = comparison == .equal || comparison == .notEqual
        if case .object(let target) = value, type == .link || column == .rowKeys, isEquality {
            let own = column == .rowKeys ? table.id : table.definition[column]?.target
            guard target.table == own else {
                return ConstantPredicate(table: table, value: comparison == .notEqual)
            }
            return compare(column, comparison, .link(RowKey(rawValue: target.key)), in: table)
        }
        switch type {
        case .integer:
            // Row keys represent objects, which have no order. Elsewhere, numbers do not equal
            // objects.
            if case .link = value, column != .rowKeys || !isEquality {
                return ConstantPredicate(table: table, value: false)
            }
            return integerPredicate(ScanLimits.integerInterval(comparison, value), column, table)
        case .link:
            guard case .link = value, isEquality else {
                return ConstantPredicate(table: table, value: false)
            }
            return integerPredicate(ScanLimits.integerInterval(comparison, value), column, table)
        case .boolean:
            guard case .boolean(let boolean) = value, isEquality else {
                return ConstantPredicate(table: table, value: false)
            }
            let wanted = boolean == (comparison == .equal)
            return BooleanPredicate(
                table: table, column: column, matchesTrue: wanted, matchesFalse: !wanted,
                matchesNull: comparison == .notEqual)
        case .float:
            return floatPredicate(ScanLimits.floatInterval(comparison, value), column, table)
        case .double, .timestamp:
            return doublePredicate(ScanLimits.doubleInterval(comparison, value), column, table)
        case .mixed:
            return MixedComparisonPredicate(table: table, column: column, comparison, value)
        case .text, .bytes:
            guard let bytes = value.bytes(for: type) else {
                return ConstantPredicate(table: table, value: false)
            }
            let included = TextRangePredicate.Bound(bytes: bytes, isIncluded: true)
            let excluded = TextRangePredicate.Bound(bytes: bytes, isIncluded: false)
            switch comparison {
            case .equal:
                return TextEqualPredicate(
                    table: table, column: column, needle: bytes, isInverted: false, folding: nil)
            case .notEqual:
                return TextEqualPredicate(
                    table: table, column: column, needle: bytes, isInverted: true, folding: nil)
            case .less:
                return TextRangePredicate(table: table, column: column, lower: nil, upper: excluded)
            case .lessOrEqual:
                return TextRangePredicate(table: table, column: column, lower: nil, upper: included)
            case .greater:
                return TextRangePredicate(table: table, column: column, lower: excluded, upper: nil)
            case .greaterOrEqual:
                return TextRangePredicate(table: table, column: column, lower: included, upper: nil)
            }
        default:
            // Decimals and fixed values.
            return type.isWide
                ? widePredicate(
                    type, ScanLimits.wideInterval(comparison, value, type), column, table)
                : integerPredicate(
                    ScanLimits.integerInterval(comparison, value.integer(of: type)), column, table)
        }
    }

    func between(
        _ column: ColumnID, _ lower: ScanValue, _ upper: ScanValue, _ includesUpper: Bool,
        in table: TableView
    ) -> CompiledPredicate {
        guard let type = table.type(of: column) else {
            return ConstantPredicate(table: table, value: false)
        }
        let lower = lower.fitted(to: type)
        let upper = upper.fitted(to: type)
        switch type {
        case .integer:
            if case .link = lower { return ConstantPredicate(table: table, value: false) }
            if case .link = upper { return ConstantPredicate(table: table, value: false) }
            return integerPredicate(
                ScanLimits.between(
                    lower, upper, includesUpper: includesUpper, limit: ScanLimits.integerLimit),
                column, table)
        case .float:
            return floatPredicate(
                ScanLimits.between(
                    lower, upper, includesUpper: includesUpper, limit: ScanLimits.floatLimit),
                column, table)
        case .double, .timestamp:
            return doublePredicate(
                ScanLimits.between(
                    lower, upper, includesUpper: includesUpper, limit: ScanLimits.doubleLimit),
                column, table)
        case .mixed:
            if lower.isNull || upper.isNull { return ConstantPredicate(table: table, value: false) }
            return ConjunctionPredicate(
                table: table,
                operands: [
                    MixedComparisonPredicate(table: table, column: column, .greaterOrEqual, lower),
                    MixedComparisonPredicate(
                        table: table, column: column, includesUpper ? .lessOrEqual : .less, upper),
                ])
        case .text, .bytes:
            guard let first = lower.bytes(for: type), let last = upper.bytes(for: type) else {
                return ConstantPredicate(table: table, value: false)
            }
            return TextRangePredicate(
                table: table, column: column, lower: .init(bytes: first, isIncluded: true),
                upper: .init(bytes: last, isIncluded: includesUpper))
        case .boolean, .link: return ConstantPredicate(table: table, value: false)
        default:
            // Decimals and fixed values.
            if type.isWide {
                let interval = ScanLimits.between(lower, upper, includesUpper: includesUpper) {
                    ScanLimits.wideLimit($0, $1, isStrict: $2, type)
                }
                return widePredicate(type, interval, column, table)
            }
            return integerPredicate(
                ScanLimits.between(
                    lower.integer(of: type), upper.integer(of: type), includesUpper: includesUpper,
                    limit: ScanLimits.integerLimit), column, table)
        }
    }

    func oneOf(_ column: ColumnID, _ values: [ScanValue], in table: TableView) -> CompiledPredicate
    {
        let includesNull = values.contains(.null)
        let others = values.filter { !$0.isNull }
        let type = table.type(of: column)
        switch type?.layout {
        case .integers:
            var integers: ContiguousArray<Int64> = []
            for value in others {
                guard let compiled = compare(column, .equal, value, in: table) as? IntegerPredicate
                else { continue }
                integers.append(compiled.onlyValue)
            }
            let set = IntegerSet(integers)
            if set.isEmpty {
                return includesNull
                    ? NullPredicate(table: table, column: column, matchesNull: true)
                    : ConstantPredicate(table: table, value: false)
            }
            if set.count == 1 && !includesNull {
                return IntegerPredicate(
                    table: table, column: column, interval: set.values[0]...set.values[0],
                    isInverted: false)
            }
            return IntegerSetPredicate(
                table: table, column: column, set: set, matchesNull: includesNull)
        case .heap where type != .mixed:
            let needles = others.compactMap { value in type.flatMap { value.bytes(for: $0) } }
            if needles.count > 1 {
                let compiled = TextSetPredicate(table: table, column: column, needles: needles)
                if !includesNull { return compiled }
                return DisjunctionPredicate(
                    table: table,
                    operands: [
                        NullPredicate(table: table, column: column, matchesNull: true), compiled,
                    ])
            }
        case .bits:
            return BooleanPredicate(
                table: table, column: column, matchesTrue: others.contains(.boolean(true)),
                matchesFalse: others.contains(.boolean(false)), matchesNull: includesNull)
        default: break
        }
        var alternatives: [CompiledPredicate] = []
        for value in Set(values) {
            let compiled = compare(column, .equal, value, in: table)
            if !(compiled is ConstantPredicate) { alternatives.append(compiled) }
        }
        if alternatives.isEmpty { return ConstantPredicate(table: table, value: false) }
        return alternatives.count == 1
            ? alternatives[0] : DisjunctionPredicate(table: table, operands: alternatives)
    }

    func text(
        _ column: ColumnID, _ textOperator: ScanTextOperator, _ needle: [UInt8],
        _ options: ScanTextOptions, in table: TableView
    ) -> CompiledPredicate {
        guard let type = table.type(of: column), type.isVariableLength else {
            return ConstantPredicate(table: table, value: false)
        }
        if textOperator.isSearch, needle.isEmpty {
            return ConstantPredicate(table: table, value: false)
        }
        if type == .mixed {
            return MixedTextPredicate(table: table, column: column, textOperator, needle, options)
        }
        let folding = options.isEmpty ? nil : TextFolding(options: options, isBytes: type == .bytes)
        let folded = folding?.fold(needle) ?? needle
        // Folding may leave nothing, as of a diacritic.
        if textOperator.isSearch, folded.isEmpty {
            return ConstantPredicate(table: table, value: false)
        }
        return textOperator.compiled(column, folded, folding, in: table)
    }

    func fullText(_ column: ColumnID, _ query: FullTextQuery, in table: TableView)
        -> CompiledPredicate
    {
        if case .none = query { return ConstantPredicate(table: table, value: false) }
        guard table.type(of: column) == .text else {
            return ConstantPredicate(table: table, value: false)
        }
        return FullTextPredicate(table: table, column: column, query: query)
    }

    func matchesNumbers(_ column: ColumnID, _ matcher: ScanNumbersMatcher, in table: TableView)
        -> CompiledPredicate
    {
        guard let definition = table.definition[column], let elements = definition.collection,
            elements.shape == .list, elements.type == .double
        else { return ConstantPredicate(table: table, value: false) }
        return NumbersPredicate(CollectionHop(definition, elements, in: table), matcher)
    }

    func matchesText(_ column: ColumnID, _ matcher: ScanTextMatcher, in table: TableView)
        -> CompiledPredicate
    {
        switch table.type(of: column) {
        case .text: TextMatcherPredicate(table: table, column: column, matcher: matcher)
        case .mixed: MixedMatcherPredicate(table: table, column: column, matcher)
        default: ConstantPredicate(table: table, value: false)
        }
    }
}

extension ScanValue {
    /// The constant in the form that a column of a type needs: timestamps become doubles,
    /// except for mixed values.
    fileprivate func fitted(to type: ColumnType) -> ScanValue {
        if type == .timestamp, case .timestamp(let seconds) = self { return .double(seconds) }
        return self
    }

    /// The integer that a fixed value of a kind is stored as; null, which compares with no
    /// integer, of other values.
    fileprivate func integer(of kind: ColumnType) -> ScanValue {
        if case .fixed(let value) = self, value.kind == kind { return .integer(value.integer) }
        return .null
    }

    /// The bytes of a value that is comparable with a column of text, or of bytes.
    fileprivate func bytes(for type: ColumnType) -> [UInt8]? {
        switch (type, self) {
        case (.text, .text(let bytes)), (.bytes, .bytes(let bytes)): bytes
        default: nil
        }
    }
}
