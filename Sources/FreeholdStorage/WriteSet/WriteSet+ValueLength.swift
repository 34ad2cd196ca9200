extension WriteSet {
    /// Throws if a value that would be written is longer than ``StorageLayout/longestValue``. O(changed blobs).
    ///
    /// Setting a value cannot throw, so the length is judged at the end: a long value that was replaced or deleted meanwhile does no harm.
    /// Inline values are never too long.
    func checkValueLengths(path: String) throws(StorageError) {
        for definition in catalog.tables {
            guard let found = tables[definition.id]?.blobTooLong(over: layout.longestValue) else { continue }
            let column = definition[found.place.column]?.name ?? "\(found.place.column.rawValue)"
            throw StorageError(
                .valueTooLarge,
                "A value of \(definition.name).\(column) has \(found.length) bytes, and \(layout.longestValue) is the most that a text or data value can have. "
                    + "Nothing of the transaction was written to \"\(path)\". Split the value over several objects, or keep it in a file of its own and store that file's name.",
                path: path)
        }
    }
}

extension MutableTable {
    /// The first changed blob, in the order of columns and rows, that is longer than a limit.
    fileprivate func blobTooLong(over limit: Int) -> (place: CellPlace, length: Int)? {
        blobs.compactMap { place, value in value.flatMap { $0.count > limit ? (place, $0.count) : nil } }.min { $0.place < $1.place }
    }
}
