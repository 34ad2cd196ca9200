public import Freehold
import FreeholdStorage

extension Realm {
    /// The changes of this file that wait to be in the log of the shared realm, in the order in
    /// which they were made: what others do not see yet. Empty if the file is not shared.
    ///
    /// An object shows its pending values. They are settled once they are no longer in this list;
    /// if another machine's value wins, the object's observers are notified. The status of the
    /// ``SharedRealm`` changes whenever the number of pending commits does.
    ///
    /// ```swift
    /// for await _ in shared.statusChanges {
    ///     let waiting = Set(try shared.realm().pendingChanges().map(\.primaryKey))
    ///     print("\(waiting.count) objects are on their way")
    /// }
    /// ```
    ///
    /// Of the newest version of the file, without a connection. O(bytes of the changes). A change
    /// whose commit was damaged is left out.
    ///
    /// Thread rule: that of the realm.
    ///
    /// - Throws: ``Realm/Error`` if the file cannot be read.
    public func pendingChanges() throws -> [SharedChange] {
        let snapshot: Snapshot
        do { snapshot = try sharedStore.newestSnapshot() } catch { throw Realm.Error(error) }
        guard let tables = SharingTables(snapshot.catalog) else { return [] }
        var outbox = Outbox()
        outbox.load(tables.outbox, from: snapshot)
        return outbox.commits.flatMap(\.commit.changes)
    }
}
