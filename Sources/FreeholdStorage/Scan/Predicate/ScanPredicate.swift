/// What a row must satisfy.
///
/// Logic has two values. Null is a value like any other for `==` and `!=`: `== null` matches
/// null, `!= value` matches null. Null has no order, but two nulls satisfy `<=` and `>=`. A
/// null link along a path makes the whole path null. NaN compares as IEEE 754 says: `==` and
/// the ordered comparisons are false, `!=` is true. A comparison of types that have no common
/// order (text with an integer column) matches nothing, whatever the operator.
package enum ScanPredicate: Hashable, Sendable {
    case all
    case none
    /// True when every operand is; so true without operands.
    case and([ScanPredicate])
    /// True when any operand is; so false without operands.
    case or([ScanPredicate])
    indirect case not(ScanPredicate)
    /// Numbers compare by their mathematical values whatever their types; text and bytes
    /// compare byte by byte, unsigned.
    case compare(ScanPath, ScanComparison, ScanValue)
    /// From the first value on, up to the second one. Null bounds match nothing.
    case between(ScanPath, ScanValue, ScanValue, includesUpper: Bool)
    /// Equal to one of the values, null included.
    case oneOf(ScanPath, [ScanValue])
    /// An operator on text or bytes and what it looks for.
    case text(ScanPath, ScanTextOperator, [UInt8], ScanTextOptions)
    /// Compares two values of the same row. Two nulls are equal.
    case compareColumns(ScanPath, ScanComparison, ScanPath)
    /// True where at least one of the rows or elements that a hop leads to satisfies the
    /// predicate, which is about that row or element.
    indirect case any(ScanHop, ScanPredicate)
    /// Names the row or element that the predicate is about, for what is said of it behind
    /// hops: by ``at(_:_:)`` and ``ScanOperand/outer(_:_:)``.
    indirect case scope(ScanScope, ScanPredicate)
    /// A predicate about the row or element that a scope around it names.
    indirect case at(ScanScope, ScanPredicate)
    /// True where something that hops lead to, one behind the other, has a value that compares
    /// with one of the row that they start from. The first operand is about the end of the
    /// hops, the second one about the row. Two nulls are equal.
    ///
    /// - Parameter isNegated: Whether it is true where the comparison does not hold for something.
    case anyCompared([ScanHop], ScanOperand, ScanComparison, ScanOperand, isNegated: Bool)
    /// Compares what is computed from a row. Two nulls are equal.
    case compareOperands(ScanOperand, ScanComparison, ScanOperand)
    /// An operator on text or bytes, of two values of the same row. A null needle matches where
    /// `compareOperands` says so for `equal` and `notEqual`, else nothing.
    case compareText(ScanOperand, ScanTextOperator, ScanOperand, ScanTextOptions)
    /// Whether a text satisfies what storage knows nothing of, a regular expression for
    /// example. False for null.
    case matchesText(ScanPath, ScanTextMatcher)
    /// Whether a text has the words of a search. False for null.
    case fullText(ScanPath, FullTextQuery)
    /// Whether the elements of a list of doubles satisfy what storage knows nothing of, a place
    /// in a region for example. The path ends in the list's column; false where a link on it is
    /// null.
    case matchesNumbers(ScanPath, ScanNumbersMatcher)
}

/// Where a value is, seen from a row: the to-one links to follow, then the column of the table
/// that the last one leads to.
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

    /// The comparison that holds with its sides exchanged.
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
