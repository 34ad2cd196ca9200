/// A step from a row to any number of others, or to values.
///
/// A predicate behind a hop to rows is about the row of their table; ``ColumnID/rowKeys`` is
/// which row that is. Behind a hop to values it is about ``ColumnID/element``. Behind any hop
/// into a map, ``ColumnID/elementKey`` is the text that the element is under; in a list inside
/// of a mixed value it is null.
package struct ScanHop: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The elements of a collection: rows if they are links (nulls among them lead nowhere,
        /// but a predicate about nothing but their keys is asked), else values.
        case elements(ColumnID)
        /// The rows of a table that link here by a column of links, or of collections of them;
        /// each as often as it does.
        case backlinks(TableID, ColumnID)
        /// The elements of a mixed value that is, at the end of some steps, a list or a map.
        case mixedElements(ColumnID, [ScanMixedStep])
    }

    /// To-one links that are followed first. A null one leads nowhere.
    package var links: [ColumnID]
    package var kind: Kind

    package init(links: [ColumnID] = [], _ kind: Kind) {
        self.links = links
        self.kind = kind
    }
}

/// One step into a mixed value. Null where there is no such element.
package enum ScanMixedStep: Hashable, Sendable {
    case key([UInt8])
    /// From the end where it is negative: -1 is the last element.
    case index(Int)
}

/// What can be computed from a row.
package indirect enum ScanOperand: Hashable, Sendable {
    case constant(ScanValue)
    case path(ScanPath)
    /// What a mixed value is at the end of some steps.
    case mixed(ScanPath, [ScanMixedStep])
    /// What a map has under a key; null where there is nothing.
    case mapValue(ScanPath, key: [UInt8])
    /// How many of what a hop leads to satisfy a predicate. All elements of a collection
    /// satisfy ``ScanPredicate/all``, links that are null included.
    case count(ScanHop, where: ScanPredicate)
    /// Of the values at the end of a path from what a hop leads to (``ColumnID/element`` for
    /// the elements themselves). Nulls do not count; without values `sum` is zero and the
    /// others are null.
    case aggregate(ScanAggregate, ScanHop, ScanPath)
    /// What is computed from the row or element that a scope around it names.
    case outer(ScanScope, ScanOperand)
}

package enum ScanAggregate: UInt8, Hashable, Sendable, CaseIterable {
    case min, max, sum, average
}

/// A test of a text that storage does not know. Two of them are equal if they test the same.
package struct ScanTextMatcher: Hashable, Sendable {
    /// What it tests, for people, and for equality.
    package let name: String
    /// Gets UTF-8.
    package let matches: @Sendable (UnsafeRawBufferPointer) -> Bool

    package init(name: String, matches: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) {
        self.name = name
        self.matches = matches
    }

    package static func == (a: ScanTextMatcher, b: ScanTextMatcher) -> Bool { a.name == b.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A test of a list of numbers that storage does not know. Two of them are equal if they test
/// the same.
package struct ScanNumbersMatcher: Hashable, Sendable {
    /// What it tests, for people, and for equality.
    package let name: String
    /// Gets the elements in order; nulls are NaN.
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
