import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Owned rows, which travel with their owners.
@Suite struct OwnedRowMergeTests {
    /// An owner with an address, a list of two and a map of one.
    private func base(_ side: MergeSide) {
        let world = side.world
        for (key, street) in ["a", "b", "c", "d"].enumerated() {
            side.insert(world.owned, Int64(key), [world.street: .text(street)])
        }
        side.insert(
            world.owners, 0,
            [
                world.address: .link(0), world.addresses: .links(1, 2),
                world.places: .entries(["x": .link(3)]),
            ])
        side.insert(world.owners, 1)
    }

    /// Replaces an owned row by a new one.
    private func replace(
        _ side: MergeSide, _ column: ColumnID, _ street: String, _ city: String,
        part: Int64? = nil
    ) throws {
        let world = side.world
        var values: [ColumnID: StoredValue] = [
            world.street: .text(street), world.city: .text(city),
        ]
        if let part {
            values[world.part] = .link(side.insert(world.parts, nil, [world.size: .integer(part)]))
        }
        let key = side.insert(world.owned, nil, values)
        if column == world.address {
            let old = side.get(world.owners, 0, world.address)
            side.set(world.owners, 0, world.address, .link(key))
            if case .plain(.link(let old)) = old { try side.delete(world.owned, old.rawValue) }
        } else if column == world.addresses {
            guard case .list(var links) = side.get(world.owners, 0, world.addresses),
                case .plain(.link(let old)) = links[0]
            else { preconditionFailure() }
            links[0] = .link(key)
            side.set(world.owners, 0, world.addresses, .list(links))
            try side.delete(world.owned, old.rawValue)
        } else {
            side.set(world.owners, 0, world.places, .entries(["x": .link(key)]))
            try side.delete(world.owned, 3)
        }
    }

    private func onlyOwned(_ merged: Merged) -> [Int64] {
        merged.side.keys(merged.side.world.owned)
    }

    /// The row that a column of the owner leads to.
    private func row(_ merged: Merged, _ column: ColumnID) -> Int64 {
        switch merged.get(merged.side.world.owners, 0, column) {
        case .plain(.link(let key)): key.rawValue
        case .list(let links):
            if case .plain(.link(let key)) = links[0] { key.rawValue } else { -1 }
        case .map(let entries):
            if case .plain(.link(let key)) = entries[0].value { key.rawValue } else { -1 }
        default: -1
        }
    }

