import FreeholdStorage

/// What the observers of one realm will be told of one version. Computed on any thread,
/// delivered on the realm's scheduler.
struct ChangePackage: Sendable {
    /// One observer, and what it is to be told.
    struct Item: Sendable {
        let observer: Observer
        /// What it had been told of when this was computed.
        let told: ObservedVersion?
        let state: (any Sendable)?
        /// Nil for the first call.
        let change: (any Sendable)?
        let context: ChangeContext?

        /// The versions that this keeps, besides the one that it leads to.
        var versions: Set<UInt64> {
            Set([told?.snapshot.version, context?.difference.old.version].compactMap { $0 })
        }
    }

    let target: ObservedVersion
    /// Those to whom nothing happened.
    var silent: [ObserverGroup] = []
    var items: ContiguousArray<Item> = []

    /// Computes what each observer is to be told.
    ///
    /// - Parameters:
    ///   - groups: The observers, with what they had been told.
    ///   - listener: Theirs; knows their states.
    init(
        _ groups: [ObserverGroup], of listener: RealmListener, _ round: ChangeRound,
        includesInitial: Bool = true
    ) throws(StorageError) {
        target = ObservedVersion(round.target)
        for group in groups {
            guard let told = group.told else {
                if includesInitial {
                    for observer in group.observers { items.append(first(observer, round)) }
                }
                continue
            }
            if told.snapshot.version >= round.target.version { continue }
            try add(group, told, listener, try round.context(from: told.snapshot))
        }
    }

    private func first(_ observer: Observer, _ round: ChangeRound) -> Item {
        Item(
            observer: observer, told: nil, state: observer.begin(in: round.new), change: nil,
            context: nil)
    }

    /// Of many observers of one version few are affected, as a rule: the others stay together,
    /// and cost a look each.
    private mutating func add(
        _ group: ObserverGroup, _ told: ObservedVersion, _ listener: RealmListener,
        _ context: ChangeContext
    ) throws(StorageError) {
        var affected = ContiguousArray<Int>()
        if !context.isEmpty {
            for (index, observer) in group.observers.enumerated()
            where !observer.isUnaffected(by: context) {
                // Where there is nothing to tell, what is known of the subject is right for the
                // new version, too.
                let (state, change) = observer.advance(listener.state(of: observer), in: context)
                if change == nil, !observer.movesSilently { continue }
                items.append(
                    Item(
                        observer: observer, told: told, state: state, change: change,
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
        for group in silent { if let told = group.told { versions.insert(told.snapshot.version) } }
        for item in items { versions.formUnion(item.versions) }
        return versions
    }

    /// Lets go of observers whose registrations have ended, to which nothing would be
    /// delivered. With the lock of the listener.
    mutating func removeEnded() {
        items.removeAll { !$0.observer.isRegistered }
        for index in silent.indices { silent[index].observers.removeAll { !$0.isRegistered } }
    }
}

/// Some observers that had been told of the same version, at one moment.
struct ObserverGroup: Sendable {
    let told: ObservedVersion?
    var observers: ContiguousArray<Observer>
}
