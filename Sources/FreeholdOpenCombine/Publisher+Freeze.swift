public import Freehold
public import OpenCombine

// Frozen values may move to any thread, by `receive(on:)` and all other operators.

extension Publisher where Output: ThreadConfined {
    /// Freezes each object or collection as it is at that moment, for all threads.
    public func freeze() -> Publishers.Map<Self, Output> { map { $0.freeze() } }
}

extension Publisher {
    /// Freezes the collection of each change.
    public func freeze<Subject: RealmCollection>()
        -> Publishers.Map<Self, RealmCollectionChange<Subject>>
    where Output == RealmCollectionChange<Subject> {
        map { change in
            switch change {
            case .initial(let collection): .initial(collection.freeze())
            case .update(let collection, let deletions, let insertions, let modifications):
                .update(
                    collection.freeze(), deletions: deletions, insertions: insertions,
                    modifications: modifications)
            case .error(let error): .error(error)
            }
        }
    }

    /// Freezes the map of each change.
    public func freeze<Subject: RealmKeyedCollection>()
        -> Publishers.Map<Self, RealmMapChange<Subject>> where Output == RealmMapChange<Subject>
    {
        map { change in
            switch change {
            case .initial(let map): .initial(map.freeze())
            case .update(let map, let deletions, let insertions, let modifications):
                .update(
                    map.freeze(), deletions: deletions, insertions: insertions,
                    modifications: modifications)
            case .error(let error): .error(error)
            }
        }
    }

    /// Freezes the object or projection of each change, and the objects among the values of its
    /// ``Freehold/PropertyChange``s.
    public func freeze<Subject: ThreadConfined>() -> Publishers.Map<Self, ObjectChange<Subject>>
    where Output == ObjectChange<Subject> {
        map { change in
            guard case .change(let object, let properties) = change else { return change }
            return .change(
                object.freeze(),
                properties.map {
                    PropertyChange(
                        name: $0.name, oldValue: frozen($0.oldValue), newValue: frozen($0.newValue))
                })
        }
    }

    /// Freezes the sections, or the section, of each change.
    public func freeze<Subject: RealmSectionedResult>()
        -> Publishers.Map<Self, SectionedResultsChange<Subject>>
    where Output == SectionedResultsChange<Subject> {
        map { change in
            switch change {
            case .initial(let sections): .initial(sections.freeze())
            case .update(
                let sections, let deletions, let insertions, let modifications,
                let sectionsToInsert, let sectionsToDelete):
                .update(
                    sections.freeze(), deletions: deletions, insertions: insertions,
                    modifications: modifications, sectionsToInsert: sectionsToInsert,
                    sectionsToDelete: sectionsToDelete)
            }
        }
    }
}

/// Returns the value of a property in a form for all threads.
private func frozen(_ value: Any?) -> Any? {
    guard let confined = value as? any ThreadConfined, confined.realm != nil else { return value }
    return confined.freeze()
}
