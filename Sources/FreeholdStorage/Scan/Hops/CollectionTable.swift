/// The table that predicates on elements of collections are compiled for: it has a column of
/// values and, in maps, one of keys.
///
/// Its clusters are the leaves of collections (``LeafCluster``), so every compiled predicate on
/// a column also works on elements. It has no rows of its own: its user supplies the leaves.
final class CollectionTable: TableView, @unchecked Sendable {
    // Sendable: immutable; the owner follows the rules of ``TableView``.

    static let element = ColumnID(rawValue: 1)
    static let key = ColumnID(rawValue: 2)

    private let owner: TableView

    /// - Parameters:
    ///   - owner: The table whose rows contain the collections.
    ///   - target: The target table, if the elements are links.
    init(
        of type: ColumnType, isNullable: Bool, hasKeys: Bool, target: TableID?, owner: TableView,
        named name: String
    ) {
        self.owner = owner
        var columns = [
            ColumnDefinition(
                id: Self.element, name: "element", type: type, isNullable: isNullable,
                isIndexed: false, target: target)
        ]
        if hasKeys {
            columns.append(
                ColumnDefinition(
                    id: Self.key, name: "key", type: .text, isNullable: false, isIndexed: false))
        }
        // An estimate of the number of elements, for cost estimates of their predicates.
        let estimate = Int32(clamping: owner.count * Self.expectedElements)
        super.init(
            definition: TableDefinition(
                id: owner.id, name: "\(owner.definition.name).\(name)", columns: columns,
                primaryKey: nil, nextColumnID: 3),
            directory: ClusterDirectory(firstKeys: [0], counts: [estimate]))
    }

    static let expectedElements = 4

    override func index(of column: ColumnID) -> IndexReader? { nil }

    override func noteDamage(_ error: StorageError) { owner.noteDamage(error) }

    override var path: String { owner.path }
}

/// A leaf of a collection as a cluster of a ``CollectionTable``. Each hop has one and shows one
/// leaf after another. Confined to its evaluation.
struct LeafCluster {
    let cluster = ClusterView(firstKey: 0, count: 0, columnCount: 3, isMutable: false)

    @inline(__always)
    func show(_ leaf: CollectionLeaf) {
        cluster.count = leaf.count
        cluster.columns[CollectionTable.element.position] = leaf.values
        cluster.columns[CollectionTable.key.position] = leaf.keys
    }
}
