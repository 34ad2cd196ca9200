extension IndexReader {
    /// Calls `body` with the row keys in the order of their values, ascending inside each
    /// value, until it returns false.
    ///
    /// In ascending order null comes first, in descending order last. Returns false if it met a
    /// value that the index stores only in part, so that the order is unknown. O(keys visited).
    ///
    /// - Parameter type: The type of the column.
    func forEachKey(type: ColumnType, ascending: Bool, _ body: (Int64) -> Bool) throws(StorageError)
        -> Bool
    {
        let all = IndexEntry.prefix(table, column)
        var cursor = try transaction.cursor(.indexes)
        var keys: [Int64] = []
        if ascending {
            var entry = try all.withBytes { bytes throws(StorageError) in
                try cursor.seek(atOrAfter: bytes)
            }
            while let current = entry, all.matches(current.key) {
                guard let form = form(of: current.key, type) else { return false }
                keys.removeAll(keepingCapacity: true)
                guard
                    IndexEntry.appendKeys(
                        current.value,
                        bound: form == .first ? nil : IndexEntry.bound(in: current.key), to: &keys)
                else { throw damagedOrder }
                for key in keys where !body(key) { return true }
                entry = try cursor.next()
            }
            return true
        }
        // The position after all keys of the index.
        var end = StorageKey.prefix(table, ColumnID(rawValue: column.rawValue &+ 1))
        if column.rawValue == .max {
            end = StorageKey.prefix(TableID(rawValue: table.rawValue &+ 1))
        }
        let behind = try end.withBytes { key throws(StorageError) in try cursor.seek(atOrAfter: key)
        }
        var entry = try behind == nil ? cursor.last() : cursor.previous()
        // The entries of a value arrive in reverse; each is put before the previous ones.
        var parts: [[Int64]] = []
        while let current = entry, all.matches(current.key) {
            guard let form = form(of: current.key, type) else { return false }
            var part: [Int64] = []
            guard
                IndexEntry.appendKeys(
                    current.value, bound: form == .first ? nil : IndexEntry.bound(in: current.key),
                    to: &part)
            else { throw damagedOrder }
            parts.append(part)
            if form == .first {
                for part in parts.reversed() {
                    for key in part where !body(key) { return true }
                }
                parts.removeAll(keepingCapacity: true)
            }
            entry = try cursor.previous()
        }
        if !parts.isEmpty { throw damagedOrder }
        return true
    }

    private enum Form {
        case first, later
    }

    /// Whether an entry is the first of its value; nil if the key holds only part of the value.
    private func form(of key: UnsafeRawBufferPointer, _ type: ColumnType) -> Form? {
        let value = UnsafeRawBufferPointer(rebasing: key[min(IndexEntry.prefixSize, key.count)...])
        var length: Int
        if value.first == 0 {
            length = 1
        } else {
            switch type.layout {
            case .bits: length = 2
            case .fixed12: length = 13
            case .fixed16: length = 17
            case .integers, .floats, .doubles: length = 9
            case .heap:
                length = 1
                // A zero byte of the text is followed by 255. The end of a whole text is
                // followed by another zero, that of a partial text by a one.
                while length + 1 < value.count, value[length] != 0 || value[length + 1] == 0xFF {
                    length += value[length] == 0 ? 2 : 1
                }
                guard length + 1 < value.count, value[length + 1] == 0 else { return nil }
                length += 2
            }
        }
        return value.count == length ? .first : .later
    }

    private var damagedOrder: StorageError {
        StorageError.damaged(
            "An index entry of table \(table.rawValue), column \(column.rawValue) is damaged.",
            path: transaction.environment.path)
    }
}
