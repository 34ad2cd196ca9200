public import Freehold
import FreeholdStorage

/// A change of this program that is not in the shared realm: ``SharedRealm/rejections``.
public struct SharedRejection: Sendable {
    /// Why.
    public enum Reason: Sendable, Hashable {
        /// Another machine deleted the object: before the change came into the log, or, for a file
        /// that took a snapshot instead of reading the log, also afterwards. A deletion wins.
        case objectDeleted
        /// The shared realm's class or property is another one than this program's.
        case doesNotFit
        /// The commit's bytes are damaged.
        case damaged
        /// The server had acknowledged the commit, and perhaps some after it, and lost them: it
        /// was restored from a backup, or a standby without them took over, and nobody who has
        /// them began the epoch that followed. ``SharedRejection/changes`` is empty.
        case lostByServer
    }

    /// Why the change was left out.
    public let reason: Reason
    /// The number of the commit among those of this file.
    public let commit: Int64
    /// What was left out, with the new values, and nothing else of the commit: of one object, or,
    /// of a damaged commit, all of it. Empty for a damaged one that did not wait in the file: that
    /// of a `writeShared`, which threw.
    public let changes: [SharedChange]
}

/// A change of one object, as a plain value.
public struct SharedChange: Sendable, Hashable {
    /// What was done to the object.
    public enum Kind: Sendable, Hashable {
        /// The object was added.
        case inserted
        /// Properties of the object were set.
        case updated
        /// The object was deleted.
        case deleted
    }

    /// The name of the object's class.
    public let className: String
    /// The object's primary key.
    public let primaryKey: DraftValue
    /// What was done to the object.
    public let kind: Kind
    /// The new values; of an insertion in a ``SharedRejection``, those that were left out. Of a
    /// counter, what was added; of a list, the elements that were added.
    public let values: [String: DraftValue]
}

extension SharedRejection {
    init(_ record: SharedRejectionRecord) {
        reason =
            switch record.reason {
            case .objectDeleted: .objectDeleted
            case .doesNotFit: .doesNotFit
            case .damagedPayload: .damaged
            case .lostByServer: .lostByServer
            }
        commit = record.clientSequence
        changes = SharedCommit(decoding: record.commit)?.changes ?? []
    }
}

extension SharedCommit {
    /// The changes as values of the program.
    var changes: [SharedChange] {
        func change(
            _ object: SharedReference, _ kind: SharedChange.Kind, _ values: [String: DraftValue]
        ) -> SharedChange {
            SharedChange(
                className: object.className, primaryKey: DraftValue(object.key), kind: kind,
                values: values)
        }
        return deleted.map { change($0, .deleted, [:]) }
            + inserted.map { change($0.object, .inserted, $0.values.mapValues { DraftValue($0) }) }
            + updated.map { change($0.object, .updated, $0.changes.mapValues { $0.value }) }
    }
}

extension SharedCommit.Change {
    fileprivate var value: DraftValue {
        switch self {
        case .assign(let value): DraftValue(value)
        case .add(let amount): .int(Int(amount))
        case .list(let edits): .list(edits.edits.flatMap { $0.inserted.map { DraftValue($0) } })
        case .set(_, let added): .set(added.map { DraftValue($0) })
        case .map(let changes):
            .map(
                Dictionary(
                    changes.map { key, value in
                        (
                            String(decoding: key, as: UTF8.self),
                            value.map { DraftValue($0) } ?? .none
                        )
                    }, uniquingKeysWith: { $1 }))
        }
    }
}
