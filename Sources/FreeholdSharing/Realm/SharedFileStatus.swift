public import Foundation
public import Freehold
import FreeholdStorage

/// What a file knows of its part in sharing, without a connection: for tools, and for processes
/// that do not connect it.
public struct SharedFileStatus: Sendable, Hashable {
    /// The name of the realm at its upstream.
    public let name: String
    /// Identifies the file among the clients of the realm.
    public let client: UUID
    /// The epoch of ``applied``.
    public let epoch: Int64
    /// The number of the last commit of the log that the file has.
    public let applied: Int64
    /// How many commits of this file wait to be in the log.
    public let pending: Int
    /// How many rejections no program has read.
    public let rejected: Int

    /// Reads the status of a realm's file; nil if it is not shared. Milliseconds.
    ///
    /// Thread rule: that of the realm.
    ///
    /// - Throws: ``SharingError`` with `damagedPayload` if what the file knows cannot be read;
    ///   ``Realm/Error``.
    public init?(of realm: Realm) throws {
        let snapshot: Snapshot
        do { snapshot = try realm.sharedStore.newestSnapshot() } catch { throw Realm.Error(error) }
        guard let tables = SharingTables(snapshot.catalog),
            let bytes = SharingTables.bytes(0, of: tables.state, in: snapshot)
        else { return nil }
        guard let state = bytes.withUnsafeBytes({ SharingState(decoding: $0) }) else {
            throw SharingError(
                .damagedPayload, "What the file knows of its part in sharing is damaged.",
                remedy: "Look at it with freehold check, and restore it from a backup.")
        }
        name = state.name
        client = state.client
        epoch = state.epoch
        applied = state.applied
        pending = snapshot.table(tables.outbox).count
        rejected = snapshot.table(tables.rejections).count
    }
}
