public import Foundation

/// What to fetch: which objects of a class, in which order, and which part of them.
///
/// ```swift
/// let newest = FetchDescriptor<Book>(
///     predicate: #Predicate { $0.year > 2_000 }, sortBy: [SortDescriptor(\.year, order: .reverse)], fetchLimit: 10)
/// let books = try realm.fetch(newest)                        // Results<Book>: live
/// let titles = try await library.fetch(newest) { $0.title }  // from a model actor: values
/// ```
///
/// Thread rule: a plain value, which may be sent anywhere.
public struct FetchDescriptor<Element: Object>: Sendable {
    /// Which objects; nil for all of the class. See `filter(_:)` for what it may say.
    public var predicate: Foundation.Predicate<Element>?
    /// The order, the first descriptor of which takes precedence; that of ``Results`` if empty.
    public var sortBy: [Foundation.SortDescriptor<Element>]
    /// How many to fetch at most; nil for all.
    public var fetchLimit: Int?
    /// How many to leave out at the beginning; nil for none.
    public var fetchOffset: Int?

    /// Describes what to fetch. Everything may be left out.
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
    /// The objects that a descriptor describes, as a live collection.
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

    /// How many objects a descriptor describes, its limit and offset included. Makes no objects.
    ///
    /// - Throws: As ``fetch(_:)``.
    /// - Precondition: As for ``fetch(_:)``.
    public func fetchCount<Element: Object>(_ descriptor: FetchDescriptor<Element>)
        throws(FoundationPredicateError) -> Int
    {
        // What there is of it does not depend on the order, which need not be made.
        var unordered = descriptor
        unordered.sortBy = []
        for order in descriptor.sortBy { _ = try SortDescriptor(lowering: order) }
        return try fetch(unordered).count
    }
}
