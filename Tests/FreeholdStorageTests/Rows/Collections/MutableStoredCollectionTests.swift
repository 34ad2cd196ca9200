import FreeholdStorage
import FreeholdTestSupport
import Testing

/// What the random tests do not reach: large collections, and limits.
@Suite struct MutableStoredCollectionTests {
    private func makeList(_ type: ColumnType, in writeSet: WriteSet) -> (
        table: TableID, column: ColumnID, row: RowKey
    ) {
        let table = writeSet.createTable(named: "Owner")
        let column = writeSet.addColumn(
            to: table, named: "list",
            collection: StoredCollectionKind(.list, of: type, isNullable: false))
        let row = writeSet.mutableTable(table).insertRow(RowKey(rawValue: 1)).key
        return (table, column, row)
    }

    /// Appended to, a list has full leaves; its branches have several levels, and each element
    /// is where it was put.
    @Test func manyElements() throws {
        let count = 400_000
        try withTemporaryStore { store in
            let (place, snapshot) = try write(store) { writeSet in
                let place = makeList(.integer, in: writeSet)
                let tree = try #require(
                    writeSet.mutableTable(place.table).mutableCollection(
                        of: place.column, key: place.row))
                for index in 0..<count {
                    tree.insert(at: index).setInteger(
                        MutableStoredCollection.values, Int64(index * 3 % 1009))
                }
                #expect(tree.count == count)
                return place
            }
            let elements = try #require(
                snapshot.table(place.table).collection(of: place.column, key: place.row))
            #expect(elements.count == count)
            var index = 0
            var leaves = 0
            var wrong = 0
            elements.forEachLeaf { leaf in
                leaves += 1
                for row in 0..<leaf.count {
                    if leaf.values.integer(at: row) != Int64(index * 3 % 1009) { wrong += 1 }
                    index += 1
                }
                return true
            }
            #expect(
                index == count && wrong == 0
                    && leaves == (count + store.layout.elementsPerLeaf - 1)
                        / store.layout.elementsPerLeaf
            )
            #expect(try store.check(snapshot) == [])
            // One element in the middle rewrites a path, not the list.
            let before = try store.environment.read().entries(.elements)
            let (_, later) = try write(store) { writeSet in
                let tree = try #require(
                    writeSet.mutableTable(place.table).mutableCollection(
                        of: place.column, key: place.row))
                tree.insert(at: count / 2).setInteger(MutableStoredCollection.values, -7)
            }
            let after = try store.environment.read().entries(.elements)
            let known = Dictionary(uniqueKeysWithValues: before.map { ($0.key, $0.value) })
            #expect(after.filter { known[$0.key] != $0.value }.count <= 5)
            let changed = try #require(
                later.table(place.table).collection(of: place.column, key: place.row))
            let leaf = changed.leaf(at: count / 2)
            #expect(
                changed.count == count + 1 && leaf.values.integer(at: count / 2 - leaf.start) == -7)
            #expect(elements.count == count)
        }
    }

    /// Whatever is removed, from the ends or all over, leaves no nodes behind.
    @Test(arguments: [StorageLayout.tiny, StorageLayout()])
    func nodesGoWithTheirElements(layout: StorageLayout) throws {
        var random = Seed.random()
        try withTemporaryStore(layout: layout) { store in
            let (place, _) = try write(store) { writeSet in
                let place = makeList(.integer, in: writeSet)
                let tree = try #require(
                    writeSet.mutableTable(place.table).mutableCollection(
                        of: place.column, key: place.row))
                for index in 0..<3000 {
                    tree.insert(at: index).setInteger(
                        MutableStoredCollection.values,
                        Int64.random(in: .min ... .max, using: &random))
                }
                return place
            }
            for share in [1000, 1500, 470, 29] {
                let (_, snapshot) = try write(store) { writeSet in
                    let tree = try #require(
                        writeSet.mutableTable(place.table).mutableCollection(
                            of: place.column, key: place.row))
                    for _ in 0..<share {
                        let index = [
                            0, tree.count - 1, Int.random(in: 0..<tree.count, using: &random),
                        ].randomElement(using: &random)!
                        tree.remove(index..<(index + 1))
                    }
                }
                #expect(try store.check(snapshot) == [])
            }
            _ = try write(store) { writeSet in
                try #require(
                    writeSet.mutableTable(place.table).mutableCollection(
                        of: place.column, key: place.row)
                ).removeAll()
            }
            #expect(try store.environment.read().entries(.elements).isEmpty)
        }
    }

    @Test func tooLongAnElement() throws {
        var layout = StorageLayout()
        layout.longestValue = 1000
        try withTemporaryStore(layout: layout) { store in
            let (place, _) = try write(store) { makeList(.text, in: $0) }
            func append(_ length: Int) throws -> Snapshot {
                try write(store) { writeSet in
                    let tree = try #require(
                        writeSet.mutableTable(place.table).mutableCollection(
                            of: place.column, key: place.row))
                    [UInt8](repeating: 97, count: length).withUnsafeBytes {
                        tree.insert(at: tree.count).setBytes(MutableStoredCollection.values, $0)
                    }
                }.1
            }
            _ = try append(1000)
            let error = #expect(throws: StorageError.self) { try append(1001) }
            #expect(
                error?.code == .valueTooLarge
                    && error?.message.contains("Owner.list has 1001 bytes") == true)
            #expect(
                try store.newestSnapshot().table(place.table).collection(
                    of: place.column, key: place.row)?.count == 1)
        }
    }

    /// A deleted row takes its collection's nodes and links along; a row that gets its key
    /// later has none of them.
    @Test func deletedRows() throws {
        try withTemporaryStore(layout: .tiny) { store in
            let (place, _) = try write(store) { writeSet in
                let place = makeList(.integer, in: writeSet)
                let tree = try #require(
                    writeSet.mutableTable(place.table).mutableCollection(
                        of: place.column, key: place.row))
                for index in 0..<100 {
                    tree.insert(at: index).setInteger(
                        MutableStoredCollection.values, 1 << 40 + Int64(index))
                }
                return place
            }
            let (_, snapshot) = try write(store) { writeSet in
                let table = writeSet.mutableTable(place.table)
                try table.deleteRows([place.row.rawValue])
                _ = table.insertRow(place.row)
                let tree = try #require(table.mutableCollection(of: place.column, key: place.row))
                #expect(tree.count == 0)
                for index in 0..<30 {
                    tree.insert(at: index).setInteger(MutableStoredCollection.values, -Int64(index))
                }
            }
            #expect(
                snapshot.table(place.table).collection(of: place.column, key: place.row)?.count
                    == 30)
        }
    }

    @Test func mixedOrder() {
        func text(_ value: String) -> MixedValue { .text(ContiguousArray(value.utf8)) }
        let ascending: [MixedValue?] = [
            nil, .boolean(false), .boolean(true), .double(.nan), .double(-.infinity), .double(-0.5),
            .integer(0), .double(0.1), .decimal(2, 6175 << 49), .integer(1),
            .double(1.5), .integer(1 << 53), .integer(1 << 53 + 1), .double(0x1p60), .integer(.max),
            .double(1e30), .decimal(1, (6176 + 40) << 49), .double(.infinity),
            text(""), text("a"), text("b"), .bytes([0]), .timestamp(0),
            .fixed(FixedValue((0, UInt32(0)))),
            .fixed(FixedValue((0, UInt64(0)))),
            .link(LinkTarget(table: TableID(rawValue: 1), key: 2)),
            .list([nil], identity: 4), .list([.integer(1)], identity: 3),
            .list([.integer(1), nil], identity: 2), .map([(key: [97], value: nil)], identity: 1),
            .map([(key: [97], value: .integer(1))], identity: 0),
        ]
        for (first, a) in ascending.enumerated() {
            for (second, b) in ascending.enumerated() {
                let order = MixedValue.compare(a, b)
                #expect(
                    order.signum() == (first - second).signum(),
                    "\(String(describing: a)), \(String(describing: b))")
            }
        }
        #expect(MixedValue.compare(.integer(2), .double(2)) == 0)
        #expect(MixedValue.compare(.list([nil], identity: 1), .list([nil], identity: 2)) == 0)
        #expect(MixedValue.compare(.double(0.1), .decimal(1, 6175 << 49)) == 0)
        #expect(MixedValue.compare(.decimal(20, 6175 << 49), .float(2)) == 0)
    }

    @Test func positionsInOrder() throws {
        try withTemporaryStore { store in
            let (place, snapshot) = try write(store) { writeSet in
                let place = makeList(.integer, in: writeSet)
                let tree = try #require(
                    writeSet.mutableTable(place.table).mutableCollection(
                        of: place.column, key: place.row))
                for (index, value) in [5, 3, 5, 1].enumerated() {
                    tree.insert(at: index).setInteger(MutableStoredCollection.values, Int64(value))
                }
                return place
            }
            let elements = try #require(
                snapshot.table(place.table).collection(of: place.column, key: place.row))
            #expect(Array(elements.positions(after: [])) == [0, 1, 2, 3])
            #expect(Array(elements.positions(after: [.sorted(ascending: true)])) == [3, 1, 0, 2])
            #expect(
                Array(elements.positions(after: [.sorted(ascending: false), .distinct])) == [
                    0, 1, 3,
                ])
            #expect(
                Array(elements.positions(after: [.distinct, .slice(offset: 1, limit: 1)])) == [1])
        }
    }
}
