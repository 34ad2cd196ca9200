import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Rows that a side deleted.
@Suite struct DeletionMergeTests {
    private func base(_ side: MergeSide) {
        let world = side.world
        for key in 1...5 as ClosedRange<Int64> {
            side.insert(
                world.items, key, [world.name: .text("item \(key)"), world.count: .integer(10)])
        }
        side.set(world.items, 4, world.friend, .link(1))
        side.set(world.items, 4, world.links, .links(1, 2, 3))
        side.set(
            world.items, 4, world.any, .mixedList(.link(LinkTarget(table: world.items, key: 1))))
    }

    @Test func bySilence() throws {
        try withMerge(base: base) { side in
            try side.delete(side.world.items, 1, 2)
        } theirs: { side in
            try side.delete(side.world.items, 2, 3)
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            #expect(merged.side.keys(world.items) == [4, 5])
            #expect(merged.get(world.items, 4, world.friend) == .null)
            #expect(merged.get(world.items, 4, world.links) == .links())
            #expect(merged.get(world.items, 4, world.any) == .mixedList(nil))
        }
    }

    @Test(arguments: [true, false], [Resolution.mine, .theirs, nil] as [Resolution?])
    func deletedAndChanged(byMine: Bool, resolution: Resolution?) throws {
        func delete(_ side: MergeSide) throws { try side.delete(side.world.items, 1) }
        func change(_ side: MergeSide) throws {
            side.set(side.world.items, 1, side.world.name, .text("changed"))
        }
        try withMerge(
            resolving: { _ in resolution }, base: base, mine: byMine ? delete : change,
            theirs: byMine ? change : delete
        ) { merged in
            let world = merged.side.world
            let conflict = Conflict(
                kind: .deletedAndChanged(by: byMine ? .mine : .theirs), table: world.items, row: 1,
                places: [.init(table: world.items, row: 1, column: world.name)])
            #expect(merged.conflicts == (resolution == nil ? [conflict] : []))
            let stays = byMine == (resolution != .mine)
            #expect(merged.side.contains(world.items, 1) == stays)
            guard stays else { return }
            // With all links to it.
            #expect(merged.get(world.items, 1, world.name) == .text("changed"))
            #expect(merged.get(world.items, 1, world.count) == .integer(10))
            #expect(merged.get(world.items, 4, world.friend) == .link(1))
            #expect(merged.get(world.items, 4, world.links) == .links(1, 2, 3))
        }
    }

