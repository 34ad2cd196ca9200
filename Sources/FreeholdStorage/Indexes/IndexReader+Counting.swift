extension IndexReader {
    /// How many rows have a value in the range; stops counting behind `limit`. O(entries), of which those of a page take a nanosecond or two each.
    package func estimatedCount(from lower: IndexBound, to upper: IndexBound, limit: Int) throws(StorageError) -> Int {
        let all = IndexEntry.prefix(table, column)
        var start = all
        var skipped: ContiguousArray<UInt8>?
        switch lower {
        case .unbounded: break
        case .including(let value): start.append(contentsOf: value.bytes)
        case .excluding(let value):
            start.append(contentsOf: value.bytes)
            skipped = start
        }
        // Entries below this key are in the range; those of this value if it is included.
        var end = all
        var includesEnd = false
        switch upper {
        case .unbounded: end.append(0xFF)
        case .including(let value):
            end.append(contentsOf: value.bytes)
            includesEnd = true
        case .excluding(let value): end.append(contentsOf: value.bytes)
        }
        let pageSize = transaction.environment.handle.pageSize
        var cursor = try transaction.cursor(.indexes)
        var entry = try start.withBytes { bytes throws(StorageError) in try cursor.seek(atOrAfter: bytes) }
        if let skipped {
            while let current = entry, skipped.holds(current.key) { entry = try cursor.next() }
        }
        var count = 0
        while let current = entry, all.matches(current.key), count < limit {
            if let page = LeafPage(of: current, size: pageSize), page.lastKey.isBelow(end), let rows = page.rowCount(from: current) {
                count += rows
                // The cursor knows the page that it is on, so this is no descent.
                _ = try cursor.seek(exactly: page.lastKey)
            } else if current.key.isBelow(end) || (includesEnd && end.holds(current.key)) {
                count += IndexEntry.count(current.value)
            } else {
                return count
            }
            entry = try cursor.next()
        }
        return count
    }
}

extension ContiguousArray<UInt8> {
    /// Whether an entry with this key is the first one of the value that these bytes end with, or a later one.
    fileprivate func holds(_ key: UnsafeRawBufferPointer) -> Bool {
        matches(key) && (key.count == count || key.count == count + IndexEntry.suffixSize)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func isBelow(_ other: ContiguousArray<UInt8>) -> Bool {
        other.withUnsafeBytes { ElementOrder.compare(self, $0) < 0 }
    }
}

/// The page of LMDB's that an entry lies on, in the map: its entries stand behind one another in the order of their keys.
///
/// The layout is that of LMDB's data version 1, as in ``PageReader``. Anything unexpected makes it nil, and the entries are asked of LMDB one by one.
private struct LeafPage {
    private let start: UnsafeRawPointer
    private let size: Int
    /// How many entries there are.
    private let count: Int

    init?(of entry: Entry, size: Int) {
        guard let key = entry.key.baseAddress, size > PageLayout.header, size & (size - 1) == 0 else { return nil }
        start = UnsafeRawPointer(bitPattern: UInt(bitPattern: key) & ~UInt(size - 1)).unsafelyUnwrapped
        self.size = size
        let lower = Int(start.load(fromByteOffset: 12, as: UInt16.self))
        guard start.load(fromByteOffset: 10, as: UInt16.self) == PageLayout.leaf, lower > PageLayout.header, lower <= size else { return nil }
        count = (lower - PageLayout.header) / 2
        guard let last = node(count - 1), last.key.count > 0 else { return nil }
        lastKey = last.key
    }

    private(set) var lastKey = UnsafeRawBufferPointer(start: nil, count: 0)

    /// An entry's key, and where its value begins; nil where the value is on other pages, or the node is impossible.
    @inline(__always)
    private func node(_ index: Int) -> (key: UnsafeRawBufferPointer, value: UnsafeRawPointer)? {
        let offset = Int(start.load(fromByteOffset: PageLayout.header + index * 2, as: UInt16.self))
        guard offset + PageLayout.nodeHeader <= size else { return nil }
        let node = start + offset
        let flags = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let keySize = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        guard flags == 0, offset + PageLayout.nodeHeader + keySize + 2 <= size else { return nil }
        let key = node + PageLayout.nodeHeader
        return (UnsafeRawBufferPointer(start: key, count: keySize), key + keySize)
    }

    /// How many rows the entries have from one on to the end of the page.
    func rowCount(from entry: Entry) -> Int? {
        // Where the entry is among the others: they are in order, so its node is found by its key's place.
        var low = 0
        var high = count - 1
        while low < high {
            let middle = (low + high) / 2
            guard let found = node(middle) else { return nil }
            if ElementOrder.compare(found.key, entry.key) < 0 { low = middle + 1 } else { high = middle }
        }
        guard node(low)?.key.baseAddress == entry.key.baseAddress else { return nil }
        if let total = rowCount(ofKeysOfOneLength: low) { return total }
        var total = 0
        for index in low..<count {
            guard let (_, value) = node(index) else { return nil }
            total += IndexEntry.count(UnsafeRawBufferPointer(start: value, count: 2))
        }
        return total
    }

    /// The same from a position on, where all keys are as long as the first one, as those of numbers are; else nil.
    ///
    /// What could be wrong with a node is collected and looked at once, so that the loop has no branches and waits for nothing.
    private func rowCount(ofKeysOfOneLength first: Int) -> Int? {
        guard let keySize = node(first)?.key.count else { return nil }
        // A node begins with two words that are the length of the value, the flags, and the length of the key.
        let expected = UInt64(keySize) << 48
        let greatestOffset = size - PageLayout.nodeHeader - keySize - 2
        let offsets = start + PageLayout.header
        let counts = start + PageLayout.nodeHeader + keySize
        var wrong: UInt64 = 0
        var total = 0
        for index in first..<count {
            let stored = Int(offsets.load(fromByteOffset: index &* 2, as: UInt16.self))
            let offset = min(stored, greatestOffset)
            let header = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            wrong |= (header ^ expected) &>> 32 | UInt64(truncatingIfNeeded: stored ^ offset)
            total &+= IndexEntry.count(header: counts.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
        }
        return wrong == 0 ? total : nil
    }
}
