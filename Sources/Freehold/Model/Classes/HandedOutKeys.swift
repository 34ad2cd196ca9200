import FreeholdStorage

/// Assigns keys above all that a realm has assigned in a table. So references to rows of a
/// cancelled transaction never lead to later rows.
///
/// There is one for each table, shared by all classes of the table. Confined with its realm.
final class HandedOutKeys {
    private var next = Int64.min

    /// A key that has not been assigned before. O(1).
    func claim(atLeast least: RowKey) -> RowKey {
        let key = max(least.rawValue, next)
        next = key + 1
        return RowKey(rawValue: key)
    }
}

extension RealmCore {
    /// The keys that this realm has assigned in a table. O(1). Live cores only.
    func handedOutKeys(of table: TableID) -> HandedOutKeys {
        if let known = knownHandedOutKeys[table] { return known }
        let made = HandedOutKeys()
        knownHandedOutKeys[table] = made
        return made
    }
}
