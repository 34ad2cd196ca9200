package import Freehold

/// What one write of the program adds.
package final class Entry: Object {
    package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) package var key = 0
    /// Of a shared write: which one it is.
    @Persisted package var place = 0
}

/// How many writes of a kind there were.
package final class Tally: Object {
    package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) package var kind = ""
    @Persisted package var count = 0
}

package enum Entries {
    package static let classes: [ObjectBase.Type] = [Entry.self, Tally.self]
    package static let written = "written"
    package static let shared = "shared"

    /// Makes the tallies. Before any other machine takes part.
    package static func begin(in realm: Realm) {
        for kind in [written, shared] { realm.create(Tally.self, value: ["kind": kind]) }
    }

    /// What `write` does.
    package static func write(_ key: Int, in realm: Realm) {
        realm.object(ofType: Tally.self, forPrimaryKey: written)?.increment(\.count, by: 1)
        realm.create(Entry.self, value: ["key": key])
    }

    /// What `writeShared` does.
    package static func writeShared(_ key: Int, in realm: Realm) {
        guard let tally = realm.object(ofType: Tally.self, forPrimaryKey: shared) else { return }
        tally.count += 1
        realm.create(Entry.self, value: ["key": key, "place": tally.count])
    }
}
