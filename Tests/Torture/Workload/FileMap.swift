/// Where a file has what: pages of trees, records, entries of the free list. Of a damaged file,
/// what can be found.
package struct FileMap {
    package static let pageSize = 4096

    package struct Entry {
        package let database: String
        package let key: [UInt8]
        /// Where its value lies.
        package let value: Range<Int>
    }

    private let bytes: [UInt8]
    /// Branches and leaves of the newest version.
    package private(set) var treePages: [Int] = []
    /// All pages of the newest version, meta pages included.
    package private(set) var usedPages: [Int] = [0, 1]
    /// Where the records of the named databases are.
    package private(set) var treeRecords: [Int] = []
    package private(set) var entries: [Entry] = []
    package private(set) var freeEntries: [Entry] = []
    package private(set) var databases: [String] = []
    private var seen: Set<Int> = []

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.count < 2 * Self.pageSize { return }
        let newest =
            read(16 + 128, UInt64.self) > read(Self.pageSize + 16 + 128, UInt64.self)
            ? 0 : Self.pageSize
        walk(Int(truncatingIfNeeded: read(newest + 16 + 24 + 40, UInt64.self)), "free")
        freeEntries = entries
        entries = []
        walk(Int(truncatingIfNeeded: read(newest + 16 + 72 + 40, UInt64.self)), "main")
        databases = Set(entries.map(\.database)).sorted()
    }

    package func read<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Value.Type)
        -> Value
    {
        bytes.withUnsafeBytes {
            offset + MemoryLayout<Value>.size <= $0.count
                ? $0.loadUnaligned(fromByteOffset: offset, as: Value.self) : 0
        }
    }

    private mutating func walk(_ page: Int, _ database: String) {
        // Damage can make circles.
        if page < 2 || page >= bytes.count / Self.pageSize || !seen.insert(page).inserted { return }
        let start = page * Self.pageSize
        treePages.append(page)
        usedPages.append(page)
        let isLeaf = read(start + 10, UInt16.self) & 2 != 0
        for pointer in stride(
            from: start + 16, to: start + min(Int(read(start + 12, UInt16.self)), Self.pageSize),
            by: 2)
        {
            let node = start + Int(read(pointer, UInt16.self))
            let (size, flags, keySize) = (
                Int(read(node, UInt32.self)), read(node + 4, UInt16.self),
                Int(read(node + 6, UInt16.self))
            )
            let data = node + 8 + keySize
            guard data <= start + Self.pageSize else { continue }
            let key = Array(bytes[node + 8..<data])
            if !isLeaf {
                walk(size | Int(flags) << 32, database)
            } else if flags & 2 != 0 {
                treeRecords.append(data)
                walk(
                    Int(truncatingIfNeeded: read(data + 40, UInt64.self)),
                    String(decoding: key, as: UTF8.self))
            } else if flags & 1 != 0 {
                let first = Int(truncatingIfNeeded: read(data, UInt64.self))
                guard first >= 2, first < bytes.count / Self.pageSize else { continue }
                let value = first * Self.pageSize + 16..<first * Self.pageSize + 16 + size
                guard value.upperBound <= bytes.count else { continue }
                usedPages += first..<first + (size + 15) / Self.pageSize + 1
                entries.append(Entry(database: database, key: key, value: value))
            } else if data + size <= start + Self.pageSize {
                entries.append(Entry(database: database, key: key, value: data..<data + size))
            }
        }
    }
}
