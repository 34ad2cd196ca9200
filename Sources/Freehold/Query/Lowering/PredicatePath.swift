import FreeholdStorage

/// The end of a key path, in terms of the storage.
struct PredicatePath {
    /// The steps over collections, from the outermost to the innermost. The place is relative to
    /// the last one.
    var hops: [Hop] = []
    var place: Place
    var type: PredicateValueType

    struct Hop {
        /// Nil if the file lacks the class that the links come from: there are none.
        var hop: ScanHop?
        /// The key in UTF-8, for a step to the value of one key.
        var key: [UInt8]?
        /// Whether a comparison needs no word for "any", because the step implies it.
        var isImplicit: Bool { key != nil || isAnyElement }
        var isAnyElement = false
    }

    enum Place {
        case column(ScanPath)
        case operand(ScanOperand)
    }

    /// Whether the path leads to one value, or implies "any" without the word.
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

    /// Turns a condition on what the hops lead to into one on where they start. It holds if the
    /// condition holds for any of the values.
    /// - Parameter holdsForNull: Whether the condition holds for null, which a map has for
    ///   missing keys.
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
