import FreeholdStorage
import FreeholdTestSupport
import Testing

/// What a merge does with other schemas, with undo, with values of all types, and with wrong use.
@Suite struct MergeUseTests {
    // MARK: Schemas

    @Test func missingColumnsAndTables() throws {
        nonisolated(unsafe) var asked: [Conflict] = []
        try withMerge(
            resolving: {
                asked.append($0)
                return .theirs
            },
            base: { side in
                side.insert(side.world.items, 1)
                side.insert(side.world.named, 0, [side.world.title: .text("a")])
            },
            mine: { side in
                let world = side.world
                side.set(world.items, 1, world.note, .text("lost"))
                side.set(world.items, 1, world.name, .text("kept"))
                side.insert(world.items, 2, [world.count: .integer(1), world.name: .text("new")])
                side.set(world.named, 0, world.rank, .integer(1))
            },
            theirs: { side in
                try side.delete(side.world.named, 0)
                side.writeSet.retireColumn(side.world.note, of: side.world.items)
                side.writeSet.retireColumn(side.world.count, of: side.world.items)
                #expect(side.writeSet.removeTable(side.world.named))
            }
        ) { merged in
            let world = merged.side.world
            #expect(
                Set(asked) == [
                    Conflict(kind: .missing, table: world.items, column: world.note),
                    Conflict(kind: .missing, table: world.items, column: world.count),
                    Conflict(kind: .missing, table: world.named),
                ])
            #expect(merged.get(world.items, 1, world.name) == .text("kept"))
            #expect(merged.get(world.items, 2, world.name) == .text("new"))
        }
    }

    /// A row that their side deleted, of a table to which it added columns.
    @Test func addedColumnsOfRowsThatReturn() throws {
        nonisolated(unsafe) var columns: [ColumnID] = []
        try withMerge(
            resolving: { _ in .mine }, base: { $0.insert($0.world.items, 1) },
            mine: { $0.set($0.world.items, 1, $0.world.name, .text("kept")) },
            theirs: { side in
                columns = [
                    side.writeSet.addColumn(
                        to: side.world.items, named: "number", type: .integer, isNullable: false,
                        isIndexed: false),
                    side.writeSet.addColumn(
                        to: side.world.items, named: "list",
                        collection: StoredCollectionKind(.list, of: .text, isNullable: false)),
                ]
                try side.delete(side.world.items, 1)
            }
        ) { merged in
            let items = merged.side.world.items
            #expect(merged.get(items, 1, merged.side.world.name) == .text("kept"))
            #expect(merged.get(items, 1, columns[0]) == .integer(0))
            #expect(merged.get(items, 1, columns[1]) == .list([]))
        }
    }

    @Test func tablesToRead() throws {
        try withTemporaryStore { store in
            let (world, snapshot) = try write(store) { MergeWorld(in: $0) }
            let writeSet = try store.beginWrite()
            let side = MergeSide(writeSet: writeSet, world: world)
            side.insert(world.parts, 0)
            side.insert(world.owned, 0, [world.part: .link(0)])
            side.insert(world.owners, 0, [world.address: .link(0)])
            let changes = ChangeSet(try VersionDifference(from: snapshot, to: writeSet))
            // Items have mixed values, which may link to any row.
            #expect(
                ThreeWayMerge.tablesToRead(for: changes, in: snapshot.catalog) == [
                    world.owners, world.owned, world.parts, world.items,
                ])
            #expect(ThreeWayMerge.tablesToRead(for: ChangeSet(), in: snapshot.catalog) == [])
            store.cancel(writeSet)
        }
    }

    // MARK: Undo

    /// A transaction is undone by its inverse; what others changed since stays.
    @Test func undo() throws {
        try withTemporaryStore { store in
            let (world, before) = try write(store) { writeSet in
                let world = MergeWorld(in: writeSet)
                let side = MergeSide(writeSet: writeSet, world: world)
                side.insert(world.named, 0, [world.title: .text("a"), world.rank: .integer(1)])
                side.insert(world.named, 1, [world.title: .text("b"), world.twin: .link(0)])
                return world
            }
            let (_, after) = try write(store) { writeSet in
                let side = MergeSide(writeSet: writeSet, world: world)
                try side.delete(world.named, 0)
                side.set(world.named, 1, world.rank, .integer(5))
                side.insert(world.named, 2, [world.title: .text("c")])
            }
            let (_, newest) = try write(store) { writeSet in
                let side = MergeSide(writeSet: writeSet, world: world)
                side.set(world.named, 1, world.title, .text("B"))
                side.insert(world.named, 3, [world.title: .text("d")])
            }
            let target = try store.beginWrite()
            let undone = ChangeSet(try VersionDifference(from: before, to: after)).inverse {
                after.nextRowKey(of: $0)
            }
            let since = ChangeSet(try VersionDifference(from: after, to: newest))
            let merge = try ThreeWayMerge(mine: undone, theirs: since, into: target)
            #expect(merge.conflicts.isEmpty && merge.newRows.isEmpty)
            try target.apply(merge.changes)
            let side = MergeSide(writeSet: target, world: world)
            #expect(side.keys(world.named) == [0, 1, 3])
            #expect(side.get(world.named, 0, world.rank) == .integer(1))
            #expect(side.get(world.named, 1, world.twin) == .link(0))
            #expect(side.get(world.named, 1, world.rank) == .integer(0))
            #expect(side.get(world.named, 1, world.title) == .text("B"))
            _ = try store.commit(target)
        }
    }

    // MARK: Values

    /// Changes carry the values of every type, long ones and awkward ones.
    @Test(arguments: [StorageLayout.tiny, StorageLayout()]) func everyType(layout: StorageLayout)
        throws
    {
        var random = Seed.random()
        for _ in 0..<Stress.rounds(8) {
            try withTemporaryStore(layout: layout) { store in
                var tables = try write(store) { writeSet in
                    let targets = StoredModelTable.create(
                        in: writeSet, named: "Target", primaryKeyIsRowKey: true)
                    let sources = StoredModelTable.create(
                        in: writeSet, named: "Source", primaryKeyIsRowKey: false,
                        target: targets.id)
                    return (sources, targets)
                }.0
                func change(_ writeSet: WriteSet) throws {
                    var (sources, targets) = tables
                    for _ in 0..<100 {
                        try RandomTransactionTests.change(&sources, &targets, writeSet, &random)
                    }
                    tables = (sources, targets)
                }
                let (_, snapshot) = try write(store, change)
                let begin = try store.beginWrite()
                let (mine, target) = (begin.savepoint(), begin.savepoint())
                try change(mine)
                let merge = try ThreeWayMerge(
                    base: snapshot, mine: mine, theirs: begin, into: target)
                #expect(merge.conflicts.isEmpty)
                try target.apply(merge.changes)
                tables.0.expectEqual(to: target)
                tables.1.expectEqual(to: target)
                _ = try store.commit(target)
            }
        }
    }

    /// Links inside of mixed values become null with the rows they lead to.
    @Test(arguments: [true, false]) func mixedLinksToDeletedRows(byMine: Bool) throws {
        func link(_ key: Int64, _ side: MergeSide) -> MixedValue {
            .link(LinkTarget(table: side.world.items, key: key))
        }
        func delete(_ side: MergeSide) throws { try side.delete(side.world.items, 1) }
        func change(_ side: MergeSide) throws {
            side.set(
                side.world.items, 2, side.world.values,
                .list([
                    .mixed(.integer(0)), .mixed(link(1, side)), .mixed(link(3, side)),
                    .mixed(.integer(9)),
                ]))
            side.set(side.world.items, 3, side.world.name, .text("x"))
        }
        try withMerge(
            base: { side in
                for key in 1...3 as ClosedRange<Int64> { side.insert(side.world.items, key) }
                side.set(
                    side.world.items, 2, side.world.values,
                    .list([.mixed(link(1, side)), .mixed(link(3, side))]))
                side.set(side.world.items, 3, side.world.any, .mixedMap(["a": link(1, side)]))
            }, mine: byMine ? delete : change, theirs: byMine ? change : delete
        ) { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            #expect(
                merged.get(world.items, 2, world.values)
                    == .list([
                        .mixed(.integer(0)), .null, .mixed(link(3, merged.side)),
                        .mixed(.integer(9)),
                    ]))
            #expect(merged.get(world.items, 3, world.any) == .mixedMap(["a": nil]))
            #expect(merged.get(world.items, 3, world.name) == .text("x"))
        }
    }

    // MARK: Wrong use

    private static func base(_ side: MergeSide) {
        side.insert(side.world.items, 1, [side.world.numbers: .integers(1, 2)])
    }

    @Test func rowsSettledByValues() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withMerge(
                resolving: { _ in .value(.null) }, base: MergeUseTests.base,
                mine: { try $0.delete($0.world.items, 1) },
                theirs: { $0.set($0.world.items, 1, $0.world.count, .integer(1)) }, expect: { _ in }
            )
        }
        expectMessage(result, "A conflict of whole rows is settled by one of the sides.")
    }

    @Test func listsSettledByOtherValues() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withMerge(
                resolving: { _ in .value(.null) }, base: MergeUseTests.base,
                mine: { $0.set($0.world.items, 1, $0.world.numbers, .integers(1, 3)) },
                theirs: { $0.set($0.world.items, 1, $0.world.numbers, .integers(1, 4)) },
                expect: { _ in })
        }
        expectMessage(result, "A conflict of lists is settled by a list.")
    }

    @Test func missingColumnsSettledByMine() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withMerge(
                resolving: { _ in .mine }, base: MergeUseTests.base,
                mine: { $0.set($0.world.items, 1, $0.world.note, .text("a")) },
                theirs: { $0.writeSet.retireColumn($0.world.note, of: $0.world.items) },
                expect: { _ in })
        }
        expectMessage(result, "What their version has no column for cannot be kept.")
    }

    /// Changes of another version than the one that the write set holds.
    @Test func anotherVersion() async {
        let missing = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withMerge(
                base: MergeUseTests.base,
                mine: { $0.set($0.world.items, 1, $0.world.count, .integer(1)) }, theirs: { _ in },
                expect: { merged in
                    try merged.side.delete(merged.side.world.items, 1)
                    try merged.side.writeSet.apply(merged.merge.changes)
                })
        }
        expectMessage(missing, "Table Item has no row 1, which the changes are about.")
        let twice = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withMerge(
                base: MergeUseTests.base, mine: { $0.insert($0.world.items, 2) }, theirs: { _ in },
                expect: { try $0.side.writeSet.apply($0.merge.changes) })
        }
        expectMessage(twice, "Table Item has the row 2, which the changes add.")
    }

    private func expectMessage(_ result: ExitTest.Result?, _ message: String) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(message))
    }
}
