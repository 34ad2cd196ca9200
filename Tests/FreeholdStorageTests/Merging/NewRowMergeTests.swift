import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Rows that both sides added.
@Suite struct NewRowMergeTests {
    /// Both sides use the same row keys, so mine get others, and every link follows.
    @Test func rowKeys() throws {
        func link(_ key: Int64, _ world: MergeWorld) -> MixedValue {
            .link(LinkTarget(table: world.named, key: key))
        }
        try withMerge(base: { side in
            let world = side.world
            side.insert(world.items, 1)
            side.insert(world.named, 0, [world.title: .text("base")])
        }) { side in
            let world = side.world
            side.insert(world.named, 1, [world.title: .text("m1"), world.rank: .integer(1)])
            side.insert(world.named, 2, [world.title: .text("m2"), world.twin: .link(1)])
            side.set(world.named, 1, world.twin, .link(2))
            side.set(world.named, 0, world.twin, .link(2))
            side.set(world.items, 1, world.any, .mixedMap(["a": .elements([link(1, world)])]))
            side.set(
                world.items, 1, world.values,
                .list([.mixed(link(2, world)), .mixed(link(0, world))]))
        } theirs: { side in
            let world = side.world
            side.insert(world.named, 1, [world.title: .text("t1"), world.rank: .integer(1)])
            side.insert(world.items, 2, [world.any: .mixed(link(1, world))])
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            #expect(merged.merge.newRows == [world.named: [1: 2, 2: 3]])
            #expect(merged.get(world.named, 2, world.title) == .text("m1"))
            #expect(merged.get(world.named, 2, world.twin) == .link(3))
            #expect(merged.get(world.named, 3, world.twin) == .link(2))
            #expect(merged.get(world.named, 0, world.twin) == .link(3))
            #expect(
                merged.get(world.items, 1, world.any)
                    == .mixedMap(["a": .elements([link(2, world)])]))
            #expect(
                merged.get(world.items, 1, world.values)
                    == .list([.mixed(link(3, world)), .mixed(link(0, world))]))
            #expect(merged.get(world.items, 2, world.any) == .mixed(link(1, world)))
            #expect(merged.get(world.named, 1, world.title) == .text("t1"))
        }
    }

    /// New rows keep their order where the first of them must get another key.
    @Test func order() throws {
        try withMerge(base: { _ in }) { side in
            for rank in 0...4 as ClosedRange<Int64> {
                side.insert(
                    side.world.named, nil,
                    [side.world.title: .text("m\(rank)"), side.world.rank: .integer(rank)])
            }
        } theirs: { side in
            for rank in 0...2 {
                side.insert(side.world.named, nil, [side.world.title: .text("t\(rank)")])
            }
        } expect: { merged in
            let world = merged.side.world
            let ranks = merged.side.keys(world.named).dropFirst(3).map {
                merged.get(world.named, $0, world.rank)
            }
            #expect(ranks == (0...4).map { .integer($0) })
        }
    }

    @Test(arguments: [Resolution.mine, .theirs, nil] as [Resolution?])
    func createdTwice(resolution: Resolution?) throws {
        try withMerge(
            resolving: { _ in resolution },
            base: { $0.insert($0.world.items, 1) },
            mine: { side in
                let world = side.world
                side.insert(
                    world.items, 7, [world.name: .text("mine"), world.numbers: .integers(1)])
                side.insert(world.named, 0, [world.title: .text("m"), world.item: .link(7)])
                side.insert(world.named, 1, [world.title: .text("x"), world.rank: .integer(1)])
                side.insert(world.named, 2, [world.title: .text("n"), world.twin: .link(1)])
            },
            theirs: { side in
                let world = side.world
                side.insert(
                    world.items, 7, [world.name: .text("theirs"), world.count: .integer(3)])
                side.insert(world.named, 0, [world.title: .text("x"), world.rank: .integer(2)])
            }
        ) { merged in
            let world = merged.side.world
            if resolution == nil {
                #expect(
                    Set(merged.conflicts) == [
                        Conflict(kind: .createdTwice, table: world.items, row: 7),
                        Conflict(kind: .createdTwice, table: world.named, row: 0),
                    ])
            } else {
                #expect(merged.conflicts.isEmpty)
            }
            let isMine = resolution == .mine
            #expect(merged.get(world.items, 7, world.name) == .text(isMine ? "mine" : "theirs"))
            #expect(merged.get(world.items, 7, world.count) == .integer(isMine ? 0 : 3))
            #expect(
                merged.get(world.items, 7, world.numbers) == (isMine ? .integers(1) : .integers()))
            #expect(merged.side.keys(world.named).count == 3)
            #expect(merged.get(world.named, 0, world.rank) == .integer(isMine ? 1 : 2))
            let rows = merged.merge.newRows[world.named] ?? [:]
            #expect(rows[1] == 0)
            #expect(merged.get(world.named, rows[2] ?? 2, world.twin) == .link(0))
            #expect(merged.get(world.named, rows[0] ?? 0, world.item) == .link(7))
        }
    }

    /// Rows with equal values are one, whatever rows they own; and two that link to different new
    /// ones are not.
    @Test func createdAlike() throws {
        try withMerge(base: { _ in }) { side in
            let world = side.world
            side.insert(world.items, 1, [world.name: .text("a")])
            side.insert(world.named, 0, [world.title: .text("other")])
            side.insert(world.named, 1, [world.title: .text("a"), world.item: .link(1)])
            side.insert(world.named, 2, [world.title: .text("b"), world.twin: .link(1)])
        } theirs: { side in
            let world = side.world
            side.insert(world.items, 1, [world.name: .text("a")])
            side.insert(world.named, 0, [world.title: .text("a"), world.item: .link(1)])
            side.insert(world.named, 1, [world.title: .text("b"), world.twin: .link(0)])
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            #expect(merged.side.keys(world.items) == [1])
            #expect(merged.side.keys(world.named) == [0, 1, 2])
            #expect(merged.get(world.named, 2, world.title) == .text("other"))
            #expect(merged.merge.newRows[world.named]?[2] == 1)
        }
    }

    @Test func automaticKeys() throws {
        try withMerge(
            automaticKeys: { [$0.items] },
            base: { $0.insert($0.world.items, 1) },
            mine: { side in
                let world = side.world
                side.insert(world.items, 2, [world.name: .text("m2")])
                side.insert(world.items, 3, [world.name: .text("m3"), world.friend: .link(2)])
                side.set(world.items, 1, world.links, .links(2, 3))
            },
            theirs: { side in
                side.insert(side.world.items, 2, [side.world.name: .text("m2")])
            }
        ) { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            #expect(merged.merge.newRows == [world.items: [2: 4]])
            #expect(merged.side.keys(world.items) == [1, 2, 3, 4])
            #expect(merged.get(world.items, 1, world.links) == .links(4, 3))
            #expect(merged.get(world.items, 3, world.friend) == .link(4))
            #expect(merged.get(world.items, 4, world.itemID) == .integer(4))
        }
    }

    /// My side deleted a row and added another one with its primary key, and theirs changed it.
    @Test(arguments: [Resolution.mine, .theirs]) func notUnique(resolution: Resolution) throws {
        nonisolated(unsafe) var kinds: [Conflict.Kind] = []
        try withMerge(
            resolving: {
                kinds.append($0.kind)
                return $0.kind == .notUnique ? resolution : .theirs
            },
            base: { $0.insert($0.world.named, 0, [$0.world.title: .text("a")]) },
            mine: { side in
                try side.delete(side.world.named, 0)
                side.insert(
                    side.world.named, 1,
                    [side.world.title: .text("a"), side.world.rank: .integer(1)])
            },
            theirs: { $0.set($0.world.named, 0, $0.world.rank, .integer(2)) }
        ) { merged in
            let world = merged.side.world
            #expect(kinds == [.deletedAndChanged(by: .mine), .notUnique])
            #expect(merged.side.keys(world.named) == [0])
            #expect(merged.get(world.named, 0, world.rank) == .integer(resolution == .mine ? 1 : 2))
        }
    }
}
