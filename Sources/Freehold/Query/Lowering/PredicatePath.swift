import FreeholdStorage

/// Where a key path leads, as storage says it.
struct PredicatePath {
    /// The steps over collections, from the outside in. What follows is seen from what the last
    /// one leads to.
    var hops: [Hop] = []
    var place: Place
    var type: PredicateValueType

    struct Hop {
        /// Nil where the file lacks the class that the links come from: there are none.
        var hop: ScanHop?
        /// Of a step to the value of one key: the key, in UTF-8.
        var key: [UInt8]?
        /// Whether a comparison needs no word for "any": the step says so.
        var isImplicit: Bool { key != nil || isAnyElement }
        var isAnyElement = false
    }

    enum Place {
        case column(ScanPath)
        case operand(ScanOperand)
    }

    /// Whether the path leads to one value, or does not say "any" by a word.
    var isSingle: Bool { hops.allSatisfy(\.isImplicit) }

    var hasImplicitHop: Bool { hops.contains(where: \.isAnyElement) }

    var operand: ScanOperand {
        switch place {
        case .column(let path): .path(path)
        case .operand(let operand): operand
        }
    }

    // MARK: Conditions on the value

    func compared(_ comparison: ScanComparison, _ value: ScanValue) -> ScanPredicate {
        switch place {
        case .column(let path): .compare(path, comparison, value)
        case .operand(let operand): .compareOperands(operand, comparison, .constant(value))
        }
    }

    func between(_ lower: ScanValue, _ upper: ScanValue, includesUpper: Bool) -> ScanPredicate {
        if case .column(let path) = place {
            return .between(path, lower, upper, includesUpper: includesUpper)
        }
        return .and([
            compared(.greaterOrEqual, lower), compared(includesUpper ? .lessOrEqual : .less, upper),
        ])
    }

    /// A condition on what the hops lead to, as one on where they start: of any of it, it holds.
    /// - Parameter holdsForNull: Whether the condition holds for null, which a map has under
    ///   keys that it lacks.
    func wrapped(_ condition: ScanPredicate, holdsForNull: Bool) -> ScanPredicate {
        var condition = condition
        var holdsForNull = holdsForNull
        for step in hops.reversed() {
            guard let hop = step.hop else { return .none }
            if let key = step.key {
                let isKey = ScanPredicate.compare(ScanPath(column: .elementKey), .equal, .text(key))
                condition =
                    holdsForNull
                    ? .not(.any(hop, .and([isKey, .not(condition)])))
                    : .any(hop, .and([isKey, condition]))
            } else {
                if case .none = condition { return .none }
                condition = .any(hop, condition)
                holdsForNull = false
            }
        }
        return condition
    }
}
