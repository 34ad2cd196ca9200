/// A condition on a row.
///
/// Logic has two values. For `==` and `!=`, null is an ordinary value: `== null` matches null,
/// and `!= value` matches null. Null has no order, but two nulls satisfy `<=` and `>=`. A null
/// link on a path makes the whole path null. NaN compares by IEEE 754: `==` and the ordered
/// comparisons are false, `!=` is true. A comparison of types without a common order (text with
/// an integer column) matches nothing, whatever the operator.
package enum ScanPredicate: Hashable, Sendable {
    case all
    case none
    /// True if every operand is; so true without operands.
    case and([ScanPredicate])
    /// True if any operand is; so false without operands.
    case or([ScanPredicate])
    indirect case not(ScanPredicate)
    /// Compares a value with a constant. Numbers of all types compare by mathematical value;
    /// text and bytes compare byte by byte, unsigned.
    case compare(ScanPath, ScanComparison, ScanValue)
    /// From the first value to the second one. Null bounds match nothing.
    case between(ScanPath, ScanValue, ScanValue, includesUpper: Bool)
    /// Equal to one of the values, null included.
    case oneOf(ScanPath, [ScanValue])
    /// An operator on text or bytes, with its needle.
    case text(ScanPath, ScanTextOperator, [UInt8], ScanTextOptions)
    /// Compares two values of the same row. Two nulls are equal.
    case compareColumns(ScanPath, ScanComparison, ScanPath)
    /// True where at least one of the rows or elements that a hop leads to satisfies the
    /// predicate, which is about that row or element. It is the only quantifier: "all" is
    /// `not(any(hop, not(predicate)))`, "none" is `not(any(hop, predicate))`.
    indirect case any(ScanHop, ScanPredicate)
    /// Names the row or element that the predicate is about, so that predicates behind hops can
    /// refer to it, by ``at(_:_:)`` and ``ScanOperand/outer(_:_:)``.
    indirect case scope(ScanScope, ScanPredicate)
    /// A predicate about the row or element of an enclosing scope.
    indirect case at(ScanScope, ScanPredicate)
    /// True if a value at the end of consecutive hops compares with a value of the row where
    /// they start. The first operand is about the end of the hops, the second about the row.
    /// Two nulls are equal.
    ///
    /// - Parameter isNegated: Whether to match instead if the comparison fails for at least one
    ///   value.
    case anyCompared([ScanHop], ScanOperand, ScanComparison, ScanOperand, isNegated: Bool)
    /// Compares two values computed from a row. Two nulls are equal.
    case compareOperands(ScanOperand, ScanComparison, ScanOperand)
    /// An operator on text or bytes, with two values of the same row. For a null needle,
    /// `equal` and `notEqual` behave as in `compareOperands`, and other operators match
    /// nothing.
    case compareText(ScanOperand, ScanTextOperator, ScanOperand, ScanTextOptions)
    /// Whether a text satisfies a test that storage does not implement, such as a regular
    /// expression. False for null.
    case matchesText(ScanPath, ScanTextMatcher)
    /// Whether a text matches a full-text query. False for null.
    case fullText(ScanPath, FullTextQuery)
    /// Whether a list of doubles satisfies a test that storage does not implement, such as a
    /// position in a region. The path ends in the list's column; false if one of its links is
    /// null.
    case matchesNumbers(ScanPath, ScanNumbersMatcher)
}

/// The place of a value, seen from a row: the to-one links to follow, then the column of the
/// last link's target table.
package struct ScanPath: Hashable, Sendable {
    package var links: [ColumnID]
    package var column: ColumnID

    package init(links: [ColumnID] = [], column: ColumnID) {
        self.links = links
        self.column = column
    }
}

package enum ScanComparison: UInt8, Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

    /// The comparison with its sides exchanged.
    package var mirrored: ScanComparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
