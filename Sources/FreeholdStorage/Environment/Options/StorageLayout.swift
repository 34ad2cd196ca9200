/// The sizes that decide how rows are laid out. Injectable, so that tests reach splits and
/// blobs with a few rows.
package struct StorageLayout: Hashable, Sendable {
    /// The most rows of a cluster. 500 eight-byte values, their null bits and the header fill
    /// the 4,080 bytes that LMDB stores in the first page of a large value, so that no page is
    /// left half empty.
    package var rowsPerCluster = 500
    /// Values longer than this live in the blob database.
    package var longestInlineValue = 512
    /// The longest text or bytes that a commit accepts: 16 MB less 8 bytes, as in Realm.
    package var longestValue = 0xFF_FFF8
    /// The most row keys of one index entry.
    package var keysPerIndexEntry = 400

    /// The most elements of a leaf of a collection, for the reason that a cluster has as many rows.
    package var elementsPerLeaf = 500
    /// Where the texts of a leaf take more bytes than this, it is split however few elements it
    /// has.
    package var longestLeaf = 16_000
    /// The most children of a branch of a collection: 12 bytes each fill the first page of a
    /// large value.
    package var childrenPerBranch = 338

    /// The most bytes of a node of an encrypted file's trees.
    package var encryptedNodeCapacity = TreeEncryption.defaultNodeCapacity

    /// Whether a column's length tells nothing of its numbers: each is stored in as many bytes
    /// as the largest one takes, and what could be left out is stored.
    package var hidesLengths = false

    package init() {}

    /// The same for an encrypted file: with the treeEncryption, a column of eight-byte values and a
    /// full branch still fill one page.
    package var hidingLengths: StorageLayout {
        var layout = self
        layout.rowsPerCluster = min(rowsPerCluster, 496)
        layout.elementsPerLeaf = min(elementsPerLeaf, 496)
        layout.childrenPerBranch = min(childrenPerBranch, 337)
        layout.hidesLengths = true
        return layout
    }

    /// What the tests run with besides the real layout.
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
