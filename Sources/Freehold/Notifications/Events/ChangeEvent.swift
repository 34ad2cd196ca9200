/// What happened to a collection, by the objects and not by their positions: for programs that
/// tell others, as a server tells its clients.
///
/// Each key is in one list at most. Applied to the keys that were known, it gives those that
/// the collection has: without the deletions, with the insertions. In JSON:
///
/// ```json
/// {"deletions":[7],"insertions":[9],"isInitial":false,"modifications":[3],"moves":[]}
/// ```
///
/// Thread rule: a plain value; use it anywhere.
public struct ChangeEvent: Hashable, Sendable, Encodable {
    /// Whether this is the beginning: all that the collection has is in ``insertions``, and
    /// nothing else happened.
    public var isInitial = false
    /// What is not in the collection any more, in its old order.
    public var deletions: [ObjectKey] = []
    /// What is new in the collection, in its order.
    public var insertions: [ObjectKey] = []
    /// What stays, and changed, or of a map has another value.
    public var modifications: [ObjectKey] = []
    /// What stays and is at another place in the order, or in another section. It may have
    /// changed, too.
    public var moves: [ObjectKey] = []

    /// An event without changes.
    public init() {}

    /// Whether nothing happened, and it is not the beginning.
    public var isEmpty: Bool {
        !isInitial && deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
            && moves.isEmpty
    }
}

extension ChangeEvent {
    /// The beginning of a collection.
    init(initial keys: [ObjectKey]) {
        isInitial = true
        insertions = keys
    }

    /// - Parameters:
    ///   - deletions: Of positions, as `insertions` and `modifications`: what moved is in both
    ///     of these.
    ///   - stays: Whether an object is still in the collection, where it may be there several
    ///     times.
    ///   - wasThere: Whether it was before, likewise.
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

/// Events that nobody came for yet, as one. Grows with the objects that they are about, not
/// with their number.
struct PendingEvents: Sendable {
    private enum Fate: Sendable { case deleted, inserted, modified, moved }

    /// By what happened, each with when it was first heard of, so that orders stay.
    private var fates: [ObjectKey: (fate: Fate, order: Int)] = [:]
    private var count = 0

    var isEmpty: Bool { fates.isEmpty }

    mutating func add(_ event: ChangeEvent) {
        for key in event.deletions {
            if fates[key]?.fate == .inserted { fates[key] = nil } else { set(key, .deleted) }
        }
        // What was deleted and is there again is another object, or the same one at another place.
        for key in event.insertions { set(key, fates[key]?.fate == .deleted ? .moved : .inserted) }
        for key in event.moves where fates[key]?.fate != .inserted { set(key, .moved) }
        for key in event.modifications where fates[key] == nil { set(key, .modified) }
    }

    private mutating func set(_ key: ObjectKey, _ fate: Fate) {
        fates[key] = (fate, count)
        count += 1
    }

    /// All as one event; nothing is pending then.
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
