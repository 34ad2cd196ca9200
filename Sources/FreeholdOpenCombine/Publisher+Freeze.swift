public import Freehold
public import OpenCombine

// What is frozen may be moved to any thread, by `receive(on:)` and all other operators.

extension Publisher where Output: ThreadConfined {
    /// Freezes each object or collection: as it is now, for all threads.
    public func freeze() -> Publishers.Map<Self, Output> { map { $0.freeze() } }
}

extension Publisher {
    /// Freezes the collection of each change.
    public func freeze<Subject: RealmCollection>() -> Publishers.Map<Self, RealmCollectionChange<Subject>> where Output == RealmCollectionChange<Subject> {
        map { change in
            switch change {
            case .initial(let collection): .initial(collection.freeze())
            case .update(let collection, let deletions, let insertions, let modifications):
                .update(collection.freeze(), deletions: deletions, insertions: insertions, modifications: modifications)
            case .error(let error): .error(error)
            }
        }
    }

    /// Freezes the map of each change.
    public func freeze<Key, Value>() -> Publishers.Map<Self, RealmMapChange<Map<Key, Value>>> where Output == RealmMapChange<Map<Key, Value>> {
        map { change in
            switch change {
            case .initial(let map): .initial(map.freeze())
            case .update(let map, let deletions, let insertions, let modifications):
                .update(map.freeze(), deletions: deletions, insertions: insertions, modifications: modifications)
            case .error(let error): .error(error)
            }
        }
    }

    /// Freezes the object of each change. The values in its ``Freehold/PropertyChange``s stay as they are: links among them are live.
    public func freeze<Subject: ObjectBase & ThreadConfined>() -> Publishers.Map<Self, ObjectChange<Subject>> where Output == ObjectChange<Subject> {
        map { change in if case .change(let object, let properties) = change { .change(object.freeze(), properties) } else { change } }
    }

    /// Freezes the sections of each change.
    public func freeze<Key, Element>() -> Publishers.Map<Self, SectionedResultsChange<SectionedResults<Key, Element>>>
    where Output == SectionedResultsChange<SectionedResults<Key, Element>> {
        map { change in
            switch change {
            case .initial(let sections): .initial(sections.freeze())
            case .update(let sections, let deletions, let insertions, let modifications, let sectionsToInsert, let sectionsToDelete):
                .update(
                    sections.freeze(), deletions: deletions, insertions: insertions, modifications: modifications, sectionsToInsert: sectionsToInsert,
                    sectionsToDelete: sectionsToDelete)
            }
        }
    }
}
