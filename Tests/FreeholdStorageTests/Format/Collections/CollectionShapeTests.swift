import FreeholdStorage
import FreeholdTestSupport
import Testing

/// How many nodes the trees of collections have: full ones where they grow at their end.
@Suite struct CollectionShapeTests {
    private struct Place {
        let table: TableID
        let column: ColumnID
        let row = RowKey(rawValue: 1)

        init(in writeSet: WriteSet) {
            table = writeSet.createTable(named: "Owner")
            column = writeSet.addColumn(
                to: table, named: "list",
                collection: StoredCollectionKind(.list, of: .integer, isNullable: false))
            _ = writeSet.mutableTable(table).insertRow(row)
        }

        func tree(_ writeSet: WriteSet) throws -> MutableStoredCollection {
            try #require(writeSet.mutableTable(table).mutableCollection(of: column, key: row))
        }

        /// The numbers of elements of the leaves.
        func leaves(_ snapshot: Snapshot) throws -> [Int] {
            var counts: [Int] = []
            try #require(snapshot.table(table).collection(of: column, key: row)).forEachLeaf {
                counts.append($0.count)
                return true
            }
            return counts
        }
    }

    private var layout: StorageLayout {
        var layout = StorageLayout()
        layout.elementsPerLeaf = 16
        layout.childrenPerBranch = 8
        return layout
    }

    private func withList(count: Int, _ body: (Store, Place) throws -> Void) throws {
        try withTemporaryStore(layout: layout) { store in
            let (place, _) = try write(store) { writeSet in
                let place = Place(in: writeSet), tree = try place.tree(writeSet)
                for index in 0..<count {
                    tree.insert(at: index).setInteger(
                        MutableStoredCollection.values, 1 << 40 + Int64(index * index))
                }
                return place
            }
            try body(store, place)
        }
    }

    @Test func listsThatOnlyGrowHaveFullNodes() throws {
        let count = 16 * 8 * 8 * 3
        try withList(count: count) { store, place in
            let leaves = try place.leaves(try store.newestSnapshot())
            #expect(leaves == [Int](repeating: 16, count: count / 16))
            // Leaves, full branches above them, and so on up to the root.
            var nodes = count / 16
            var level = nodes
            while level > 1 {
                level = (level + 7) / 8
                nodes += level
            }
            let entries = try store.environment.read().entries(.elements)
            #expect(entries.count == nodes)
        }
    }
}
