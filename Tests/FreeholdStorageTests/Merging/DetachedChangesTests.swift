import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Steps of undo: changes that keep neither of their states.
@Suite struct DetachedChangesTests {
    /// Edits a state, and gives `body` the changes back, and a write set with the state after them.
    private func withChanges(
        base: (MergeSide) throws -> Void, edit: (MergeSide) throws -> Void,
        _ body: (DetachedChanges, MergeSide, Snapshot) throws -> Void
    ) throws {
        try withTemporaryStore { store in
            let (world, snapshot) = try write(store) { writeSet in
                let world = MergeWorld(in: writeSet)
                try base(MergeSide(writeSet: writeSet, world: world))
                return world
            }
            let edited = MergeSide(writeSet: try store.beginWrite(), world: world)
            try edit(edited)
            let changes = try DetachedChanges(from: edited.writeSet, to: snapshot)
            let target = MergeSide(writeSet: edited.writeSet.savepoint(), world: world)
            try body(changes, target, snapshot)
            store.cancel(target.writeSet)
        }
    }

    @Test func leadBack() throws {
        try withChanges { side in
            let world = side.world
            side.insert(
                world.items, 1, [world.name: .text("a"), world.numbers: .integers(1, 1, 2)])
            side.insert(world.items, 2, [world.friend: .link(1)])
        } edit: { side in
            let world = side.world
            try side.delete(world.items, 1)
            side.insert(world.items, 3, [world.links: .links(2, 2)])
        } _: { changes, target, snapshot in
            let world = target.world
            // Which others did, and which does not matter.
            target.set(world.items, 2, world.count, .integer(7))
            let merge = try changes.merge(into: target.writeSet)
            #expect(merge.conflicts.isEmpty && merge.newRows.isEmpty && changes.byteCount > 0)
            try target.writeSet.apply(merge.changes)
            #expect(target.keys(world.items) == [1, 2])
            #expect(target.get(world.items, 1, world.numbers) == .integers(1, 1, 2))
            #expect(target.get(world.items, 2, world.friend) == .link(1))
            #expect(target.get(world.items, 2, world.count) == .integer(7))
        }
    }

    /// What others deleted does not return, whatever is decided: its values are gone.
    @Test func deletedRowsStayDeleted() throws {
        try withChanges { side in
            side.insert(side.world.items, 1, [side.world.name: .text("a")])
        } edit: { side in
            side.set(side.world.items, 1, side.world.name, .text("b"))
        } _: { changes, target, _ in
            try target.delete(target.world.items, 1)
            let merge = try changes.merge(into: target.writeSet) { _ in .mine }
            #expect(merge.conflicts.map(\.kind) == [.deletedAndChanged(by: .theirs)])
            let other = try changes.merge(into: target.writeSet) { _ in .theirs }
            #expect(other.conflicts.isEmpty && other.changes.isEmpty)
        }
    }

    /// Rows get other keys: what a step changes, deletes, adds and links to.
    @Test func movedRows() throws {
        try withChanges { side in
            let world = side.world
            side.insert(world.items, 1)
            side.insert(world.named, 0, [world.title: .text("kept")])
            side.insert(
                world.named, 1, [world.title: .text("deleted"), world.twin: .link(0)])
        } edit: { side in
            let world = side.world
            try side.delete(world.named, 1)
            side.insert(world.named, 2, [world.title: .text("new"), world.twin: .link(0)])
            side.set(world.named, 0, world.rank, .integer(5))
            side.set(
                world.items, 1, world.values,
                .list([.mixed(.link(LinkTarget(table: world.named, key: 2)))]))
        } _: { changes, target, _ in
            let world = target.world
            // The rows 0 and 2 are 10 and 11 now.
            var moved = changes
            moved.moveRows([world.named: [0: 10, 2: 11]])
            try target.delete(world.named, 0, 2)
            target.insert(world.named, 10, [world.title: .text("kept"), world.rank: .integer(5)])
            target.insert(world.named, 11, [world.title: .text("new"), world.twin: .link(10)])
            target.set(
                world.items, 1, world.values,
                .list([.mixed(.link(LinkTarget(table: world.named, key: 11)))]))
            let merge = try moved.merge(into: target.writeSet)
            #expect(merge.conflicts.isEmpty)
            try target.writeSet.apply(merge.changes)
            #expect(target.keys(world.named) == [1, 10])
            #expect(target.get(world.named, 1, world.twin) == .link(10))
            #expect(target.get(world.named, 10, world.rank) == .integer(0))
            #expect(target.get(world.items, 1, world.values) == .list([]))
        }
    }

    /// A row got the key of one that the step brings back: they change keys.
    @Test func exchangedRows() throws {
        try withChanges { side in
            side.insert(side.world.owners, 0, [side.world.label: .text("old")])
        } edit: { side in
            try side.delete(side.world.owners, 0)
            side.insert(side.world.owners, 1, [side.world.label: .text("new")])
        } _: { changes, target, _ in
            let world = target.world
            var moved = changes
            moved.moveRows([world.owners: [1: 0]])
            try target.delete(world.owners, 1)
            target.insert(world.owners, 0, [world.label: .text("new")])
            let merge = try moved.merge(into: target.writeSet)
            #expect(merge.conflicts.isEmpty)
            try target.writeSet.apply(merge.changes)
            #expect(target.keys(world.owners) == [1])
            #expect(target.get(world.owners, 1, world.label) == .text("old"))
        }
    }

