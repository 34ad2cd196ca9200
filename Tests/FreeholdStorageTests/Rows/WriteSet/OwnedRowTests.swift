import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Tables whose rows belong to other rows, and the keys of tables that count them.
@Suite struct OwnedRowTests {
    private struct World {
        let owners: TableID
        let owned: TableID
        let link: ColumnID
        let list: ColumnID

        static func create(in writeSet: WriteSet) -> World {
            let owners = writeSet.createTable(named: "Owner"),
                owned = writeSet.createTable(named: "Owned", isOwned: true)
            let link = writeSet.addColumn(
                to: owners, named: "link", type: .link, isNullable: true, isIndexed: true,
                target: owned)
            let list = writeSet.addColumn(
                to: owners, named: "list",
                collection: StoredCollectionKind(.list, of: .link, isNullable: false), target: owned
            )
            _ = writeSet.addColumn(
                to: owned, named: "value", type: .integer, isNullable: false, isIndexed: false)
            return World(owners: owners, owned: owned, link: link, list: list)
        }

        func insertOwned(_ writeSet: WriteSet) -> Int64 {
            let table = writeSet.mutableTable(owned)
            return table.insertRow(table.nextRowKey()).key.rawValue
        }

        /// An owner of new rows.
        @discardableResult
        func insertOwner(_ writeSet: WriteSet, listed: Int, linked: Bool = true) -> Int64 {
            let keys = (0..<listed).map { _ in insertOwned(writeSet) }
            let table = writeSet.mutableTable(owners)
            let row = table.insertRow(table.nextRowKey()), key = row.key
            if linked { row.setInteger(link, insertOwned(writeSet)) }
            for (index, owned) in keys.enumerated() {
                table.mutableCollection(of: list, key: key)?.insert(
                    link: RowKey(rawValue: owned), at: index)
            }
            return key.rawValue
        }

        func targets(_ source: TableSource, _ keys: [Int64]) -> [[Int64]] {
            [link, list].map { column in
                var found: [Int64] = []
                source.table(owners).forEachLink(of: column, in: keys) { found.append($0) }
                return found
            }
        }
    }

