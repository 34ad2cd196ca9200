import Foundation
import Freehold

/// The classes of an upstream's file. None is in the schema of other realms.
///
/// Objects are found by keys that are made of numbers, so the file needs no other index.
enum UpstreamFile {
    static let types: [ObjectBase.Type] = [
        UpstreamFileRealm.self, UpstreamFileClient.self, UpstreamFileCommit.self,
        UpstreamFileSnapshot.self, UpstreamFilePiece.self,
    ]
}

final class UpstreamFileRealm: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var number: Int
    @Persisted var epoch: Int = 1
    @Persisted var head: Int
    @Persisted var floor: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class UpstreamFileClient: Object {
    @Persisted(primaryKey: true) var key: String
    /// Nil after an epoch began: a restored file knows old tokens.
    @Persisted var token: UUID?
    @Persisted var lastSequence: Int
    @Persisted var name: String
    @Persisted var seen: Date

    override static func shouldIncludeInDefaultSchema() -> Bool { false }

    static func key(_ realm: Int, _ client: UUID) -> String { "\(realm) \(client)" }
}

final class UpstreamFileCommit: Object {
    @Persisted(primaryKey: true) var key: String
    @Persisted var client: UUID
    @Persisted var clientSequence: Int
    @Persisted var format: Int
    /// Empty if the payload is in pieces.
    @Persisted var payload: Data
    /// How many pieces the payload has: 0 for a short one.
    @Persisted var pieceCount: Int
    @Persisted var at: Date

    override static func shouldIncludeInDefaultSchema() -> Bool { false }

    static func key(_ realm: Int, _ sequence: Int) -> String { "\(realm) \(sequence)" }

    /// A restored backup of the file gets the commit at another time.
    var stamp: Int64 { Int64(bitPattern: at.timeIntervalSinceReferenceDate.bitPattern) }
}

final class UpstreamFileSnapshot: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var realmNumber: Int
    @Persisted var epoch: Int
    @Persisted var sequence: Int
    @Persisted var byteCount: Int
    @Persisted var isEncrypted: Bool
    /// The least of a program that can use it.
    @Persisted var schemaVersion: Int
    @Persisted var pieceCount: Int
    /// False while its pieces come, and for ever if its writer ended.
    @Persisted var isComplete: Bool
    @Persisted var at: Date

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A part of a snapshot, or of the payload of a long commit.
final class UpstreamFilePiece: Object {
    @Persisted(primaryKey: true) var key: String
    @Persisted var data: Data

    override static func shouldIncludeInDefaultSchema() -> Bool { false }

    static let byteCount = 1 << 20

    static func key(_ snapshot: UUID, _ number: Int) -> String { "\(snapshot) \(number)" }

    /// - Parameter commit: The key of the commit, which is none of a snapshot.
    static func key(_ commit: String, _ number: Int) -> String { "\(commit) \(number)" }
}
