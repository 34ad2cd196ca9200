public import Foundation

/// Describes which objects of a class to fetch, in which order, and which part of them.
///
/// ```swift
/// let newest = FetchDescriptor<Book>(
///     predicate: #Predicate { $0.year > 2_000 },
///     sortBy: [SortDescriptor(\.year, order: .reverse)],
///     fetchLimit: 10)
/// let books = try realm.fetch(newest)                        // Results<Book>: live
/// let titles = try await library.fetch(newest) { $0.title }  // from a model actor: values
/// ```
///
/// Thread rule: a plain value, which may be sent anywhere.
public struct FetchDescriptor<Element: Object>: Sendable {
    /// The condition of the objects; nil for all of the class. `filter(_:)` describes the
    /// supported expressions.
    public var predicate: Foundation.Predicate<Element>?
    /// The order; the first descriptor takes precedence. If empty, that of ``Results``.
    public var sortBy: [Foundation.SortDescriptor<Element>]
    /// How many objects to fetch at most; nil for all.
    public var fetchLimit: Int?
    /// How many objects to skip at the beginning; nil for none.
    public var fetchOffset: Int?

    /// Makes a descriptor. By default, it describes all objects.
    ///
    /// - Parameters:
    ///   - predicate: The condition of the objects; nil for all of the class.
    ///   - sortBy: The order; the first descriptor takes precedence.
    ///   - fetchLimit: How many objects to fetch at most; nil for all.
    ///   - fetchOffset: How many objects to skip at the beginning; nil for none.
    public init(
        predicate: Foundation.Predicate<Element>? = nil,
        sortBy: [Foundation.SortDescriptor<Element>] = [], fetchLimit: Int? = nil,
        fetchOffset: Int? = nil
    ) {
        self.predicate = predicate
        self.sortBy = sortBy
        self.fetchLimit = fetchLimit
        self.fetchOffset = fetchOffset
    }
}

extension Realm {
    /// Returns the objects that a descriptor describes, as a live collection.
    ///
    /// O(1): evaluated when it is used.
    /// - Throws: ``FoundationPredicateError`` if the database cannot evaluate the predicate or
    ///   the order.
    /// - Precondition: Called on the realm's thread, queue or actor; the limit and the offset
    ///   are not negative.
    public func fetch<Element: Object>(_ descriptor: FetchDescriptor<Element>)
        throws(FoundationPredicateError) -> Results<Element>
    {
        var results = objects(Element.self)
        if let predicate = descriptor.predicate { results = try results.filter(predicate) }
        if !descriptor.sortBy.isEmpty { results = try results.sorted(using: descriptor.sortBy) }
        if let offset = descriptor.fetchOffset { results = results.offset(offset) }
        if let limit = descriptor.fetchLimit { results = results.limit(limit) }
        return results
    }

    /// Returns how many objects a descriptor describes, with its limit and offset applied. Makes
    /// no objects.
    ///
    /// - Throws: As ``fetch(_:)``.
    /// - Precondition: As for ``fetch(_:)``.
    public func fetchCount<Element: Object>(_ descriptor: FetchDescriptor<Element>)
        throws(FoundationPredicateError) -> Int
    {
        // The count does not depend on the order, so sorting is skipped.
        var unordered = descriptor
        unordered.sortBy = []
        for order in descriptor.sortBy { _ = try SortDescriptor(lowering: order) }
        return try fetch(unordered).count
    }
}