    @Test func linksOfRowsAreFoundStoredAndChanged() throws {
        try withTemporaryStore(layout: .tiny) { store in
            let (world, snapshot) = try write(store) { writeSet in
                let world = World.create(in: writeSet)
                let keys = (0..<9).map {
                    world.insertOwner(writeSet, listed: $0, linked: $0 % 2 == 0)
                }
                #expect(world.targets(writeSet, keys).map(\.count) == [5, 36])
                return world
            }
            #expect(
                snapshot.catalog[world.owned]?.isOwned == true
                    && snapshot.catalog[world.owners]?.isOwned == false)
            let all = world.targets(snapshot, Array(0..<9))
            #expect(Set(all[0] + all[1]) == Set(0..<41))
            #expect(world.targets(snapshot, [2, 77, 0]).map(\.count) == [2, 2])
            try write(store) { writeSet in
                // As the owners' deletion does it: links are not searched.
                let doomed = world.targets(writeSet, [3, 4]).flatMap { $0 }
                try writeSet.mutableTable(world.owners).deleteRows([3, 4])
                try writeSet.mutableTable(world.owned).deleteRows(
                    doomed.sorted(), areUnlinked: true)
                #expect(writeSet.table(world.owned).count == 33)
            }
        }
    }

    /// A new file whose rows of the owned table are not all owned once.
    private func problems(_ body: (World, WriteSet) throws -> Void) throws -> [String] {
        let directory = try TemporaryDirectory()
        let store = try Store.open(Store.Options(path: directory.file("owned.freehold")))
        let (_, snapshot) = try write(store) { writeSet in
            let world = World.create(in: writeSet)
            world.insertOwner(writeSet, listed: 3)
            try body(world, writeSet)
        }
        return try store.check(snapshot)
    }

    @Test func rowsWithoutAnOwnerAreReported() throws {
        #expect(try problems { _, _ in }.isEmpty)
        #expect(
            try problems { world, writeSet in _ = world.insertOwned(writeSet) } == [
                "Row 4 of table Owned belongs to no other row."
            ])
        #expect(
            try problems { world, writeSet in
                writeSet.mutableTable(world.owners).mutableRow(RowKey(rawValue: 0))?.setNull(
                    world.link)
            }
                == ["Row 3 of table Owned belongs to no other row."])
        #expect(
            try problems { world, writeSet in
                writeSet.mutableTable(world.owners).mutableCollection(
                    of: world.list, key: RowKey(rawValue: 0))?.remove(1..<2)
            } == ["Row 1 of table Owned belongs to no other row."])
    }

    @Test func rowsWithTwoOwnersAreReported() throws {
        #expect(
            try problems { world, writeSet in
                writeSet.mutableTable(world.owners).insertRow(RowKey(rawValue: 1)).setInteger(
                    world.link, 3)
            } == ["Row 3 of table Owned belongs to 2 other rows."])
        #expect(
            try problems { world, writeSet in
                writeSet.mutableTable(world.owners).mutableCollection(
                    of: world.list, key: RowKey(rawValue: 0))?.insert(
                        link: RowKey(rawValue: 2), at: 0)
            } == ["Row 2 of table Owned belongs to 2 other rows."])
    }

    @Test func linksToRowsThatDoNotExistAreReported() throws {
        #expect(
            try problems { world, writeSet in
                writeSet.mutableTable(world.owners).insertRow(RowKey(rawValue: 1)).setInteger(
                    world.link, 77)
            } == ["Property Owner.link of row 1 links to row 77, which does not exist."])
        let listed = try problems { world, writeSet in
            writeSet.mutableTable(world.owners).mutableCollection(
                of: world.list, key: RowKey(rawValue: 0))?.insert(link: RowKey(rawValue: 77), at: 0)
        }
        #expect(listed.count == 1 && listed.allSatisfy { $0.contains("links to row 77 of table") })
    }

    // MARK: Keys that are counted

    private func createCounted(_ writeSet: WriteSet) -> TableID {
        let table = writeSet.createTable(named: "Counted")
        let column = writeSet.addColumn(
            to: table, named: "id", type: .integer, isNullable: false, isIndexed: false)
        writeSet.setPrimaryKey(column, of: table)
        return table
    }

    @Test func primaryKeysAreCounted() throws {
        try withTemporaryStore { store in
            let (id, snapshot) = try write(store) { writeSet in
                let id = createCounted(writeSet)
                let table = writeSet.mutableTable(id)
                #expect(table.nextPrimaryKey()?.rawValue == 1)
                for key in [-5, 0, 7, 3] as [Int64] { _ = table.insertRow(RowKey(rawValue: key)) }
                #expect(table.nextPrimaryKey()?.rawValue == 8)
                try table.deleteRows([7])
                #expect(table.nextPrimaryKey()?.rawValue == 8)
                return id
            }
            #expect(snapshot.facts(of: id).nextRowKey == 8)
            let last: Int64 = 1 << 62
            let (_, end) = try write(store) { writeSet in
                let table = writeSet.mutableTable(id)
                _ = table.insertRow(RowKey(rawValue: last - 2))
                #expect(table.nextPrimaryKey()?.rawValue == last - 1)
                _ = table.insertRow(RowKey(rawValue: .max))
                #expect(table.nextPrimaryKey() == nil)
            }
            #expect(end.facts(of: id).nextRowKey == last)
        }
    }

    @Test func aDamagedCountNeverTrapsAndNeverCommits() throws {
        let directory = try TemporaryDirectory()
        var options = Store.Options(path: directory.file("counted.freehold"))
        options.isTemporary = true
        let environment = try Store.open(options).environment
        let (id, _) = try write(try Store.open(options)) { writeSet in
            let id = createCounted(writeSet)
            for key in 1...3 as ClosedRange<Int64> {
                _ = writeSet.mutableTable(id).insertRow(RowKey(rawValue: key))
            }
            return id
        }
        func replaceFacts(_ bytes: ContiguousArray<UInt8>) throws {
            let entry = try #require(
                try environment.read().entries(.meta).first { $0.key.first == UInt8(ascii: "t") })
            try environment.writer.begin().commit { transaction in
                try entry.key.withUnsafeBytes { key in
                    try bytes.withUnsafeBytes { try transaction.put(.meta, key: key, value: $0) }
                }
            }
        }
        try replaceFacts([1, 2, 3])
        let store = try Store.open(options)
        // The damage is found either when the transaction begins or when the key is asked for.
        if let writeSet = try? store.beginWrite() {
            let table = writeSet.mutableTable(id)
            for _ in 0..<3 { _ = table.insertRow(try #require(table.nextPrimaryKey())) }
            #expect(throws: StorageError.self) { try store.commit(writeSet) }
        }
        // One that is too small is a rule broken, with the right checksum.
        try replaceFacts(TableFacts(nextRowKey: 3, rowCount: 3).encoded(of: id))
        let other = try Store.open(options)
        #expect(
            try other.check(try other.newestSnapshot()).contains(
                "Table Counted would give the row key 3 again; its last is 3."))
    }
}
