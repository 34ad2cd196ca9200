import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Random edits of three versions, merged, against a plain model of them.
@Suite struct RandomMergeTests {
    private static let names = ["a", "b", "c", "d"]

    /// One version that is edited, with its model.
    private struct Editor {
        let side: MergeSide
        var model: MergeModel
        /// Distinguishes what this side adds.
        let prefix: String
        var added = 0
        /// Lists of addresses of which this side removes rows, or to which it adds some.
        var removing: Set<String> = []
        var adding: Set<String> = []

        var world: MergeWorld { side.world }

        mutating func edit(_ random: inout SeededGenerator) throws {
            switch random.int(0...11) {
            case 0: addItem(Int64(random.int(1...30)), &random)
            case 1 where !model.items.isEmpty && random.once(in: 2):
                let key = random.pick(model.items.keys.sorted())
                try side.delete(world.items, key)
                model.deleteItem(key)
            case 2: addNamed("n\(random.int(0...12))", &random)
            case 3 where !model.named.isEmpty && random.once(in: 2):
                let title = random.pick(model.named.keys.sorted())
                // A title of the base does not come back: that would be another row.
                try side.delete(world.named, row(title))
                model.deleteNamed(title)
            case 4 where !model.named.isEmpty: editNamed(&random)
            case 5...6: try editOwner(&random)
            default: if !model.items.isEmpty { editItem(&random) }
            }
        }

        mutating func addItem(_ key: Int64, _ random: inout SeededGenerator) {
            if model.items[key] != nil || removedKeys.contains(key) { return }
            let name = random.pick(RandomMergeTests.names)
            side.insert(world.items, key, [world.name: .text(name)])
            model.items[key] = .init(name: name)
        }

        /// Keys of the base, which new rows do not take.
        var removedKeys: Set<Int64> = []
        var removedTitles: Set<String> = []

        mutating func addNamed(_ title: String, _ random: inout SeededGenerator) {
            if model.named[title] != nil || removedTitles.contains(title) { return }
            let rank = Int64(random.int(0...2))
            side.insert(world.named, nil, [world.title: .text(title), world.rank: .integer(rank)])
            model.named[title] = .init(rank: rank)
        }

        func row(_ title: String) -> Int64 {
            side.keys(world.named).first { side.get(world.named, $0, world.title).string == title }
                ?? -1
        }

        mutating func editNamed(_ random: inout SeededGenerator) {
            let title = random.pick(model.named.keys.sorted())
            switch random.int(0...2) {
            case 0:
                let rank = Int64(random.int(0...5))
                side.set(world.named, row(title), world.rank, .integer(rank))
                model.named[title]?.rank = rank
            case 1 where !model.items.isEmpty:
                let item = random.pick(model.items.keys.sorted())
                side.set(world.named, row(title), world.item, .link(item))
                model.named[title]?.item = item
            default:
                let twin = random.pick(model.named.keys.sorted())
                side.set(world.named, row(title), world.twin, .link(row(twin)))
                model.named[title]?.twin = twin
            }
        }

        mutating func editItem(_ random: inout SeededGenerator) {
            let key = random.pick(model.items.keys.sorted())
            guard var item = model.items[key] else { return }
            switch random.int(0...6) {
            case 0:
                item.name = random.pick(RandomMergeTests.names)
                side.set(world.items, key, world.name, .text(item.name))
            case 1:
                item.count = Int64(random.int(0...3))
                side.set(world.items, key, world.count, .integer(item.count))
            case 2:
                item.friend = random.once(in: 4) ? nil : random.pick(model.items.keys.sorted())
                side.set(world.items, key, world.friend, item.friend.map { .link($0) } ?? .null)
            case 3:
                let tag = Int64(random.int(0...8))
                if item.tags.remove(tag) == nil { item.tags.insert(tag) }
                side.set(
                    world.items, key, world.tags,
                    .set(ContiguousArray(item.tags.sorted().map { .integer($0) })))
            case 4:
                let name = random.pick(RandomMergeTests.names)
                item.scores[name] = random.once(in: 3) ? nil : Int64(random.int(0...3))
                side.set(
                    world.items, key, world.scores,
                    .map(
                        ContiguousArray(
                            item.scores.sorted { $0.key < $1.key }.map {
                                .init(key: ContiguousArray($0.key.utf8), value: .integer($0.value))
                            })))
            case 5: editNumbers(&item, key, &random)
            default: editLinks(&item, key, &random)
            }
            model.items[key] = item
        }

        private mutating func editNumbers(
            _ item: inout MergeModel.Item, _ key: Int64, _ random: inout SeededGenerator
        ) {
            added += 1
            let new = Int64(added) * 2 + (prefix == "mine" ? 1_000 : prefix == "theirs" ? 1_001 : 0)
            let count = item.numbers.count
            switch random.int(0...3) {
            case 0 where count > 0: item.numbers.remove(at: random.int(0...count - 1))
            case 1 where count > 0: item.numbers[random.int(0...count - 1)] = new
            default: item.numbers.insert(new, at: random.int(0...count))
            }
            side.set(
                world.items, key, world.numbers,
                .list(ContiguousArray(item.numbers.map { .integer($0) })))
        }

