/// A step from a row to any number of other rows, or to values.
///
/// A predicate behind a hop to rows is about a row of their table, whose identity is
/// ``ColumnID/rowKeys``. Behind a hop to values, it is about ``ColumnID/element``. Behind any
/// hop into a map, ``ColumnID/elementKey`` is the element's key; in a list inside of a mixed
/// value, it is null.
package struct ScanHop: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The elements of a collection: rows if they are links, else values. Null links lead
        /// nowhere, but predicates only about their keys are evaluated.
        case elements(ColumnID)
        /// The rows of a table that link to this row by a column of links or of collections of
        /// links, once for each link.
        case backlinks(TableID, ColumnID)
        /// The elements of a list or a map, at the end of some steps into a mixed value.
        case mixedElements(ColumnID, [ScanMixedStep])
    }

    /// To-one links to follow before the hop. A null link leads nowhere.
    package var links: [ColumnID]
    package var kind: Kind

    package init(links: [ColumnID] = [], _ kind: Kind) {
        self.links = links
        self.kind = kind
    }
}

/// One step into a mixed value. Yields null if there is no such element.
package enum ScanMixedStep: Hashable, Sendable {
    case key([UInt8])
    /// Negative indexes count from the end: -1 is the last element.
    case index(Int)
}

/// A value computed from a row.
package indirect enum ScanOperand: Hashable, Sendable {
    case constant(ScanValue)
    case path(ScanPath)
    /// The value at the end of some steps into a mixed value.
    case mixed(ScanPath, [ScanMixedStep])
    /// A map's value for a key; null if there is none.
    case mapValue(ScanPath, key: [UInt8])
    /// The number of a hop's targets that satisfy a predicate. ``ScanPredicate/all`` counts all
    /// elements of a collection, including null links.
    case count(ScanHop, where: ScanPredicate)
    /// An aggregate of the values at the end of a path from a hop's targets
    /// (``ColumnID/element`` for the elements themselves). Nulls are ignored; without values,
    /// `sum` is zero and the others are null.
    case aggregate(ScanAggregate, ScanHop, ScanPath)
    /// A value computed from the row or element of an enclosing scope.
    case outer(ScanScope, ScanOperand)
}

package enum ScanAggregate: UInt8, Hashable, Sendable, CaseIterable {
    case min, max, sum, average
}

/// A text test that storage does not implement. Two matchers are equal if they have the same
/// name.
package struct ScanTextMatcher: Hashable, Sendable {
    /// The name of the test, for people and for equality.
    package let name: String
    /// Tests a text in UTF-8.
    package let matches: @Sendable (UnsafeRawBufferPointer) -> Bool

    package init(name: String, matches: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) {
        self.name = name
        self.matches = matches
    }

    package static func == (a: ScanTextMatcher, b: ScanTextMatcher) -> Bool { a.name == b.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A test of a list of numbers that storage does not implement. Two matchers are equal if they
/// have the same name.
package struct ScanNumbersMatcher: Hashable, Sendable {
    /// The name of the test, for people and for equality.
    package let name: String
    /// Tests the elements in order; nulls are NaN.
    package let matches: @Sendable (ContiguousArray<Double>) -> Bool

    package init(name: String, matches: @escaping @Sendable (ContiguousArray<Double>) -> Bool) {
        self.name = name
        self.matches = matches
    }

    package static func == (a: ScanNumbersMatcher, b: ScanNumbersMatcher) -> Bool {
        a.name == b.name
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ColumnID {
    /// In a predicate behind a ``ScanHop`` to values: the value itself.
    package static let element = ColumnID(rawValue: .max)
    /// In a predicate behind a ``ScanHop`` into a map: the key.
    package static let elementKey = ColumnID(rawValue: .max - 1)
}