    @Test(arguments: [true, false], [Resolution.mine, .theirs, nil] as [Resolution?])
    func linkToDeleted(byMine: Bool, resolution: Resolution?) throws {
        func delete(_ side: MergeSide) throws { try side.delete(side.world.items, 1) }
        func link(_ side: MergeSide) throws {
            side.set(side.world.items, 5, side.world.links, .links(1, 1))
            side.insert(side.world.items, 9, [side.world.friend: .link(1)])
        }
        try withMerge(
            resolving: { _ in resolution }, base: base, mine: byMine ? delete : link,
            theirs: byMine ? link : delete
        ) { merged in
            let world = merged.side.world
            let conflict = Conflict(
                kind: .linkToDeleted(by: byMine ? .mine : .theirs), table: world.items, row: 1,
                places: [
                    .init(table: world.items, row: 5, column: world.links),
                    .init(table: world.items, row: 9, column: world.friend),
                ])
            #expect(merged.conflicts == (resolution == nil ? [conflict] : []))
            let stays = byMine == (resolution != .mine)
            #expect(merged.side.contains(world.items, 1) == stays)
            #expect(merged.get(world.items, 5, world.links) == (stays ? .links(1, 1) : .links()))
            #expect(merged.get(world.items, 9, world.friend) == (stays ? .link(1) : .null))
            #expect(
                merged.get(world.items, 4, world.links) == (stays ? .links(1, 2, 3) : .links(2, 3)))
        }
    }

    /// What follows from a deletion is no change of its own: the other side's value stands.
    @Test(arguments: [true, false]) func consequences(byMine: Bool) throws {
        func delete(_ side: MergeSide) throws { try side.delete(side.world.items, 1) }
        func change(_ side: MergeSide) throws {
            side.set(side.world.items, 4, side.world.friend, .link(2))
            side.set(side.world.items, 4, side.world.links, .links(5, 2, 3, 5))
            side.set(side.world.items, 4, side.world.any, .mixed(.integer(1)))
        }
        try withMerge(
            base: base, mine: byMine ? delete : change, theirs: byMine ? change : delete
        ) { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            #expect(merged.get(world.items, 4, world.friend) == .link(2))
            #expect(merged.get(world.items, 4, world.links) == .links(5, 2, 3, 5))
            #expect(merged.get(world.items, 4, world.any) == .mixed(.integer(1)))
        }
    }

    /// A row that was deleted with its owner is the owner's conflict.
    @Test(arguments: [true, false], [Resolution.mine, .theirs])
    func ownedRows(byMine: Bool, resolution: Resolution) throws {
        nonisolated(unsafe) var asked: [Conflict] = []
        func delete(_ side: MergeSide) throws { try side.delete(side.world.owners, 0) }
        func change(_ side: MergeSide) throws {
            side.set(side.world.parts, 0, side.world.size, .integer(7))
        }
        try withMerge(
            resolving: {
                asked.append($0)
                return resolution
            },
            base: { side in
                let world = side.world
                side.insert(world.parts, 0, [world.size: .integer(1)])
                side.insert(world.owned, 0, [world.street: .text("a"), world.part: .link(0)])
                side.insert(world.owned, 1, [world.street: .text("b")])
                side.insert(
                    world.owners, 0, [world.address: .link(0), world.addresses: .links(1)])
            }, mine: byMine ? delete : change, theirs: byMine ? change : delete
        ) { merged in
            let world = merged.side.world
            #expect(
                asked == [
                    Conflict(
                        kind: .deletedAndChanged(by: byMine ? .mine : .theirs),
                        table: world.owners, row: 0,
                        places: [.init(table: world.parts, row: 0, column: world.size)])
                ])
            let stays = byMine == (resolution != .mine)
            #expect(merged.side.keys(world.owners) == (stays ? [0] : []))
            #expect(merged.side.keys(world.owned) == (stays ? [0, 1] : []))
            #expect(merged.side.keys(world.parts) == (stays ? [0] : []))
            if stays {
                #expect(merged.get(world.parts, 0, world.size) == .integer(7))
                #expect(merged.get(world.owned, 0, world.part) == .link(0))
                #expect(merged.get(world.owners, 0, world.addresses) == .links(1))
            }
        }
    }

    /// An owned row that one side removed, and the other one changed.
    @Test(arguments: [true, false], [Resolution.mine, .theirs])
    func ownedRowAlone(byMine: Bool, resolution: Resolution) throws {
        func delete(_ side: MergeSide) throws { try side.delete(side.world.owned, 0, 1) }
        func change(_ side: MergeSide) throws {
            side.set(side.world.owned, 0, side.world.city, .text("c"))
            side.set(side.world.owned, 1, side.world.city, .text("c"))
        }
        try withMerge(
            resolving: { $0.row == 0 ? resolution : .mine },
            base: { side in
                let world = side.world
                side.insert(world.owned, 0, [world.street: .text("a")])
                side.insert(world.owned, 1, [world.street: .text("b")])
                side.insert(
                    world.owners, 0, [world.address: .link(0), world.addresses: .links(1)])
            }, mine: byMine ? delete : change, theirs: byMine ? change : delete
        ) { merged in
            let world = merged.side.world
            let stays = byMine == (resolution != .mine)
            #expect(merged.side.keys(world.owned) == (stays ? [0] : []) + (byMine ? [] : [1]))
            #expect(
                merged.get(world.owners, 0, world.address) == (stays ? .link(0) : .null))
            #expect(
                merged.get(world.owners, 0, world.addresses) == (byMine ? .links() : .links(1)))
            if stays { #expect(merged.get(world.owned, 0, world.city) == .text("c")) }
        }
    }

    /// A restored row whose primary key another row took meanwhile.
    @Test(arguments: [Resolution.mine, .theirs]) func takenPrimaryKey(resolution: Resolution) throws
    {
        nonisolated(unsafe) var kinds: [Conflict.Kind] = []
        try withMerge(
            resolving: {
                kinds.append($0.kind)
                return $0.kind == .notUnique ? resolution : .mine
            },
            base: { side in
                side.insert(side.world.named, 0, [side.world.title: .text("a")])
                side.insert(side.world.named, 1, [side.world.title: .text("b")])
            },
            mine: { side in
                side.set(side.world.named, 0, side.world.rank, .integer(1))
                side.set(side.world.named, 1, side.world.twin, .link(0))
            },
            theirs: { side in
                try side.delete(side.world.named, 0)
                side.insert(
                    side.world.named, 2,
                    [side.world.title: .text("a"), side.world.rank: .integer(2)])
            }
        ) { merged in
            let world = merged.side.world
            #expect(kinds == [.deletedAndChanged(by: .theirs), .notUnique])
            #expect(merged.side.keys(world.named) == [1, 2])
            #expect(
                merged.get(world.named, 2, world.rank) == .integer(resolution == .mine ? 1 : 2))
            #expect(merged.get(world.named, 1, world.twin) == .link(2))
            #expect(merged.merge.newRows == [world.named: [0: 2]])
        }
    }
}
