/// The sizes that decide how rows are laid out. Injectable, so that tests reach splits and blobs with a few rows.
package struct StorageLayout: Hashable, Sendable {
    /// The most rows of a cluster. 500 eight-byte values, their null bits and the header fill the 4,080 bytes that LMDB
    /// stores in the first page of a large value, so that no page is left half empty.
    package var rowsPerCluster = 500
    /// Values longer than this live in the blob database.
    package var longestInlineValue = 512
    /// The longest text or bytes that a commit accepts: 16 MB less 8 bytes, as in Realm.
    package var longestValue = 0xFF_FFF8
    /// The most row keys of one index entry.
    package var keysPerIndexEntry = 400

    package init() {}

    /// What the tests run with besides the real layout.
    package static var tiny: StorageLayout {
        var layout = StorageLayout()
        layout.rowsPerCluster = 4
        layout.longestInlineValue = 24
        layout.keysPerIndexEntry = 3
        return layout
    }
}
