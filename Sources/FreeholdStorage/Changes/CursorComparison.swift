/// Finds the entries in which two versions of a database differ, by comparing all of them:
/// O(entries).
///
/// For versions whose nodes cannot be compared (``TreeComparison``). The tests compare both
/// methods.
package enum CursorComparison {
    /// Calls `body` with each key that has an entry in only one version, or different entries
    /// in both, in ascending order.
    package static func forEachDifference(
        _ database: Database, from old: ReadTransaction, to new: ReadTransaction,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(StorageError) {
        var first = try old.cursor(database)
        var second = try new.cursor(database)
        var a = try first.next()
        var b = try second.next()
        while a != nil || b != nil {
            let order =
                if let a, let b { ByteComparison.compare(a.key, b.key) } else { a == nil ? 1 : -1 }
            if order == 0, let a, let b {
                let isShared =
                    a.value.baseAddress == b.value.baseAddress && a.value.count == b.value.count
                if !isShared, !ByteComparison.areEqual(a.value, b.value) { body(a.key) }
            } else if let key = order < 0 ? a?.key : b?.key {
                body(key)
            }
            if order <= 0 { a = try first.next() }
            if order >= 0 { b = try second.next() }
        }
    }
}
