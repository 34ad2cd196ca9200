import FreeholdStorage

/// The source of a collection's objects, if it is neither a table nor a query on one: rows in an
/// order of their own, with repetitions.
///
/// The keys of ``ElementPositions`` are positions of values, not rows.
///
/// A source is a name that is valid in every realm of its file, so it can move to another realm.
/// It caches nothing: the collection caches the rows, and asks again after the data changed.
///
/// Queries on such a collection are evaluated on exactly these rows.
protocol RowSource: AnyObject, Sendable {
    /// Returns the keys of the rows, in order. Every row exists.
    func keys(in core: RealmCore) throws(StorageError) -> ContiguousArray<Int64>
    /// Returns the number of keys, if it is known without making them.
    func count(in core: RealmCore) throws(StorageError) -> Int?
    /// Returns the collection of values that the keys are positions in; nil if the keys are rows.
    func values(in core: RealmCore, of binding: ClassBinding) -> ManagedCollection?
    /// Returns the source of the same rows in a draft that has given some other keys since.
    ///
    /// - Parameters:
    ///   - key: The new key of a row of a table.
    ///   - core: A realm of the file.
    func following(_ key: (Int64, TableID) -> Int64, in core: RealmCore) -> any RowSource
    /// Returns the plan by which the rows are found.
    func plan(in core: RealmCore, running: Bool) throws(StorageError) -> QueryPlan
    /// Returns the source's name for messages: "Person.dogs of one object".
    func name(in core: RealmCore) -> String
}

extension RowSource {
    func count(in core: RealmCore) throws(StorageError) -> Int? { nil }
    func values(in core: RealmCore, of binding: ClassBinding) -> ManagedCollection? { nil }
    func plan(in core: RealmCore, running: Bool) throws(StorageError) -> QueryPlan {
        QueryPlan(.collection, name(in: core), count: running ? try keys(in: core).count : nil)
    }
}
