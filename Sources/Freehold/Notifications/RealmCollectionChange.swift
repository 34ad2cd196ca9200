/// What a collection's observer is told.
///
/// Positions ascend. ``update(_:deletions:insertions:modifications:)`` turns the elements that
/// the observer knows into those that the collection has: delete from the back, then insert
/// from the front; what was modified stays, and its positions are those before.
///
/// ```swift
/// let token = dogs.observe { change in
///     switch change {
///     case .initial(let dogs): rows = dogs.map(\.name)
///     case .update(let dogs, let deletions, let insertions, let modifications):
///         for index in modifications { rows[index] = "…" }
///         for index in deletions.reversed() { rows.remove(at: index) }
///         for index in insertions { rows.insert(dogs[index].name, at: index) }
///     case .error(let error): print(error)
///     }
/// }
/// ```
@frozen public enum RealmCollectionChange<CollectionType> {
    /// The collection is there, with what it has now.
    case initial(CollectionType)
    /// The collection changed.
    ///
    /// - deletions: Positions, in the collection as it was, of elements that are not in it any
    ///   more. An element that moved is deleted, and inserted.
    /// - insertions: Positions, in the collection as it is, of new elements.
    /// - modifications: Positions, in the collection as it was, of objects that changed, or
    ///   what they link to, and of values that were replaced.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
    /// Never sent; it keeps programs written for Realm compiling.
    case error(any Error)

    init(_ collection: CollectionType, _ changes: CollectionChanges) {
        self = .update(
            collection, deletions: Array(changes.deletions), insertions: Array(changes.insertions),
            modifications: Array(changes.modifications))
    }
}

/// What a map's observer is told.
@frozen public enum RealmMapChange<MapType: RealmKeyedCollection> {
    /// The map is there, with what it has now.
    case initial(MapType)
    /// The map changed: the keys that went, that came, and whose values changed.
    case update(
        MapType, deletions: [MapType.Key], insertions: [MapType.Key], modifications: [MapType.Key])
    /// Never sent; it keeps programs written for Realm compiling.
    case error(any Error)
}
