import FreeholdStorage

/// Where a collection's objects come from if that is neither a table nor a query on one: rows
/// in an order of their own, each any number of times.
///
/// The keys of ``ElementPositions`` are not of rows: they are positions of values.
///
/// A source is a name that means the same in every realm of its file, so that it can cross to
/// another one. It keeps nothing: the collection keeps what it was told, and asks again when
/// the data changed.
///
/// Queries on such a collection are evaluated on these rows and on no others.
protocol RowSource: AnyObject, Sendable {
    /// The keys of the rows, in order. Every one of them exists.
    func keys(in core: RealmCore) throws(StorageError) -> ContiguousArray<Int64>
    /// How many keys there are, where that is known without making them.
    func count(in core: RealmCore) throws(StorageError) -> Int?
    /// The collection of values that the keys are positions in; nil if they are rows.
    func values(in core: RealmCore, of binding: ClassBinding) -> ManagedCollection?
    /// How the rows are found.
    func plan(in core: RealmCore, running: Bool) throws(StorageError) -> QueryPlan
    /// What it is, for people: "Person.dogs of one object".
    func name(in core: RealmCore) -> String
}

extension RowSource {
    func count(in core: RealmCore) throws(StorageError) -> Int? { nil }
    func values(in core: RealmCore, of binding: ClassBinding) -> ManagedCollection? { nil }
    func plan(in core: RealmCore, running: Bool) throws(StorageError) -> QueryPlan {
        QueryPlan(.collection, name(in: core), count: running ? try keys(in: core).count : nil)
    }
}