    @Test(arguments: 0..<3, [true, false])
    func replacedAndEdited(kind: Int, replacedByMine: Bool) throws {
        func column(_ world: MergeWorld) -> ColumnID {
            [world.address, world.addresses, world.places][kind]
        }
        let key = [0, 1, 3][kind] as Int64
        let street = ["a", "b", "d"][kind]
        func replace(_ side: MergeSide) throws {
            try self.replace(side, column(side.world), street, "new city")
        }
        func edit(_ side: MergeSide) throws {
            side.set(side.world.owned, key, side.world.street, .text("edited"))
        }
        try withMerge(
            base: base, mine: replacedByMine ? replace : edit,
            theirs: replacedByMine ? edit : replace
        ) { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            let row = row(merged, column(world))
            #expect(merged.get(world.owned, row, world.street) == .text("edited"))
            #expect(merged.get(world.owned, row, world.city) == .text("new city"))
            #expect(onlyOwned(merged).count == 4)
            #expect(row == (replacedByMine ? key : 4))
            if replacedByMine { #expect(merged.merge.newRows[world.owned] == [4: key]) }
        }
    }

    @Test(arguments: 0..<3) func replacedByBoth(kind: Int) throws {
        func column(_ world: MergeWorld) -> ColumnID {
            [world.address, world.addresses, world.places][kind]
        }
        nonisolated(unsafe) var asked: [Conflict] = []
        try withMerge(
            resolving: {
                asked.append($0)
                return .mine
            }, base: base
        ) { side in
            try replace(side, column(side.world), "mine", "city", part: 1)
        } theirs: { side in
            try replace(side, column(side.world), "theirs", "city", part: 1)
        } expect: { merged in
            let world = merged.side.world
            #expect(asked.count == 1)
            #expect(asked.first?.mine == .text("mine") && asked.first?.theirs == .text("theirs"))
            let row = row(merged, column(world))
            #expect(merged.get(world.owned, row, world.street) == .text("mine"))
            #expect(merged.get(world.owned, row, world.city) == .text("city"))
            #expect(onlyOwned(merged).count == 4)
            #expect(merged.side.keys(world.parts).count == 1)
            #expect(merged.merge.newRows[world.owned] == [4: row])
        }
    }

    /// Where the base has none.
    @Test(arguments: [true, false], [Resolution.mine, .theirs])
    func setByBoth(areEqual: Bool, resolution: Resolution) throws {
        func add(_ side: MergeSide, _ street: String) throws {
            let world = side.world
            let part = side.insert(world.parts, nil, [world.size: .integer(1)])
            let key = side.insert(
                world.owned, nil, [world.street: .text(street), world.part: .link(part)])
            side.set(world.owners, 1, world.address, .link(key))
        }
        try withMerge(resolving: { _ in areEqual ? nil : resolution }, base: base) { side in
            try add(side, areEqual ? "same" : "mine")
        } theirs: { side in
            try add(side, areEqual ? "same" : "theirs")
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            guard case .plain(.link(let row)) = merged.get(world.owners, 1, world.address) else {
                Issue.record("no address")
                return
            }
            let street = areEqual ? "same" : resolution == .mine ? "mine" : "theirs"
            #expect(merged.get(world.owned, row.rawValue, world.street) == .text(street))
            #expect(onlyOwned(merged).count == 5)
            #expect(merged.side.keys(world.parts).count == 1)
            let isDropped = areEqual || resolution == .theirs
            #expect(merged.merge.droppedRows[world.owned] == (isDropped ? [4] : nil))
        }
    }

    @Test(arguments: [Resolution.mine, .theirs]) func replacedAndRemoved(resolution: Resolution)
        throws
    {
        try withMerge(resolving: { _ in resolution }, base: base) { side in
            try replace(side, side.world.address, "new", "c")
        } theirs: { side in
            try side.delete(side.world.owned, 0)
        } expect: { merged in
            let world = merged.side.world
            let isMine = resolution == .mine
            #expect(onlyOwned(merged) == (isMine ? [0, 1, 2, 3] : [1, 2, 3]))
            #expect(merged.get(world.owners, 0, world.address) == (isMine ? .link(0) : .null))
            if isMine {
                #expect(merged.get(world.owned, 0, world.street) == .text("new"))
                #expect(merged.merge.newRows[world.owned] == [4: 0])
            } else {
                #expect(merged.merge.droppedRows[world.owned] == [4])
            }
        }
    }

    /// A list that was filled anew, with equal rows among the new ones.
    @Test func listThatWasFilledAnew() throws {
        try withMerge(base: base) { side in
            let world = side.world
            try side.delete(world.owned, 1, 2)
            let keys = ["c", "z", "b"].map {
                side.insert(world.owned, nil, [world.street: .text($0)])
            }
            side.set(
                world.owners, 0, world.addresses, .list(ContiguousArray(keys.map { .link($0) })))
        } theirs: { side in
            side.set(side.world.owned, 2, side.world.city, .text("edited"))
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            guard case .list(let links) = merged.get(world.owners, 0, world.addresses) else {
                return
            }
            let streets = links.map { link in
                if case .plain(.link(let key)) = link {
                    merged.get(world.owned, key.rawValue, world.street)
                } else {
                    StoredValue.null
                }
            }
            #expect(streets == [.text("c"), .text("z"), .text("b")])
            #expect(links.first == .link(2) && links.last == .link(1))
            #expect(merged.get(world.owned, 2, world.city) == .text("edited"))
            #expect(onlyOwned(merged).count == 5)
        }
    }

    @Test func appendedByBoth() throws {
        func append(_ side: MergeSide, _ streets: String...) {
            let world = side.world
            guard case .list(var links) = side.get(world.owners, 0, world.addresses) else { return }
            for street in streets {
                links.append(.link(side.insert(world.owned, nil, [world.street: .text(street)])))
            }
            side.set(world.owners, 0, world.addresses, .list(links))
        }
        try withMerge(base: base) {
            append($0, "m")
        } theirs: {
            append($0, "t", "u")
        } expect: {
            merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            #expect(merged.get(world.owners, 0, world.addresses) == .links(1, 2, 4, 5, 6))
            #expect(merged.get(world.owned, 6, world.street) == .text("m"))
        }
    }

    /// A row that moved inside of a list, or to another owner, and was edited.
    @Test func movedAndEdited() throws {
        try withMerge(base: base) { side in
            side.set(side.world.owners, 0, side.world.addresses, .links(2, 1))
            side.set(side.world.owners, 0, side.world.places, .entries([:]))
            side.set(side.world.owners, 1, side.world.address, .link(3))
        } theirs: { side in
            for key in 0...3 as ClosedRange<Int64> {
                side.set(side.world.owned, key, side.world.city, .text("edited"))
            }
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            #expect(merged.get(world.owners, 0, world.addresses) == .links(2, 1))
            #expect(merged.get(world.owners, 1, world.address) == .link(3))
            #expect(merged.get(world.owned, 3, world.city) == .text("edited"))
            #expect(onlyOwned(merged) == [0, 1, 2, 3])
        }
    }

    @Test(arguments: [Resolution.mine, .theirs]) func movedTwice(resolution: Resolution) throws {
        nonisolated(unsafe) var kinds: [Conflict.Kind] = []
        try withMerge(
            resolving: {
                kinds.append($0.kind)
                return resolution
            }, base: base
        ) { side in
            side.set(side.world.owners, 0, side.world.addresses, .links(2))
            side.set(side.world.owners, 1, side.world.address, .link(1))
        } theirs: { side in
            side.set(side.world.owners, 0, side.world.addresses, .links(2))
            side.set(side.world.owners, 1, side.world.places, .entries(["y": .link(1)]))
        } expect: { merged in
            let world = merged.side.world
            #expect(kinds == [.movedTwice])
            let isMine = resolution == .mine
            #expect(merged.get(world.owners, 1, world.address) == (isMine ? .link(1) : .null))
            #expect(
                merged.get(world.owners, 1, world.places)
                    == (isMine ? .entries(["y": .null]) : .entries(["y": .link(1)])))
            #expect(onlyOwned(merged) == [0, 1, 2, 3])
        }
    }
}
