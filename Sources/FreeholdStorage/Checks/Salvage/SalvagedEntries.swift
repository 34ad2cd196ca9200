/// The reachable entries of a damaged file, by database, and the ranges of keys where others
/// must have been.
struct SalvagedEntries {
    typealias Key = ContiguousArray<UInt8>

    /// The place of an entry's value. Values are read only when needed, because an entry may
    /// turn out to be worthless.
    enum Value {
        case inFile(offset: Int, count: Int)
        /// In a record of an encrypted file.
        case encrypted(RecordPlace, offset: Int, count: Int, valueCount: Int)
        case inMemory(ContiguousArray<UInt8>)
    }

    /// Keys from `low` on and below `high`; nil means unbounded.
    struct KeyRange {
        var low: Key?
        var high: Key?

        func contains(_ key: Key) -> Bool {
            if let low, key.lexicographicallyPrecedes(low) { return false }
            if let high, !key.lexicographicallyPrecedes(high) { return false }
            return true
        }
    }

    private var values = [[Key: Value]](repeating: [:], count: Database.allCases.count)
    private var lostRanges = [[KeyRange]](repeating: [], count: Database.allCases.count)

    /// Adds an entry; an existing entry is kept.
    mutating func add(_ key: Key, _ value: Value, _ database: Database) {
        if values[database.rawValue][key] == nil { values[database.rawValue][key] = value }
    }

    mutating func lose(_ range: KeyRange, _ database: Database) {
        lostRanges[database.rawValue].append(range)
    }

    func value(_ key: Key, _ database: Database) -> Value? { values[database.rawValue][key] }

    /// In no particular order.
    func keys(_ database: Database) -> some Collection<Key> { values[database.rawValue].keys }

    /// Whether an entry with this key may have existed and cannot be reached.
    func mayHaveLost(_ key: Key, _ database: Database) -> Bool {
        lostRanges[database.rawValue].contains { $0.contains(key) }
    }
}

extension StorageKey {
    var salvageKey: SalvagedEntries.Key {
        var copy = SalvagedEntries.Key()
        // Cannot fail: the body throws nothing.
        try? withBytes { copy.append(contentsOf: $0) }
        return copy
    }
}
