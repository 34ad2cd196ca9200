/// The sizes that decide the layout of rows. Injectable, so that tests reach splits and blobs
/// with a few rows.
package struct StorageLayout: Hashable, Sendable {
    /// The maximum number of rows in a cluster. 500 eight-byte values, their null bits and the
    /// header fill the 4,080 bytes that LMDB stores in the first page of a large value. So no
    /// page is left half empty.
    package var rowsPerCluster = 500
    /// Longer values are stored in the blob database.
    package var longestInlineValue = 512
    /// The longest text or bytes that a commit accepts in a property: 16 MiB less 8 bytes, as in
    /// Realm.
    package var longestValue = 0xFF_FFF8
    /// The maximum number of bytes of a commit for other machines. PostgreSQL takes messages of
    /// 1 GB, and a push may have other commits beside a long one.
    package var longestSharedCommit = 900_000_000
    /// The maximum number of row keys in one index entry.
    package var keysPerIndexEntry = 400

    /// The maximum number of elements in a leaf of a collection, for the same reason as
    /// ``rowsPerCluster``.
    package var elementsPerLeaf = 500
    /// A leaf with more bytes of text is split, however few elements it has.
    package var longestLeaf = 16_000
    /// The maximum number of children of a collection's branch: at 12 bytes each, they fill the
    /// first page of a large value.
    package var childrenPerBranch = 338

    /// The maximum number of bytes of a node in an encrypted file's trees.
    package var encryptedNodeCapacity = TreeEncryption.defaultNodeCapacity

    /// Whether a column's length reveals nothing about its numbers. If so, each number takes as
    /// many bytes as the largest one, and nothing optional is left out.
    package var hidesLengths = false

    package init() {}

    /// The layout for an encrypted file: with the encryption overhead, a column of eight-byte
    /// values and a full branch still fill one page.
    package var hidingLengths: StorageLayout {
        var layout = self
        layout.rowsPerCluster = min(rowsPerCluster, 496)
        layout.elementsPerLeaf = min(elementsPerLeaf, 496)
        layout.childrenPerBranch = min(childrenPerBranch, 337)
        layout.hidesLengths = true
        return layout
    }

    /// The layout that tests use in addition to the real one.
    package static var tiny: StorageLayout {
        var layout = StorageLayout()
        layout.rowsPerCluster = 4
        layout.longestInlineValue = 24
        layout.keysPerIndexEntry = 3
        layout.elementsPerLeaf = 4
        layout.longestLeaf = 100
        layout.childrenPerBranch = 3
        layout.encryptedNodeCapacity = 600
        return layout
    }
}