    /// Rows that are gone leave the step, and links to them.
    @Test func droppedRows() throws {
        try withChanges { side in
            let world = side.world
            side.insert(world.items, 1, [world.links: .links(1)])
            side.insert(world.items, 2, [world.name: .text("a")])
        } edit: { side in
            let world = side.world
            side.set(world.items, 2, world.name, .text("b"))
            side.set(world.items, 1, world.links, .links(2, 1, 2, 1))
            side.set(world.items, 1, world.friend, .link(2))
        } _: { changes, target, _ in
            let world = target.world
            var moved = changes
            moved.moveRows([:], dropping: [world.items: [2]])
            try target.delete(world.items, 2)
            #expect(target.get(world.items, 1, world.links) == .links(1, 1))
            let merge = try moved.merge(into: target.writeSet)
            #expect(merge.conflicts.isEmpty)
            try target.writeSet.apply(merge.changes)
            #expect(target.keys(world.items) == [1])
            #expect(target.get(world.items, 1, world.links) == .links(1))
        }
    }

    /// A row that the step would bring back is there already, and in the lists that had it. Other
    /// links to it are brought back.
    @Test func rowsThatReturnedOtherwise() throws {
        try withChanges { side in
            let world = side.world
            side.insert(world.items, 1, [world.links: .links(2, 1), world.friend: .link(2)])
            side.insert(world.items, 2, [world.name: .text("a")])
        } edit: { side in
            try side.delete(side.world.items, 2)
        } _: { changes, target, _ in
            let world = target.world
            var rest = changes
            #expect(rest.forgetAdding([world.items: [2, 3]]) == [world.items: [2]])
            target.insert(world.items, 2, [world.name: .text("a")])
            target.set(world.items, 1, world.links, .links(2, 1))
            let merge = try rest.merge(into: target.writeSet)
            #expect(merge.conflicts.isEmpty)
            try target.writeSet.apply(merge.changes)
            #expect(target.keys(world.items) == [1, 2])
            #expect(target.get(world.items, 1, world.links) == .links(2, 1))
            #expect(target.get(world.items, 1, world.friend) == .link(2))
        }
    }

    /// Others gave a primary key that returns to a row of theirs, whose row key is one that the
    /// step's beginning had used already.
    @Test func primaryKeyThatOthersTook() throws {
        try withChanges { side in
            let world = side.world
            side.insert(world.named, 5, [world.title: .text("a"), world.rank: .integer(1)])
        } edit: { side in
            try side.delete(side.world.named, 5)
        } _: { changes, target, _ in
            let world = target.world
            target.insert(world.named, 0, [world.title: .text("a"), world.rank: .integer(2)])
            let merge = try changes.merge(into: target.writeSet)
            #expect(merge.conflicts.map(\.kind) == [.createdTwice])
            let mine = try changes.merge(into: target.writeSet) { _ in .mine }
            try target.writeSet.apply(mine.changes)
            #expect(target.keys(world.named) == [0])
            #expect(target.get(world.named, 0, world.rank) == .integer(1))
        }
    }

    /// Others linked to a row that the step deletes, in another column of a row that it changes.
    @Test func linkToADeletedRowBesideAChange() throws {
        try withChanges { side in
            side.insert(side.world.named, 0, [side.world.title: .text("a")])
        } edit: { side in
            side.insert(side.world.named, 1, [side.world.title: .text("b")])
            side.set(side.world.named, 0, side.world.rank, .integer(1))
        } _: { changes, target, _ in
            let world = target.world
            target.set(world.named, 0, world.twin, .link(1))
            let merge = try changes.merge(into: target.writeSet)
            #expect(merge.conflicts.map(\.kind) == [.linkToDeleted(by: .mine)])
        }
    }

    /// An owned row that the step replaces is gone: others removed it. The one that it would put
    /// in its place does not return.
    @Test(arguments: [false, true]) func replacedRowThatIsGone(inList: Bool) throws {
        try withChanges { side in
            let world = side.world
            side.insert(world.parts, 0)
            side.insert(world.owned, 0, [world.street: .text("a"), world.part: .link(0)])
            let links: StoredValue = inList ? .links(0) : .link(0)
            side.insert(world.owners, 0, [inList ? world.addresses : world.address: links])
        } edit: { side in
            let world = side.world
            side.insert(world.parts, 1)
            side.insert(world.owned, 1, [world.street: .text("b"), world.part: .link(1)])
            let links: StoredValue = inList ? .links(1) : .link(1)
            side.set(world.owners, 0, inList ? world.addresses : world.address, links)
            try side.delete(world.owned, 0)
        } _: { changes, target, _ in
            let world = target.world
            var rest = changes
            rest.moveRows([:], dropping: [world.owned: [1], world.parts: [1]])
            target.set(
                world.owners, 0, inList ? world.addresses : world.address,
                inList ? .list([]) : .null)
            try target.delete(world.owned, 1)
            let merge = try rest.merge(into: target.writeSet)
            #expect(merge.conflicts.isEmpty && merge.changes.isEmpty)
        }
    }
}
