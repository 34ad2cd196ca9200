import FreeholdStorage

/// A set of Unicode scalars, as in `[a-z\d&&[^b]]`.
///
/// The first union, and operators with further ones: `&&` and `--` are evaluated from left to
/// right, after the unions. Case folding and then negation apply to the whole.
struct ScalarSet: Sendable {
    enum Operation: Sendable { case intersection, difference }

    /// The adjacent parts of a set.
    struct Union: Sendable {
        /// Sorted and disjoint after ``sort()``.
        var ranges: [ClosedRange<UInt32>] = []
        var properties: [(property: ScalarProperty, isNegated: Bool)] = []
        var sets: [ScalarSet] = []

        var isEmpty: Bool { ranges.isEmpty && properties.isEmpty && sets.isEmpty }
    }

    var first = Union()
    var rest: [(operation: Operation, operand: Union)] = []
    var isNegated = false
    /// Whether the set also contains scalars that differ from a member only by case.
    var ignoresCase = false
    /// The members below 128, one bit each.
    private var ascii: (UInt64, UInt64) = (0, 0)

    /// The number of parts. A test takes at most a constant time for each.
    var size: Int { rest.reduce(1 + first.size) { $0 + $1.operand.size } }

    /// Must be called when the set is complete.
    mutating func finish() {
        first.sort()
        for index in rest.indices { rest[index].operand.sort() }
        for value in UInt32(0)..<128 where holds(value) {
            if value < 64 { ascii.0 |= 1 << value } else { ascii.1 |= 1 << (value - 64) }
        }
    }

    @inline(__always)
    func contains(_ value: UInt32) -> Bool {
        if value < 64 { return ascii.0 >> value & 1 == 1 }
        if value < 128 { return ascii.1 >> (value - 64) & 1 == 1 }
        return holds(value)
    }

    @inline(never)
    private func holds(_ value: UInt32) -> Bool {
        // Inner sets that ignore case give the same answer for all variants. They are asked once;
        // otherwise the time would be exponential in the depth.
        let variants = ignoresCase ? CaseFolding.variants(of: value) : [value]
        let inner = first.folded(value)
        let innerRest = rest.map { $0.operand.folded(value) }
        let holds = variants.contains { variant in
            var holds = first.contains(variant, inner)
            for (index, (operation, operand)) in rest.enumerated() where holds {
                holds = operand.contains(variant, innerRest[index]) == (operation == .intersection)
            }
            return holds
        }
        return holds != isNegated
    }
}

extension ScalarSet {
    init(_ property: ScalarProperty, isNegated: Bool = false, ignoresCase: Bool = false) {
        first.properties = [(property, false)]
        self.isNegated = isNegated
        self.ignoresCase = ignoresCase
        finish()
    }
}

extension ScalarSet.Union {
    fileprivate var size: Int { ranges.count + properties.count + sets.reduce(0) { $0 + $1.size } }

    /// Whether an inner set that ignores case contains the scalar.
    fileprivate func folded(_ value: UInt32) -> Bool {
        sets.contains { $0.ignoresCase && $0.contains(value) }
    }

    /// - Parameter folded: The answer of ``folded(_:)`` for the scalar.
    fileprivate func contains(_ value: UInt32, _ folded: Bool) -> Bool {
        if folded { return true }
        let position = ranges.indices.partitionPoint { ranges[$0].upperBound < value }
        if position < ranges.count, ranges[position].contains(value) { return true }
        if !properties.isEmpty, let scalar = Unicode.Scalar(value) {
            for (property, isNegated) in properties where property.holds(scalar) != isNegated {
                return true
            }
        }
        return sets.contains { !$0.ignoresCase && $0.contains(value) }
    }

    fileprivate mutating func sort() {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        ranges = merged
    }
}
