import FreeholdStorage

/// Where a collection's objects come from if that is neither a table nor a query on one: rows in an order of their own, each any number of times.
///
/// A source is a name that means the same in every realm of its file, so that it can cross to another one. It keeps nothing: the collection keeps what it
/// was told, and asks again when the data changed.
///
/// Queries on such a collection are evaluated on these rows and on no others.
protocol RowSource: AnyObject, Sendable {
    /// The keys of the rows, in order. Every one of them exists.
    func keys(in core: RealmCore) throws(StorageError) -> ContiguousArray<Int64>
    /// How many keys there are, without making them where that is possible.
    func count(in core: RealmCore) throws(StorageError) -> Int
}

extension RowSource {
    func count(in core: RealmCore) throws(StorageError) -> Int { try keys(in: core).count }
}
