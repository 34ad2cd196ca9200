/// What one transaction changed, as all machines can do it: by names, primary keys and values.
///
/// First objects are deleted, then others are added, then properties are changed. What does not
/// fit is left out, cell by cell: see ``SharedApplier``.
package struct SharedCommit: Sendable, Hashable {
    /// A class that the commit has to do with, with the properties that it mentions.
    package struct Class: Sendable, Hashable {
        package var isEmbedded: Bool
        /// Nil for an embedded class.
        package var primaryKey: String?
        /// The primary key among them.
        package var properties: [String: Property]

        package init(isEmbedded: Bool, primaryKey: String?, properties: [String: Property] = [:]) {
            self.isEmbedded = isEmbedded
            self.primaryKey = primaryKey
            self.properties = properties
        }
    }

    package struct Property: Sendable, Hashable {
        package var type: ColumnType
        package var isNullable: Bool
        package var collection: StoredCollectionKind?
        /// The class that the property links to or embeds.
        package var target: String?

        package init(
            type: ColumnType, isNullable: Bool, collection: StoredCollectionKind? = nil,
            target: String? = nil
        ) {
            self.type = type
            self.isNullable = isNullable
            self.collection = collection
            self.target = target
        }
    }

    /// A change of one property of one object.
    package enum Change: Sendable, Hashable {
        case assign(SharedValue)
        /// Adds to an integer, which wraps around.
        case add(Int64)
        case list(SharedListEdits)
        case set(removed: Set<SharedValue>, added: Set<SharedValue>)
        /// By key; nil removes the entry.
        case map([ContiguousArray<UInt8>: SharedValue?])
    }

    package struct Insertion: Sendable, Hashable {
        package var object: SharedReference
        /// Without the properties that have their initial values.
        package var values: [String: SharedValue]

        package init(_ object: SharedReference, _ values: [String: SharedValue]) {
            self.object = object
            self.values = values
        }
    }

    package struct Update: Sendable, Hashable {
        package var object: SharedReference
        package var changes: [String: Change]

        package init(_ object: SharedReference, _ changes: [String: Change]) {
            self.object = object
            self.changes = changes
        }
    }

    package var author: String?
    /// Random, so that no two commits of programs have the same bytes; nil for one that was not
    /// made by a transaction.
    package var nonce: UInt64?
    package var classes: [String: Class] = [:]
    package var deleted: [SharedReference] = []
    package var inserted: [Insertion] = []
    package var updated: [Update] = []

    package init() {}

    package var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && updated.isEmpty }
}

extension SharedCommit.Change {
    /// Nil for equal values.
    package init?(from old: SharedValue, to new: SharedValue) {
        if old == new { return nil }
        switch (old, new) {
        case (.list(let first), .list(let second)):
            self = .list(SharedListEdits(from: first, to: second))
        case (.set(let first), .set(let second)):
            self = .set(removed: first.subtracting(second), added: second.subtracting(first))
        case (.map(let first), .map(let second)):
            var changes: [ContiguousArray<UInt8>: SharedValue?] = [:]
            for (key, value) in second where first[key] != value { changes[key] = .some(value) }
            for key in first.keys where second[key] == nil {
                changes.updateValue(nil, forKey: key)
            }
            self = .map(changes)
        default: self = .assign(new)
        }
    }

    /// The value after the change; nil if the change is none of such a value.
    package func applied(to value: SharedValue) -> SharedValue? {
        switch (self, value) {
        case (.assign(let new), _): return new
        case (.add(let amount), .integer(let number)): return .integer(number &+ amount)
        // Null counts as nothing.
        case (.add(let amount), .null): return .integer(amount)
        case (.list(let edits), .list(let elements)): return .list(edits.applied(to: elements))
        case (.set(let removed, let added), .set(let elements)):
            return .set(elements.subtracting(removed).union(added))
        case (.map(let changes), .map(var entries)):
            for (key, value) in changes { entries[key] = value }
            return .map(entries)
        default: return nil
        }
    }

    package func forEachValue(_ body: (SharedValue) -> Void) {
        switch self {
        case .assign(let value): body(value)
        case .add: break
        case .list(let edits):
            for edit in edits.edits {
                edit.removed.forEach(body)
                edit.inserted.forEach(body)
            }
        case .set(let removed, let added):
            removed.forEach(body)
            added.forEach(body)
        case .map(let changes): for case let value? in changes.values { body(value) }
        }
    }
}

extension SharedCommit {
    /// Calls `body` with each object that the commit changes or links to.
    package func forEachObject(_ body: (SharedReference) -> Void) {
        deleted.forEach(body)
        for insertion in inserted {
            body(insertion.object)
            for value in insertion.values.values { value.forEachLink(body) }
        }
        for update in updated {
            body(update.object)
            for change in update.changes.values {
                change.forEachValue { $0.forEachLink(body) }
            }
        }
    }
}
