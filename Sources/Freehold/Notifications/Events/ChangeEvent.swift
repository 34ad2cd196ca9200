/// The changes of a collection, by objects instead of positions, for programs that pass them on,
/// as a server does to its clients.
///
/// Each key is in at most one list. To update a known set of keys, remove the deletions and add
/// the insertions. In JSON:
///
/// ```json
/// {"deletions":[7],"insertions":[9],"isInitial":false,"modifications":[3],"moves":[]}
/// ```
///
/// Thread rule: a plain value; use it anywhere.
public struct ChangeEvent: Hashable, Sendable, Encodable {
    /// Whether this is the initial event: ``insertions`` has all keys of the collection, and the
    /// other lists are empty.
    public var isInitial = false
    /// The keys that left the collection, in their old order.
    public var deletions: [ObjectKey] = []
    /// The keys that are new in the collection, in its order.
    public var insertions: [ObjectKey] = []
    /// The keys of objects that stay and changed; in a map, the keys whose values were replaced.
    public var modifications: [ObjectKey] = []
    /// The keys that stay but have another place in the order, or another section. Their objects
    /// may have changed, too.
    public var moves: [ObjectKey] = []

    /// Creates an event without changes.
    public init() {}

    /// Whether there are no changes, and this is not the initial event.
    public var isEmpty: Bool {
        !isInitial && deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
            && moves.isEmpty
    }
}

extension ChangeEvent {
    /// Creates the initial event of a collection.
    init(initial keys: [ObjectKey]) {
        isInitial = true
        insertions = keys
    }

    /// - Parameters:
    ///   - deletions: By positions, like `insertions` and `modifications`: an object that moved
    ///     is in both deletions and insertions.
    ///   - stays: Whether an object is still in the collection, if it can occur several times.
    ///   - wasThere: Whether it was in the old collection, likewise.
    init(
        deletions: [ObjectKey], insertions: [ObjectKey], modifications: [ObjectKey],
        stays: (ObjectKey) -> Bool = { _ in false },
        wasThere: (ObjectKey) -> Bool = { _ in false }
    ) {
        let (gone, come) = (Set(deletions), Set(insertions))
        var seen: Set<ObjectKey> = []
        for key in deletions where seen.insert(key).inserted {
            if come.contains(key) || stays(key) {
                moves.append(key)
            } else {
                self.deletions.append(key)
            }
        }
        for key in insertions where seen.insert(key).inserted {
            if gone.contains(key) || wasThere(key) {
                moves.append(key)
            } else {
                self.insertions.append(key)
            }
        }
        for key in modifications where seen.insert(key).inserted { self.modifications.append(key) }
    }
}

/// Unfetched events, combined into one. Grows with the number of objects, not with the number of
/// events.
struct PendingEvents: Sendable {
    private enum Fate: Sendable { case deleted, inserted, modified, moved }

    /// The fate of each object, with the order of its first event, to keep the lists ordered.
    private var fates: [ObjectKey: (fate: Fate, order: Int)] = [:]
    private var count = 0

    var isEmpty: Bool { fates.isEmpty }

    mutating func add(_ event: ChangeEvent) {
        for key in event.deletions {
            if fates[key]?.fate == .inserted { fates[key] = nil } else { set(key, .deleted) }
        }
        // A deleted key that is inserted again is another object, or the same one at another
        // place.
        for key in event.insertions { set(key, fates[key]?.fate == .deleted ? .moved : .inserted) }
        for key in event.moves where fates[key]?.fate != .inserted { set(key, .moved) }
        for key in event.modifications where fates[key] == nil { set(key, .modified) }
    }

    private mutating func set(_ key: ObjectKey, _ fate: Fate) {
        fates[key] = (fate, count)
        count += 1
    }

    /// Takes all events as one; nothing is pending afterwards.
    mutating func take() -> ChangeEvent {
        let sorted = fates.sorted { $0.value.order < $1.value.order }
        func keys(_ fate: Fate) -> [ObjectKey] {
            sorted.filter { $0.value.fate == fate }.map(\.key)
        }
        var event = ChangeEvent()
        event.deletions = keys(.deleted)
        event.insertions = keys(.inserted)
        event.modifications = keys(.modified)
        event.moves = keys(.moved)
        self = PendingEvents()
        return event
    }
}
