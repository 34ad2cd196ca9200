extension PageReader {
    /// The format record, or nil if another program wrote the file.
    func formatRecord() throws(StorageError) -> FormatRecord? {
        guard meta.mainTree.isPlain,
            let (bytes, isTree) = try lookUp(Array(Database.meta.name.utf8), in: meta.mainTree),
            isTree,
            let tree = bytes.withUnsafeBytes(TreeRecord.init(_:)), tree.isPlain,
            let (record, recordIsTree) = try lookUp(FormatRecord.key, in: tree),
            !recordIsTree
        else { return nil }
        return try FormatRecord(decoding: record, path: path)
    }
}
