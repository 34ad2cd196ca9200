import FreeholdStorage

/// What the observers of one realm will be told of one version. Computed on any thread, delivered on the realm's scheduler.
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
    }

    let target: ObservedVersion
    /// Those to whom nothing happened.
    var silent: ContiguousArray<(observer: Observer, told: ObservedVersion)> = []
    var items: ContiguousArray<Item> = []

    /// Computes what each observer is to be told.
    ///
    /// - Parameter observers: With what they had been told.
    init(
        _ observers: ContiguousArray<ObserverState>, _ round: ChangeRound, includesInitial: Bool = true
    ) throws(StorageError) {
        target = ObservedVersion(round.target)
        for entry in observers {
            guard let told = entry.told else {
                if includesInitial {
                    let state = entry.observer.begin(in: round.new)
                    items.append(Item(observer: entry.observer, told: nil, state: state, change: nil, context: nil))
                }
                continue
            }
            if told.snapshot.version >= round.target.version { continue }
            let context = try round.context(from: told.snapshot)
            if context.isEmpty || entry.observer.isUntouched(by: context) {
                silent.append((entry.observer, told))
                continue
            }
            let (state, change) = entry.observer.advance(entry.state, in: context)
            items.append(Item(observer: entry.observer, told: told, state: state, change: change, context: context))
        }
    }

    /// Only a version to move to.
    init(movingTo target: Snapshot) { self.target = ObservedVersion(target) }
}

/// An observer and what it was told, at one moment.
struct ObserverState: Sendable {
    let observer: Observer
    let told: ObservedVersion?
    let state: (any Sendable)?
}
