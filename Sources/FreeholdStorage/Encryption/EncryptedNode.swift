/// The entries of a node of an encrypted tree: decrypted bytes, or a node that a write
/// transaction changes.
///
///     0        1      2         4                    4 + 2 n
///     +--------+------+---------+--------------------+---------------------------------------+
///     | height | 0    | entries | offsets            | entries: key length u16, value length |
///     | u8     |      | u16     | u16 an entry       | u32, key, value                       |
///     +--------+------+---------+--------------------+---------------------------------------+
///
/// The top bit of a value's length marks a reference of 32 bytes: to the record with a value of
/// that length or, in a branch, to a child. Zeros pad the node to the length that all nodes
/// have. Keys ascend. The first child of a branch holds everything below the second one's key,
/// whatever its own key says.
struct EncryptedNode: @unchecked Sendable {
    // Sendable: threads share only nodes in records, which are immutable; nodes of a write
    // transaction stay on its thread.

    /// The offset of each entry from `base`.
    let offsets: UnsafePointer<UInt16>
    let base: UnsafeRawPointer
    let count: Int
    /// 1 for a leaf.
    let height: Int

    static let headerSize = 4
    static let entryHeaderSize = 6
    static let referenceBit: UInt32 = 1 << 31
    /// Longer values are stored in separate records.
    static let longestInlineValue = 256
    static let longestKey = 511
}

extension EncryptedNode {
    /// The node of a record, whose memory must outlive it; nil if the bytes are impossible.
    /// O(entries).
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > Self.headerSize, let start = bytes.baseAddress, bytes[0] > 0,
            bytes[1] == 0
        else { return nil }
        let count = Int(start.load(fromByteOffset: 2, as: UInt16.self))
        let end = Self.headerSize + 2 * count
        guard count > 0, end <= bytes.count else { return nil }
        self.init(
            offsets: (start + Self.headerSize).assumingMemoryBound(to: UInt16.self), base: start,
            count: count, height: Int(bytes[0]))
        for index in 0..<count {
            let offset = Int(offsets[index])
            guard offset >= end, offset + Self.entryHeaderSize <= bytes.count, keyLength(index) > 0,
                keyLength(index) <= Self.longestKey,
                offset + size(ofEntry: index) <= bytes.count, height == 1 || isReference(index)
            else { return nil }
        }
    }

    @inline(__always)
    private func entry(_ index: Int) -> UnsafeRawPointer { base + Int(offsets[index]) }

    @inline(__always)
    private func keyLength(_ index: Int) -> Int { Int(entry(index).loadUnaligned(as: UInt16.self)) }

    @inline(__always)
    private func lengthWord(_ index: Int) -> UInt32 {
        entry(index).loadUnaligned(fromByteOffset: 2, as: UInt32.self)
    }

    @inline(__always)
    func isReference(_ index: Int) -> Bool { lengthWord(index) & Self.referenceBit != 0 }

    /// The number of bytes of the value, wherever it is stored.
    @inline(__always)
    func valueLength(_ index: Int) -> Int { Int(lengthWord(index) & ~Self.referenceBit) }

    @inline(__always)
    func key(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: entry(index) + Self.entryHeaderSize, count: keyLength(index))
    }

    @inline(__always)
    private func valueStart(_ index: Int) -> UnsafeRawPointer {
        entry(index) + Self.entryHeaderSize + keyLength(index)
    }

    /// The value of an entry that stores no reference.
    @inline(__always)
    func inlineValue(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: valueStart(index), count: valueLength(index))
    }

    /// The bytes after the key: the value, or the reference.
    @inline(__always)
    func storedValue(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: valueStart(index),
            count: isReference(index) ? EncryptedReference.size : valueLength(index))
    }

    @inline(__always)
    func reference(_ index: Int) -> EncryptedReference {
        EncryptedReference(at: valueStart(index))
    }

    /// The number of bytes of an entry, without its offset.
    @inline(__always)
    func size(ofEntry index: Int) -> Int {
        Self.entryHeaderSize + keyLength(index) + storedValue(index).count
    }

    /// The first entry from `first` on whose key is not below `key`, and whether it is equal.
    /// O(log entries).
    func search(_ key: UnsafeRawBufferPointer, from first: Int = 0) -> (index: Int, isExact: Bool) {
        var (low, high) = (first, count)
        while low < high {
            let middle = (low &+ high) &>> 1
            let order = ByteComparison.compare(self.key(middle), key)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle &+ 1 } else { high = middle }
        }
        return (low, false)
    }

    /// The index of a branch's child for a key.
    func child(for key: UnsafeRawBufferPointer) -> Int {
        let (index, isExact) = search(key, from: 1)
        return isExact ? index : index - 1
    }
}