        private func editLinks(
            _ item: inout MergeModel.Item, _ key: Int64, _ random: inout SeededGenerator
        ) {
            let target = random.pick(model.items.keys.sorted())
            if item.links.contains(target) {
                item.links.removeAll { $0 == target }
            } else {
                item.links.insert(target, at: random.int(0...item.links.count))
            }
            side.set(
                world.items, key, world.links, .list(ContiguousArray(item.links.map { .link($0) })))
        }

        // MARK: Owners

        func ownerRow(_ label: String) -> Int64 {
            side.keys(world.owners).first {
                side.get(world.owners, $0, world.label).string == label
            }
                ?? -1
        }

        mutating func addOwner(_ label: String) {
            side.insert(world.owners, nil, [world.label: .text(label)])
            model.owners[label] = .init()
        }

        private func addAddress(_ address: MergeModel.Address) -> Int64 {
            side.insert(
                world.owned, nil,
                [world.street: .text(address.street), world.city: .text(address.city)])
        }

        private mutating func editOwner(_ random: inout SeededGenerator) throws {
            added += 1
            let label = "\(prefix) \(added)"
            guard !model.owners.isEmpty, !random.once(in: 8) else { return addOwner(label) }
            let chosen = random.pick(model.owners.keys.sorted())
            let key = ownerRow(chosen)
            switch random.int(0...5) {
            case 0 where random.once(in: 2):
                try side.writeSet.deleteRows([key], of: world.owners)
                model.owners[chosen] = nil
            case 1...2:
                try editAddress(of: chosen, key, label, &random)
            default: try editAddresses(of: chosen, key, label, &random)
            }
        }

        private mutating func editAddress(
            of owner: String, _ key: Int64, _ label: String, _ random: inout SeededGenerator
        ) throws {
            let old = side.get(world.owners, key, world.address).target
            if let old, random.once(in: 2) {
                let city = random.pick(RandomMergeTests.names)
                side.set(world.owned, old, world.city, .text(city))
                model.owners[owner]?.address?.city = city
                return
            }
            if old != nil, random.once(in: 3) {
                try side.delete(world.owned, old ?? 0)
                model.owners[owner]?.address = nil
                return
            }
            // Replaced as a whole.
            let address = MergeModel.Address(
                street: random.pick(RandomMergeTests.names),
                city: random.pick(RandomMergeTests.names))
            side.set(world.owners, key, world.address, .link(addAddress(address)))
            if let old { try side.delete(world.owned, old) }
            model.owners[owner]?.address = address
        }

        private mutating func editAddresses(
            of owner: String, _ key: Int64, _ label: String, _ random: inout SeededGenerator
        ) throws {
            guard let addresses = model.owners[owner]?.addresses else { return }
            var links = side.get(world.owners, key, world.addresses).members
            switch random.int(0...2) {
            case 0 where !adding.contains(owner) && !addresses.isEmpty:
                let index = random.int(0...addresses.count - 1)
                removing.insert(owner)
                try side.delete(world.owned, links[index].target ?? 0)
                model.owners[owner]?.addresses.remove(at: index)
            case 1 where !removing.contains(owner):
                adding.insert(owner)
                let address = MergeModel.Address(street: label, city: "")
                links.append(.link(addAddress(address)))
                side.set(world.owners, key, world.addresses, .list(ContiguousArray(links)))
                model.owners[owner]?.addresses.append(address)
            case 2 where !addresses.isEmpty:
                let index = random.int(0...addresses.count - 1)
                let city = random.pick(RandomMergeTests.names)
                side.set(world.owned, links[index].target ?? 0, world.city, .text(city))
                model.owners[owner]?.addresses[index].city = city
            default: break
            }
        }

        /// Numbers the addresses, which are those of the base now.
        mutating func becomeBase() {
            for label in model.owners.keys {
                for index in model.owners[label]?.addresses.indices ?? 0..<0 {
                    model.owners[label]?.addresses[index].number = index
                }
            }
            adding = []
            removing = []
        }
    }

