import FreeholdStorage

/// The values in a collection of an object, reordered in steps and represented by their positions
/// in the collection. Empty once the object is deleted.
final class ElementPositions: RowSource {
    private let owner: ObjectBase.Type
    private let column: ColumnID
    private let key: RowKey
    let steps: [ElementStep]

    /// - Parameters:
    ///   - owner: The class of the object that has the collection.
    ///   - column: The column of its lists, sets or maps of values.
    ///   - key: The object's row.
    ///   - steps: The reordering steps, in this order.
    init(owner: ObjectBase.Type, column: ColumnID, key: Int64, steps: [ElementStep]) {
        self.owner = owner
        self.column = column
        self.key = RowKey(rawValue: key)
        self.steps = steps
    }

    /// Returns the same positions with further steps.
    func followed(by more: [ElementStep]) -> ElementPositions {
        ElementPositions(owner: owner, column: column, key: key.rawValue, steps: steps + more)
    }

    private func collection(in core: RealmCore) -> StoredCollection? {
        core.table(of: core.binding(for: owner)).collection(of: column, key: key)
    }

    func keys(in core: RealmCore) throws(StorageError) -> ContiguousArray<Int64> {
        collection(in: core)?.positions(after: steps) ?? []
    }

    func count(in core: RealmCore) throws(StorageError) -> Int? {
        steps.allSatisfy(\.keepsAll) ? collection(in: core)?.count ?? 0 : nil
    }

    func values(in core: RealmCore, of binding: ClassBinding) -> ManagedCollection? {
        guard let descriptor = binding.elementDescriptor(of: column),
            let property = binding.columns.firstIndex(of: column),
            let shape = binding.schema.properties[property].shape
        else { return nil }
        return ManagedCollection(
            core: core, binding: binding, column: column, key: key.rawValue, descriptor, shape)
    }

    func following(_ newKey: (Int64, TableID) -> Int64, in core: RealmCore) -> any RowSource {
        let moved = newKey(key.rawValue, core.binding(for: owner).table)
        if moved == key.rawValue { return self }
        return ElementPositions(owner: owner, column: column, key: moved, steps: steps)
    }

    func name(in core: RealmCore) -> String {
        core.binding(for: owner).name(of: column) + " of one object"
    }

    func plan(in core: RealmCore, running: Bool) throws(StorageError) -> QueryPlan {
        var plan = QueryPlan(
            .collection, name(in: core), count: running ? collection(in: core)?.count ?? 0 : nil)
        for (index, step) in steps.enumerated() {
            let count =
                running
                ? collection(in: core)?.positions(after: Array(steps[...index])).count ?? 0 : nil
            plan =
                switch step {
                case .sorted(let ascending):
                    QueryPlan(
                        .sort, "sort by self \(ascending ? "ascending" : "descending")",
                        count: count, on: [plan])
                case .distinct: QueryPlan(.distinct, "distinct by self", count: count, on: [plan])
                case .slice(let offset, let limit):
                    QueryPlan(
                        .slice, QueryPlan.sliceText(offset: offset, limit: limit), count: count,
                        on: [plan])
                }
        }
        return plan
    }
}
