/// A change of a collection, as an observer receives it.
///
/// Positions ascend. ``update(_:deletions:insertions:modifications:)`` turns the old elements
/// into the new ones: delete from the back, then insert from the front. Modified elements stay;
/// their positions are those before the change.
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
    /// The initial contents of the collection.
    case initial(CollectionType)
    /// The collection changed.
    ///
    /// - deletions: Positions in the old collection of elements that were removed. An element
    ///   that moved is both deleted and inserted.
    /// - insertions: Positions in the new collection of new elements.
    /// - modifications: Positions in the old collection of changed objects, including changes of
    ///   objects that they link to, and of replaced values.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
    /// The realm cannot be opened on the queue or actor passed to `observe`. Never sent to an
    /// observer in the collection's own realm.
    case error(any Error)

    init(_ collection: CollectionType, _ changes: CollectionChanges) {
        self = .update(
            collection, deletions: Array(changes.deletions), insertions: Array(changes.insertions),
            modifications: Array(changes.modifications))
    }
}

/// A change of a map, as an observer receives it.
@frozen public enum RealmMapChange<MapType: RealmKeyedCollection> {
    /// The initial contents of the map.
    case initial(MapType)
    /// The map changed: the deleted, inserted and modified keys.
    case update(
        MapType, deletions: [MapType.Key], insertions: [MapType.Key], modifications: [MapType.Key])
    /// The realm cannot be opened on the queue or actor passed to `observe`. Never sent to an
    /// observer in the map's own realm.
    case error(any Error)
}
