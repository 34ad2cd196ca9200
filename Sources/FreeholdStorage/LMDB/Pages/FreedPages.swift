/// The pages that one entry of the free list names (``PageLayout``).
struct FreedPages: RandomAccessCollection {
    private let numbers: UnsafeRawBufferPointer

    /// - Parameter data: Must outlive the collection.
    /// - Returns: Nil if the data are shorter than their count says.
    init?(_ data: UnsafeRawBufferPointer) {
        guard data.count >= 8, let count: UInt64 = data.baseAddress?.integer(at: 0),
            count <= UInt64(data.count / 8 - 1)
        else { return nil }
        numbers = UnsafeRawBufferPointer(rebasing: data[8..<8 + Int(count) * 8])
    }

    var startIndex: Int { 0 }
    var endIndex: Int { numbers.count / 8 }

    subscript(index: Int) -> UInt64 {
        UInt64(littleEndian: numbers.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
}
