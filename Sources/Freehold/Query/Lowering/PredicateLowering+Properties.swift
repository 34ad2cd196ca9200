import FreeholdStorage

// Comparisons of two values of the same object.

extension PredicateLowering {
    func compareValues(_ comparison: PredicateComparison) throws(QueryError) -> ScanPredicate {
        let left = try resolve(comparison.left)
        let right = try resolve(comparison.right)
        var comparison = comparison
        // Numbers have no case.
        if !left.type.isText, left.type.type != .any { comparison = comparison.with(options: []) }
        if !left.hops.isEmpty || !right.hops.isEmpty {
            if !left.isSingle, !right.isSingle { throw PredicateErrors.twoCollections }
            if left.isSingle, !right.isSingle {
                return try compareElements(of: right, with: left, comparison, isMirrored: true)
            }
            return try compareElements(of: left, with: right, comparison, isMirrored: false)
        }
        if comparison.quantifier != .direct { throw PredicateErrors.quantifierWithoutCollection }
        let operation = comparison.operation
        if operation == .isIn { throw PredicateErrors.inWithoutList }
        if operation == .between { throw PredicateErrors.betweenWithoutList }
        try check(operation, comparison.options, for: left.type)
        guard left.type.isComparable(with: right.type) else {
            throw PredicateErrors.mismatch(left.type, right.type)
        }
        if let order = operation.comparison, comparison.options.isEmpty {
            if case .column(let first) = left.place, case .column(let second) = right.place,
                left.type.type != .any, right.type.type != .any
            {
                return .compareColumns(first, order, second)
            }
            return .compareOperands(left.operand, order, right.operand)
        }
        if operation.isOrdered { throw PredicateErrors.orderWithOptions }
        return .compareText(
            left.operand, try textOperator(operation), right.operand, comparison.options.lowered)
    }

    /// Compares the elements of collections with a value of the object that has them:
    /// `ANY dogs.age > limit`, `number IN numbers`.
    private func compareElements(
        of elements: PredicatePath, with value: PredicatePath, _ comparison: PredicateComparison,
        isMirrored: Bool
    ) throws(QueryError) -> ScanPredicate {
        var (operation, quantifier) = (comparison.operation, comparison.quantifier)
        if operation == .isIn, isMirrored, !elements.isSingle {
            operation = .equal
            if quantifier == .direct { quantifier = .any }
        }
        guard value.hops.isEmpty, elements.hops.allSatisfy({ $0.key == nil }),
            let order = operation.comparison, comparison.options.isEmpty
        else { throw PredicateErrors.collectionWithColumn(elements.type.name) }
        if !elements.isSingle, quantifier == .direct {
            throw PredicateErrors.collectionWithoutQuantifier
        }
        if elements.isSingle, quantifier != .direct, !elements.hasImplicitHop {
            throw PredicateErrors.quantifierWithoutCollection
        }
        try check(operation, [], for: elements.type)
        guard elements.type.isComparable(with: value.type) else {
            throw PredicateErrors.mismatch(elements.type, value.type)
        }
        func any(isNegated: Bool) -> ScanPredicate {
            var hops: [ScanHop] = []
            for step in elements.hops {
                // The file lacks the class that the links come from.
                guard let hop = step.hop else { return .none }
                hops.append(hop)
            }
            return .anyCompared(
                hops, elements.operand, isMirrored ? order.mirrored : order, value.operand,
                isNegated: isNegated)
        }
        return switch quantifier {
        case .direct, .any: any(isNegated: false)
        case .none: .not(any(isNegated: false))
        case .all: .not(any(isNegated: true))
        }
    }
}
