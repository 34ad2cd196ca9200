internal import CLMDB

/// A key and its value inside the mapped file.
/// The pointers are valid while their read transaction lives, or until the next change of their
/// write transaction. Values are aligned to only two bytes: load unaligned.
package struct Entry {
    package let key: UnsafeRawBufferPointer
    package let value: UnsafeRawBufferPointer

    package init(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        self.key = key
        self.value = value
    }
}

extension MDB_val {
    /// LMDB does not write through the keys and values it is given.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    @inline(__always)
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    }
}