    @Test(arguments: [StorageLayout.tiny, StorageLayout()]) func merges(layout: StorageLayout)
        throws
    {
        var random = Seed.random()
        let seed = random.seed
        var conflictCount = 0
        var silentCount = 0
        for round in 0..<Stress.rounds(150) {
            let comment = Comment("FREEHOLD_SEED=\(seed), round \(round)")
            try withTemporaryStore(layout: layout) { store in
                let (start, _) = try write(store) { writeSet in
                    var editor = Editor(
                        side: MergeSide(writeSet: writeSet, world: MergeWorld(in: writeSet)),
                        model: MergeModel(), prefix: "base")
                    for _ in 0..<random.int(0...80) { try editor.edit(&random) }
                    editor.becomeBase()
                    return editor
                }
                let snapshot = try store.newestSnapshot()
                let begin = try store.beginWrite()
                func fork(_ prefix: String) -> Editor {
                    var editor = Editor(
                        side: MergeSide(writeSet: begin.savepoint(), world: start.world),
                        model: start.model, prefix: prefix)
                    editor.removedKeys = Set(start.model.items.keys)
                    editor.removedTitles = Set(start.model.named.keys)
                    return editor
                }
                var (mine, theirs) = (fork("mine"), fork("theirs"))
                for _ in 0..<random.int(0...25) { try mine.edit(&random) }
                for _ in 0..<random.int(0...25) { try theirs.edit(&random) }
                #expect(MergeModel(mine.side.writeSet, start.world) == mine.model.visible, comment)
                let source: TableSource
                let target: WriteSet
                if random.once(in: 2) {
                    source = try store.commit(theirs.side.writeSet)
                    target = try store.beginWrite()
                } else {
                    source = theirs.side.writeSet
                    target = theirs.side.writeSet.savepoint()
                }
                let mineWins = random.once(in: 2)
                let resolution: Resolution? = mineWins ? .mine : random.once(in: 2) ? .theirs : nil
                nonisolated(unsafe) var asked: [Conflict] = []
                let decisions = Decisions {
                    asked.append($0)
                    return resolution
                }
                let merge = try ThreeWayMerge(
                    base: snapshot, mine: mine.side.writeSet, theirs: source, into: target,
                    resolving: decisions.decide)
                try expectSameWithExcerpt(
                    merge, base: snapshot, mine: mine.side.writeSet, theirs: source, into: target,
                    decisions, comment)
                try target.apply(merge.changes)
                #expect(merge.conflicts == (resolution == nil ? asked : []), comment)
                conflictCount += asked.count
                if asked.isEmpty { silentCount += 1 }
                let merged = MergeModel(target, start.world)
                let expected = MergeModel.merge(
                    start.model, mine.model, theirs.model, mineWins: mineWins, merged: merged)
                expectEqual(merged, expected.visible, comment)
                let rules = MergeExpectation(
                    base: start.model, mine: mine.model, theirs: theirs.model, mineWins: mineWins,
                    merged: merged)
                for key in merged.items.keys {
                    let isConflict = asked.contains {
                        $0.kind == .list && $0.row == key && $0.column == start.world.numbers
                    }
                    let broken = rules.brokenListRule(of: key, isConflict: isConflict)
                    #expect(broken == nil, comment)
                    for link in merged.items[key]?.links ?? [] {
                        #expect(merged.items[link] != nil, comment)
                    }
                }
                #expect(expectOwners(target, start.world), comment)
                _ = try store.commit(target)
            }
        }
        #expect(conflictCount > 40 && silentCount > 5)
    }

    /// Changes lead from their old version to the new one, and their inverse back.
    @Test func changesAndBack() throws {
        var random = Seed.random()
        let seed = random.seed
        for round in 0..<Stress.rounds(60) {
            let comment = Comment("FREEHOLD_SEED=\(seed), round \(round)")
            try withTemporaryStore(layout: round % 2 == 0 ? .tiny : StorageLayout()) { store in
                let (start, _) = try write(store) { writeSet in
                    var editor = Editor(
                        side: MergeSide(writeSet: writeSet, world: MergeWorld(in: writeSet)),
                        model: MergeModel(), prefix: "base")
                    for _ in 0..<random.int(0...80) { try editor.edit(&random) }
                    return editor
                }
                let snapshot = try store.newestSnapshot()
                let begin = try store.beginWrite()
                var editor = Editor(
                    side: MergeSide(writeSet: begin.savepoint(), world: start.world),
                    model: start.model, prefix: "mine")
                for _ in 0..<random.int(1...40) { try editor.edit(&random) }
                let changes = ChangeSet(
                    try VersionDifference(from: snapshot, to: editor.side.writeSet))
                let target = begin.savepoint()
                try target.apply(changes)
                #expect(MergeModel(target, start.world) == editor.model.visible, comment)
                let rest = ChangeSet(
                    try VersionDifference(from: editor.side.writeSet, to: target))
                #expect(rest.isEmpty, comment)
                try target.apply(changes.inverse { target.nextRowKey(of: $0) })
                #expect(MergeModel(target, start.world) == start.model.visible, comment)
                _ = try store.commit(target)
            }
        }
    }

    private func expectEqual(_ merged: MergeModel, _ expected: MergeModel, _ comment: Comment) {
        #expect(merged.items.keys.sorted() == expected.items.keys.sorted(), comment)
        for (key, item) in expected.items { #expect(merged.items[key] == item, comment) }
        #expect(merged.named == expected.named, comment)
        #expect(merged.owners == expected.owners, comment)
    }

    /// Whether each owned row has one owner.
    private func expectOwners(_ writeSet: WriteSet, _ world: MergeWorld) -> Bool {
        let ownership = try? writeSet.ownership(of: world.owned)
        return ownership == .single || writeSet.table(world.owned).count == 0
    }
}
