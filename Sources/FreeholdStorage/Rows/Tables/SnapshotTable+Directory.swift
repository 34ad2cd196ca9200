/// Reading the stored directory, whole or one entry.
extension SnapshotTable {
    private var damagedDirectory: StorageError {
        .damaged("The directory of table \(definition.name) is damaged.", path: path)
    }

    /// The whole directory; up to the first damaged entry if there is one, which is remembered.
    /// O(clusters): one cursor walk over 16 bytes each.
    func storedDirectory() -> ClusterDirectory {
        var firstKeys = ContiguousArray<Int64>()
        var counts = ContiguousArray<Int32>()
        do throws(StorageError) {
            let prefix = StorageKey.prefix(id)
            var cursor = try transaction.cursor(.directory)
            var entry = try prefix.withBytes { key throws(StorageError) in
                try cursor.seek(atOrAfter: key)
            }
            while let current = entry, let stored = try decoded(current) {
                if let last = firstKeys.last, let count = counts.last {
                    if stored.firstKey <= last { throw damagedDirectory }
                    if Self.overlap(last, Int(count), stored.firstKey) {
                        firstKeys.removeLast()
                        counts.removeLast()
                        throw damagedDirectory
                    }
                }
                firstKeys.append(stored.firstKey)
                counts.append(Int32(stored.count))
                entry = try cursor.next()
            }
        } catch {
            corruption.note(error)
        }
        return ClusterDirectory(firstKeys: firstKeys, counts: counts)
    }

    /// The place of the cluster that covers a key; nil below the first cluster, and where the
    /// entry or the next one is damaged, which is remembered. One descent.
    func storedPlace(covering key: Int64) -> EarlyClusters.Place? {
        do throws(StorageError) {
            var cursor = try transaction.cursor(.directory)
            let entry = try StorageKey.directory(id, firstKey: key).withBytes {
                key throws(StorageError) in try cursor.seek(atOrBefore: key)
            }
            guard let entry, let (firstKey, count) = try decoded(entry) else { return nil }
            if firstKey > key { throw damagedDirectory }
            guard let entry = try cursor.next(), let next = try decoded(entry)?.firstKey else {
                return EarlyClusters.Place(firstKey: firstKey, lastKey: .max, count: count)
            }
            if next <= key || Self.overlap(firstKey, count, next) { throw damagedDirectory }
            return EarlyClusters.Place(firstKey: firstKey, lastKey: next - 1, count: count)
        } catch {
            corruption.note(error)
            return nil
        }
    }

    /// The first key of the first cluster; nil if there is none, and if its entry is damaged.
    func storedFirstKey() -> Int64? {
        do throws(StorageError) {
            var cursor = try transaction.cursor(.directory)
            let entry = try StorageKey.prefix(id).withBytes { key throws(StorageError) in
                try cursor.seek(atOrAfter: key)
            }
            return try entry.flatMap { entry throws(StorageError) in try decoded(entry)?.firstKey }
        } catch {
            corruption.note(error)
            return nil
        }
    }

    /// An entry of the directory; nil if it is another table's.
    private func decoded(_ entry: Entry) throws(StorageError) -> (firstKey: Int64, count: Int)? {
        guard entry.key.count == 12,
            UInt32(bigEndian: entry.key.loadUnaligned(as: UInt32.self)) == id.rawValue
        else { return nil }
        let counters = transaction.environment.counters
        counters.add(to: counters.directoryReads)
        let firstKey = StorageKey.rowKey(in: entry.key, at: 4)
        guard let stored = DirectoryEntry(decoding: entry.value, of: id, firstKey: firstKey) else {
            throw damagedDirectory
        }
        return (firstKey, stored.count)
    }

    /// Whether a cluster has more rows than keys before the next one: look-ups of the excess rows
    /// would search that cluster and find them deleted.
    private static func overlap(_ firstKey: Int64, _ count: Int, _ next: Int64) -> Bool {
        next <= firstKey || UInt64(bitPattern: next &- firstKey) < UInt64(count)
    }
}
