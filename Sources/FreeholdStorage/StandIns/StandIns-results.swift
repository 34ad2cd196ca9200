/// What a row must satisfy.
///
/// Logic has two values. Null is a value like any other for `==` and `!=`: `== null` matches null, `!= value` matches null.
/// An ordered comparison with null on either side is false. A null link along a path makes the whole path null.
/// NaN compares as IEEE 754 says: `==` and the ordered comparisons are false, `!=` is true.
/// A comparison of types that have no common order (text with an integer column) matches nothing, whatever the operator.
package indirect enum ScanPredicate: Hashable, Sendable {
    case all
    case none
    /// True when every operand is; so true without operands.
    case and([ScanPredicate])
    /// True when any operand is; so false without operands.
    case or([ScanPredicate])
    case not(ScanPredicate)
    /// Numbers compare by their mathematical values whatever their types; text and bytes compare byte by byte, unsigned.
    case compare(ScanPath, ScanComparison, ScanValue)
    /// From the first value on, up to the second one. Null bounds match nothing.
    case between(ScanPath, ScanValue, ScanValue, includesUpper: Bool)
    /// Equal to one of the values, null included.
    case oneOf(ScanPath, [ScanValue])
    /// An operator on text or bytes and what it looks for.
    case text(ScanPath, ScanTextOperator, [UInt8], ScanTextOptions)
    /// Compares two values of the same row. Two nulls are equal.
    case compareColumns(ScanPath, ScanComparison, ScanPath)
}

/// Where a value is, seen from a row: the to-one links to follow, then the column of the table that the last one leads to.
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
    var mirrored: ScanComparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// Operators on text and bytes.
///
/// `contains`, `beginsWith` and `endsWith` are false for an empty needle. In `like`, `*` stands for any text and `?` for one
/// Unicode scalar (one byte in a column of bytes); there is no escape. All are false for null but `notEqual`, which is true.
package enum ScanTextOperator: UInt8, Hashable, Sendable, CaseIterable {
    case contains, beginsWith, endsWith, like, equal, notEqual
}

/// How text compares. In a column of bytes only ASCII letters have a case, and there are no diacritics.
package struct ScanTextOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Each scalar compares by its lowercase mapping; final sigma is a sigma. No locale.
    package static let caseInsensitive = ScanTextOptions(rawValue: 1)
    /// Text compares by its canonical decomposition without nonspacing marks.
    package static let diacriticInsensitive = ScanTextOptions(rawValue: 2)
}
/// A constant to compare a column with, or a value read from one.
package enum ScanValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case boolean(Bool)
    case float(Float)
    /// A double or a timestamp.
    case double(Double)
    /// UTF-8.
    case text([UInt8])
    case bytes([UInt8])
    /// In memory order, as ``ColumnView/fixed12(at:)`` returns them.
    case fixed12(UInt64, UInt32)
    /// In memory order, as ``ColumnView/fixed16(at:)`` returns them.
    case fixed16(UInt64, UInt64)
    /// A decimal128 in the binary integer encoding: low word, high word.
    case decimal(UInt64, UInt64)
    case link(RowKey)

    var isNull: Bool { self == .null }
}

package struct ScanSort: Hashable, Sendable {
    package var path: ScanPath
    package var ascending: Bool
    package init(path: ScanPath, ascending: Bool) { self.path = path; self.ascending = ascending }
}

package enum ScanSum { case integer(Int64), double(Double) }

package struct ScanEngine {
    package let source: TableSource
    package init(source: TableSource) { self.source = source }
    package func count(_ p: ScanPredicate, in table: TableView) throws(StorageError) -> Int { fatalError() }
    package func keys(_ p: ScanPredicate, in table: TableView) throws(StorageError) -> ContiguousArray<Int64> { fatalError() }
    package func firstKey(_ p: ScanPredicate, in table: TableView) throws(StorageError) -> Int64? { fatalError() }
    package func matches(_ p: ScanPredicate, key: RowKey, in table: TableView) throws(StorageError) -> Bool { fatalError() }
    package func sort(_ keys: ContiguousArray<Int64>?, in table: TableView, by: [ScanSort]) throws(StorageError) -> ContiguousArray<Int64> { fatalError() }
    package func sum(column: ColumnID, in table: TableView, predicate: ScanPredicate) throws(StorageError) -> ScanSum { fatalError() }
    package func minimum(column: ColumnID, in table: TableView, predicate: ScanPredicate) throws(StorageError) -> ScanValue? { fatalError() }
    package func maximum(column: ColumnID, in table: TableView, predicate: ScanPredicate) throws(StorageError) -> ScanValue? { fatalError() }
    package func average(column: ColumnID, in table: TableView, predicate: ScanPredicate) throws(StorageError) -> Double? { fatalError() }
    package func forEachDecimal(column: ColumnID, in table: TableView, predicate: ScanPredicate, _ body: (UInt64, UInt64) -> Void) throws(StorageError) { fatalError() }
}

extension Store {
    /// Remembers damage that was found where nothing can be thrown.
    package func noteDamage(_ error: StorageError) { corruption.note(error) }
}
