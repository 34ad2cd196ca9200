@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Random transactions, whose history must lead from nothing to what the file has.
@Suite struct RandomHistoryTests {
    @Test(arguments: [StorageLayout.tiny, StorageLayout()])
    func replayingTheHistoryGivesTheContents(layout: StorageLayout) throws {
        var random = Seed.random()
        for _ in 0..<(8 * Stress.factor) {
            try withTemporaryStore(layout: layout) { store in
                let (world, _) = try write(store) { writeSet in
                    writeSet.setHistory(HistoryPolicy(keepsValues: true))
                    return MergeWorld(in: writeSet)
                }
                for _ in 0..<25 {
                    let (_, snapshot) = try write(store) { writeSet in
                        let side = MergeSide(writeSet: writeSet, world: world)
                        for _ in 0..<random.int(1...12) { try edit(side, &random) }
                        writeSet.author = random.once(in: 3) ? "import" : nil
                    }
                    var model = HistoryModel()
                    for entry in try history(of: snapshot) { try model.replay(entry) }
                    #expect(model == HistoryModel(of: snapshot))
                    if model != HistoryModel(of: snapshot) { return }
                }
            }
        }
    }

    private func edit(_ side: MergeSide, _ random: inout SeededGenerator) throws {
        let world = side.world
        func link(_ table: TableID) -> StoredValue {
            let keys = side.keys(table)
            return keys.isEmpty || random.once(in: 4) ? .null : .link(random.pick(keys))
        }
        switch random.int(0...9) {
        case 0...1:
            let key = Int64(random.int(1...40))
            if !side.contains(world.items, key) { side.insert(world.items, key) }
        case 2:
            side.insert(
                world.named, nil,
                [
                    world.title: .text("n\(random.int(0...1_000_000))"),
                    world.item: link(world.items),
                ])
        case 3:
            for table in [world.items, world.named, world.owners] where random.once(in: 3) {
                let keys = side.keys(table)
                if !keys.isEmpty { try side.delete(table, random.pick(keys)) }
            }
        case 4:
            let owner = side.insert(world.owners, nil, [world.label: .text("owner")])
            let row = side.insert(world.owned, nil, [world.street: .text("street")])
            side.set(world.owners, owner, world.address, .link(row))
        case 5:
            let keys = side.keys(world.owned)
            if !keys.isEmpty {
                side.set(
                    world.owned, random.pick(keys), world.city, .text("c\(random.int(0...9))"))
            }
        default:
            let keys = side.keys(world.items)
            if keys.isEmpty { return }
            let key = random.pick(keys)
            switch random.int(0...6) {
            case 0:
                let text = String(repeating: "n", count: random.pick([0, 3, 40, 700]))
                side.set(world.items, key, world.name, .text(text))
            case 1: side.set(world.items, key, world.count, .integer(Int64(random.int(0...3))))
            case 2: side.set(world.items, key, world.friend, link(world.items))
            case 3:
                let count = random.int(0...4)
                side.set(
                    world.items, key, world.numbers,
                    .list(ContiguousArray((0..<count).map { .integer(Int64($0)) })))
            case 4:
                side.set(
                    world.items, key, world.links,
                    .list(
                        ContiguousArray(keys.filter { _ in random.once(in: 3) }.map { .link($0) })))
            case 5:
                side.set(
                    world.items, key, world.any,
                    random.once(in: 2)
                        ? .null : .mixed(.integer(Int64(random.int(0...9)))))
            default:
                side.set(
                    world.items, key, world.scores,
                    .entries(["a": .integer(Int64(random.int(0...9)))]))
            }
        }
    }
}
