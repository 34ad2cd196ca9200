/// A key and its value inside the mapped file.
///
/// The pointers are valid while the read transaction they came from lives, or in a write
/// transaction until its next change. Values are aligned to two bytes only: load unaligned.
package struct Entry {
    package let key: UnsafeRawBufferPointer
    package let value: UnsafeRawBufferPointer

    package init(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        self.key = key
        self.value = value
    }
}
