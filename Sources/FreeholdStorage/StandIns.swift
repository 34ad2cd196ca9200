// Signatures that other branches provide; index answers come from an array.
package struct StorageError: Error, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let corrupted = Code(rawValue: 1)
    }
    package let code: Code
    package let message: String
    package let path: String?
    package init(code: Code, message: String, path: String?) {
        self.code = code
        self.message = message
        self.path = path
    }
    package var description: String { message }
}

package final class ReadTransaction: @unchecked Sendable {
    package let version: UInt64 = 0
    package struct Entry: Comparable {
        package var key: IndexKey
        package var row: Int64
        package init(key: IndexKey, row: Int64) {
            self.key = key
            self.row = row
        }
        package static func < (a: Entry, b: Entry) -> Bool { a.key == b.key ? a.row < b.row : a.key < b.key }
    }
    /// Sorted.
    package var entries: [ColumnID: ContiguousArray<Entry>] = [:]
    package var lookups = 0
    package init() {}
}

package struct IndexKey: Hashable, Comparable, Sendable {
    package private(set) var bytes: ContiguousArray<UInt8> = []
    package static let null = IndexKey()
    package static func < (a: IndexKey, b: IndexKey) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

    private static func bigEndian<T: FixedWidthInteger>(_ value: T) -> IndexKey {
        var key = IndexKey()
        key.bytes.append(1)
        withUnsafeBytes(of: value.bigEndian) { key.bytes.append(contentsOf: $0) }
        return key
    }
    package static func integer(_ value: Int64) -> IndexKey { bigEndian(UInt64(bitPattern: value) ^ (1 << 63)) }
    package static func boolean(_ value: Bool) -> IndexKey { bigEndian(UInt8(value ? 1 : 0)) }
    package static func double(_ value: Double) -> IndexKey {
        bigEndian(value.sign == .minus ? ~value.bitPattern : value.bitPattern ^ (1 << 63))
    }
    package static func bytes(_ value: UnsafeRawBufferPointer) -> IndexKey {
        var key = IndexKey()
        key.bytes.append(1)
        key.bytes.append(contentsOf: value)
        return key
    }
    package static func fixed12(_ value: (UInt64, UInt32)) -> IndexKey {
        var key = bigEndian(value.0.byteSwapped)
        key.bytes.append(contentsOf: bigEndian(value.1.byteSwapped).bytes.dropFirst())
        return key
    }
    package static func fixed16(_ value: (UInt64, UInt64)) -> IndexKey {
        var key = bigEndian(value.0.byteSwapped)
        key.bytes.append(contentsOf: bigEndian(value.1.byteSwapped).bytes.dropFirst())
        return key
    }
}

package enum IndexBound {
    case unbounded
    case including(IndexKey)
    case excluding(IndexKey)
}

extension IndexReader {
    package func count(equalTo key: IndexKey) throws(StorageError) -> Int {
        transaction.lookups += 1
        let entries = transaction.entries[column] ?? []
        return entries.withUnsafeBufferPointer { IndexReader.firstIndex($0) { $0.key > key } - IndexReader.firstIndex($0) { $0.key >= key } }
    }

    private static func firstIndex(_ entries: UnsafeBufferPointer<ReadTransaction.Entry>, _ test: (ReadTransaction.Entry) -> Bool) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if test(entries[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    package func appendKeys(equalTo key: IndexKey, to keys: inout [Int64]) throws(StorageError) {
        try appendKeys(from: .including(key), to: .including(key), to: &keys)
    }

    private func range(_ lower: IndexBound, _ upper: IndexBound) -> Range<Int> {
        let entries = transaction.entries[column] ?? []
        return entries.withUnsafeBufferPointer { entries in
            let start = switch lower {
            case .unbounded: 0
            case .including(let key): IndexReader.firstIndex(entries) { $0.key >= key }
            case .excluding(let key): IndexReader.firstIndex(entries) { $0.key > key }
            }
            let end = switch upper {
            case .unbounded: entries.count
            case .including(let key): IndexReader.firstIndex(entries) { $0.key > key }
            case .excluding(let key): IndexReader.firstIndex(entries) { $0.key >= key }
            }
            return start..<max(start, end)
        }
    }

    package func appendKeys(from lower: IndexBound, to upper: IndexBound, to keys: inout [Int64]) throws(StorageError) {
        transaction.lookups += 1
        let entries = transaction.entries[column] ?? []
        for entry in entries[range(lower, upper)] { keys.append(entry.row) }
    }

    package func estimatedCount(from lower: IndexBound, to upper: IndexBound, limit: Int) throws(StorageError) -> Int {
        min(limit, range(lower, upper).count)
    }
}
