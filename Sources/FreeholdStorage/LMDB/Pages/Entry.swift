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
