import Foundation

/// Where a sound file has what: pages of trees, records, entries of the free list.
struct FileMap {
    static let pageSize = 4096

    struct Entry {
        let database: String
        let key: [UInt8]
        /// Where its value lies.
        let value: Range<Int>
    }

    private let bytes: [UInt8]
    /// Branches and leaves of the newest version.
    private(set) var treePages: [Int] = []
    /// All pages of the newest version, meta pages included.
    private(set) var usedPages: [Int] = [0, 1]
    /// Where the records of the named databases are.
    private(set) var treeRecords: [Int] = []
    private(set) var entries: [Entry] = []
    private(set) var freeEntries: [Entry] = []
    private(set) var databases: [String] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let newest = read(16 + 128, UInt64.self) > read(Self.pageSize + 16 + 128, UInt64.self) ? 0 : Self.pageSize
        walk(Int(truncatingIfNeeded: read(newest + 16 + 24 + 40, UInt64.self)), "free")
        freeEntries = entries
        entries = []
        walk(Int(truncatingIfNeeded: read(newest + 16 + 72 + 40, UInt64.self)), "main")
        databases = Set(entries.map(\.database)).sorted()
    }

    func read<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Value.Type) -> Value {
        bytes.withUnsafeBytes { offset + MemoryLayout<Value>.size <= $0.count ? $0.loadUnaligned(fromByteOffset: offset, as: Value.self) : 0 }
    }

    private mutating func walk(_ page: Int, _ database: String) {
        if page < 2 { return }
        let start = page * Self.pageSize
        treePages.append(page)
        usedPages.append(page)
        let isLeaf = read(start + 10, UInt16.self) & 2 != 0
        for pointer in stride(from: start + 16, to: start + Int(read(start + 12, UInt16.self)), by: 2) {
            let node = start + Int(read(pointer, UInt16.self))
            let (size, flags, keySize) = (Int(read(node, UInt32.self)), read(node + 4, UInt16.self), Int(read(node + 6, UInt16.self)))
            let key = Array(bytes[node + 8..<node + 8 + keySize])
            let data = node + 8 + keySize
            if !isLeaf {
                walk(size | Int(flags) << 32, database)
            } else if flags & 2 != 0 {
                treeRecords.append(data)
                walk(Int(truncatingIfNeeded: read(data + 40, UInt64.self)), String(decoding: key, as: UTF8.self))
            } else if flags & 1 != 0 {
                let first = Int(read(data, UInt64.self))
                usedPages += first..<first + Int(read(first * Self.pageSize + 12, UInt32.self))
                entries.append(Entry(database: database, key: key, value: first * Self.pageSize + 16..<first * Self.pageSize + 16 + size))
            } else {
                entries.append(Entry(database: database, key: key, value: data..<data + size))
            }
        }
    }
}
