import FreeholdStorage

/// The notifications for the observers of one realm about one version. Computed on any thread,
/// delivered on the realm's scheduler.
struct ChangePackage: Sendable {
    /// One observer, and its notification.
    struct Item: Sendable {
        let observer: Observer
        /// The observer's version when this was computed.
        let delivered: ObservedVersion?
        let state: (any Sendable)?
        /// Nil for the first call.
        let change: (any Sendable)?
        let context: ChangeContext?

        /// The versions that this keeps, besides the target version.
        var versions: Set<UInt64> {
            let base = context?.difference.old.storedVersion
            return Set([delivered?.snapshot.version, base?.version].compactMap { $0 })
        }
    }

    let target: ObservedVersion
    /// The observers without changes.
    var silent: [ObserverGroup] = []
    var items: ContiguousArray<Item> = []

    /// Computes the notification of each observer.
    ///
    /// - Parameters:
    ///   - groups: The observers, by the versions they were last notified of.
    ///   - listener: The observers' listener, which knows their states.
    init(
        _ groups: [ObserverGroup], of listener: RealmListener, _ round: ChangeRound,
        includesInitial: Bool = true
    ) throws(StorageError) {
        target = round.target
        for group in groups {
            guard let delivered = group.delivered else {
                if includesInitial {
                    for observer in group.observers { items.append(first(observer, round)) }
                }
                continue
            }
            if delivered.order >= round.target.order { continue }
            try add(group, delivered, listener, try round.context(from: delivered))
        }
    }

    private func first(_ observer: Observer, _ round: ChangeRound) -> Item {
        Item(
            observer: observer, delivered: nil, state: observer.begin(in: round.new), change: nil,
            context: nil)
    }

    /// Usually only few of the many observers of one version are affected. The others stay
    /// together, and cost one check each.
    private mutating func add(
        _ group: ObserverGroup, _ delivered: ObservedVersion, _ listener: RealmListener,
        _ context: ChangeContext
    ) throws(StorageError) {
        var affected = ContiguousArray<Int>()
        if !context.isEmpty {
            for (index, observer) in group.observers.enumerated()
            where !observer.isUnaffected(by: context) {
                // If there is nothing to report, the known state stays valid for the new
                // version.
                let (state, change) = observer.advance(listener.state(of: observer), in: context)
                if change == nil, !observer.movesSilently { continue }
                items.append(
                    Item(
                        observer: observer, delivered: delivered, state: state, change: change,
                        context: context))
                affected.append(index)
            }
        }
        var rest = group
        for index in affected.reversed() { rest.observers.remove(at: index) }
        if !rest.observers.isEmpty { silent.append(rest) }
    }

    /// The versions that this keeps. O(observers).
    var versions: Set<UInt64> {
        var versions: Set = [target.snapshot.version]
        for group in silent {
            if let delivered = group.delivered { versions.insert(delivered.snapshot.version) }
        }
        for item in items { versions.formUnion(item.versions) }
        return versions
    }

    /// Removes observers whose registrations have ended, because they receive nothing. Call it
    /// with the listener's lock.
    mutating func removeEnded() {
        items.removeAll { !$0.observer.isRegistered }
        for index in silent.indices { silent[index].observers.removeAll { !$0.isRegistered } }
    }
}

/// Observers that were last notified of the same version, at one moment.
struct ObserverGroup: Sendable {
    let delivered: ObservedVersion?
    var observers: ContiguousArray<Observer>
}
