import FreeholdStorage

/// A key above all that a realm handed out in a table, so that the rows of a cancelled
/// transaction do not come back to life as others.
///
/// One for each table, whichever of its classes an object is made of. Confined with its realm.
final class HandedOutKeys {
    private var next = Int64.min

    /// A key that was not handed out before. O(1).
    func claim(atLeast least: RowKey) -> RowKey {
        let key = max(least.rawValue, next)
        next = key + 1
        return RowKey(rawValue: key)
    }
}

extension RealmCore {
    /// The keys that this realm handed out in a table. O(1). Live cores only.
    func handedOutKeys(of table: TableID) -> HandedOutKeys {
        if let known = knownHandedOutKeys[table] { return known }
        let made = HandedOutKeys()
        knownHandedOutKeys[table] = made
        return made
    }
}
