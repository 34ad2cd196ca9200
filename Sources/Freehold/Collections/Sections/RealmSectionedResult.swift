public import Dispatch
public import Foundation

/// The common interface of ``SectionedResults`` and ``ResultsSection``: random access, live, and
/// confined to their realm's thread, queue or actor.
public protocol RealmSectionedResult: _PositionalCollection, Equatable, CustomStringConvertible {
    /// Returns the collection as it is at this moment, for all threads, never changing.
    func freeze() -> Self
    /// Returns the live counterpart of a frozen one, nil if there is none.
    func thaw() -> Self?

    /// Calls a block with the current contents soon, and then with every change. See
    /// ``SectionedResults/observe(keyPaths:_:)-([String]?,_)``.
    func observe(keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<Self>) -> Void)
        -> NotificationToken

    /// As `observe(keyPaths:_:)`, on a serial queue. See
    /// `SectionedResults.observe(keyPaths:on:_:)`.
    func observe(
        keyPaths: [String]?, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken
}

extension RealmSectionedResult {
    /// As `observe(keyPaths:_:)`, for all properties.
    @_disfavoredOverload
    public func observe(_ block: @escaping (SectionedResultsChange<Self>) -> Void)
        -> NotificationToken
    { observe(keyPaths: nil, block) }

    /// As `observe(keyPaths:on:_:)`, for all properties.
    @_disfavoredOverload
    public func observe(
        on queue: DispatchQueue?,
        _ block: @escaping @Sendable (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken { observe(keyPaths: nil, on: queue, block) }
}

// Foundation has these members on Apple's systems only.

extension IndexPath {
    /// The path to an element of a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
    /// The path to an element of a section, in the terms of tables.
    public init(row: Int, section: Int) { self.init(item: row, section: section) }
    /// The section: the first index. Traps if the path is empty.
    public var section: Int { self[0] }
    /// The position in the section: the second index. Traps if there is none.
    public var item: Int { self[1] }
    /// The position in the section: the second index. Traps if there is none.
    public var row: Int { self[1] }
}
