import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Random changes of collections of every kind against plain arrays: inside of the transaction,
/// after it, and in the versions before it, with the backlinks; and the file passes its check.
@Suite struct RandomCollectionTests {
    @Test(arguments: [
        (UInt64?.none, StorageLayout.tiny, 30, 60), (1, .tiny, 40, 40), (2, .tiny, 15, 200),
        (3, StorageLayout(), 12, 600),
        (UInt64?.none, StorageLayout(), 8, 900),
    ])
    func transactions(
        seed own: UInt64?, layout: StorageLayout, transactionCount: Int, operationCount: Int
    ) throws {
        var random = Seed.random(own)
        let seed = random.seed
        try withTemporaryStore(layout: layout) { store in
            var (model, snapshot) = try write(store) { StoredCollectionModel.create(in: $0) }
            var kept: [(Snapshot, StoredCollectionModel)] = []
            for number in 0..<Stress.rounds(transactionCount / 4) {
                let before = model
                let writeSet = try store.beginWrite()
                for _ in 0..<Int.random(in: 1...operationCount, using: &random) {
                    try model.change(in: writeSet, &random)
                }
                try model.expectEqual(to: writeSet)
                if Int.random(in: 0..<6, using: &random) == 0 {
                    store.cancel(writeSet)
                    model = before
                } else {
                    snapshot = try store.commit(writeSet)
                }
                try model.expectEqual(to: snapshot)
                let problems = try store.check(snapshot)
                #expect(problems == [], "FREEHOLD_SEED=\(seed), transaction \(number)")
                if !problems.isEmpty { return }
                if number % 8 == 0 { kept.append((snapshot, model)) }
            }
            for (old, model) in kept { try model.expectEqual(to: old) }
        }
    }

    /// Transactions that share a commit, each a savepoint of the one before.
    @Test(arguments: [
        (UInt64?.none, StorageLayout.tiny, 40), (11_202_669_343_525_110_222, .tiny, 40),
        (1, .tiny, 60), (2, StorageLayout(), 300),
    ])
    func savepoints(seed own: UInt64?, layout: StorageLayout, operationCount: Int) throws {
        var random = Seed.random(own)
        let seed = random.seed
        try withTemporaryStore(layout: layout) { store in
            var (model, _) = try write(store) { StoredCollectionModel.create(in: $0) }
            for group in 0..<Stress.rounds(2) {
                var standing = try store.beginWrite()
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    let before = model
                    let savepoint = standing.savepoint()
                    for _ in 0..<Int.random(in: 1...operationCount, using: &random) {
                        try model.change(in: savepoint, &random)
                    }
                    try model.expectEqual(to: savepoint)
                    try before.expectEqual(to: standing)
                    if Int.random(in: 0..<3, using: &random) == 0 {
                        model = before
                    } else {
                        standing = savepoint
                    }
                }
                let reader = standing.savepoint()
                let snapshot = try store.commit(standing)
                try model.expectEqual(to: reader)
                try model.expectEqual(to: snapshot)
                let problems = try store.check(snapshot)
                #expect(problems == [], "FREEHOLD_SEED=\(seed), group \(group)")
                if !problems.isEmpty { return }
            }
        }
    }
}

extension StoredCollectionModel {
    /// One random change, of the storage and of the model.
    mutating func change(in writeSet: WriteSet, _ random: inout SeededGenerator) throws {
        let table = writeSet.mutableTable(id)
        let operation = Int.random(in: 0..<100, using: &random)
        if rows.isEmpty || operation < 4 {
            let key = table.nextRowKey()
            _ = table.insertRow(key)
            rows[key.rawValue] = [:]
            return
        }
        if targetKeys.isEmpty || operation < 10 {
            let key = writeSet.mutableTable(targets).nextRowKey()
            writeSet.mutableTable(targets).insertRow(key).setInteger(ColumnID(rawValue: 1), 7)
            targetKeys.append(key.rawValue)
            return
        }
        if operation < 12 {
            let share = [1, 1, 5].randomElement(using: &random)!
            let doomed = targetKeys.filter { _ in Int.random(in: 0..<10, using: &random) < share }
            try writeSet.mutableTable(targets).deleteRows(doomed)
            forgetTargets(doomed)
            return
        }
        let key = rows.keys.sorted().randomElement(using: &random)!
        if operation < 14 {
            try table.deleteRows([key])
            rows[key] = nil
            mixedValues[key] = nil
            return
        }
        if operation < 22 {
            let value = randomMixed(depth: 0, &random)?.encoded
            let row = table.mutableRow(RowKey(rawValue: key))!
            if let value {
                value.withUnsafeBytes { row.setMixed(mixed, $0) }
            } else {
                row.setMixed(mixed, nil)
            }
            mixedValues[key] = value
            return
        }
        let column = columns.randomElement(using: &random)!
        let tree = table.mutableCollection(of: column.id, key: RowKey(rawValue: key))!
        var collection = rows[key]![column.id] ?? ModelCollection()
        switch column.collection!.shape {
        case .list: changeList(tree, &collection.values, &random)
        case .set: changeSet(tree, &collection.values, &random)
        case .map: changeMap(tree, &collection, &random)
        }
        #expect(tree.count == collection.values.count)
        rows[key]![column.id] = collection
    }

    private func changeList(
        _ tree: MutableStoredCollection, _ values: inout [ModelElement],
        _ random: inout SeededGenerator
    ) {
        let operation = Int.random(in: 0..<20, using: &random)
        if tree.kind.type == .link, targetKeys.isEmpty { return }
        switch operation {
        case 0:
            if !values.isEmpty {
                let lower = Int.random(in: 0..<values.count, using: &random)
                let range =
                    lower..<Int.random(in: lower...min(values.count, lower + 30), using: &random)
                tree.remove(range)
                values.removeSubrange(range)
            }
        case 1...3:
            if !values.isEmpty {
                let index = Int.random(in: 0..<values.count, using: &random)
                tree.remove(index..<(index + 1))
                values.remove(at: index)
            }
        case 4...6:
            if !values.isEmpty {
                let index = Int.random(in: 0..<values.count, using: &random)
                values[index] = randomElement(tree.kind, &random)
                tree.set(values[index], at: index)
            }
        case 7...8:
            if !values.isEmpty {
                let (from, to) = (
                    Int.random(in: 0..<values.count, using: &random),
                    Int.random(in: 0..<values.count, using: &random)
                )
                tree.move(from: from, to: to)
                values.insert(values.remove(at: from), at: to)
            }
        case 9:
            if !values.isEmpty {
                let (from, to) = (
                    Int.random(in: 0..<values.count, using: &random),
                    Int.random(in: 0..<values.count, using: &random)
                )
                tree.swapElements(from, to)
                values.swapAt(from, to)
            }
        case 10 where Int.random(in: 0..<4, using: &random) == 0:
            tree.removeAll()
            values = []
        default:
            let isBulk = Int.random(in: 0..<8, using: &random) == 0
            var index = [values.count, Int.random(in: 0...values.count, using: &random)]
                .randomElement(using: &random)!
            for _ in 0..<(isBulk ? Int.random(in: 1...70, using: &random) : 1) {
                let value = randomElement(tree.kind, &random)
                tree.insert(value, at: index)
                values.insert(value, at: index)
                index += 1
            }
        }
    }

    private func changeSet(
        _ tree: MutableStoredCollection, _ values: inout [ModelElement],
        _ random: inout SeededGenerator
    ) {
        if tree.kind.type == .link, targetKeys.isEmpty { return }
        if Int.random(in: 0..<40, using: &random) == 0 {
            tree.removeAll()
            values = []
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let value = randomElement(tree.kind, &random)
            let place = tree.find(value)
            let expected =
                values.firstIndex { ModelElement.compare($0, value) >= 0 } ?? values.count
            let isFound =
                expected < values.count && ModelElement.compare(values[expected], value) == 0
            #expect(place.index == expected && place.isFound == isFound)
            if !isFound {
                tree.insert(value, at: place.index)
                values.insert(value, at: expected)
            } else if Bool.random(using: &random) {
                tree.remove(place.index..<(place.index + 1))
                values.remove(at: expected)
            }
        }
    }

    private func changeMap(
        _ tree: MutableStoredCollection, _ collection: inout ModelCollection,
        _ random: inout SeededGenerator
    ) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let length = [1, 2, 40].randomElement(using: &random)!
            let key: [UInt8] = (0..<length).map { _ in
                UInt8.random(in: 97...(length == 40 ? 98 : 122), using: &random)
            }
            let place = key.withUnsafeBytes { tree.stored.find(key: $0) }
            let expected =
                collection.keys.firstIndex { !$0.lexicographicallyPrecedes(key) }
                ?? collection.keys.count
            let isFound = expected < collection.keys.count && collection.keys[expected] == key
            #expect(place.index == expected && place.isFound == isFound)
            let value = randomElement(tree.kind, &random)
            if isFound, Bool.random(using: &random) {
                tree.remove(place.index..<(place.index + 1))
                collection.keys.remove(at: expected)
                collection.values.remove(at: expected)
            } else if isFound {
                tree.set(value, at: place.index)
                collection.values[expected] = value
            } else {
                tree.insert(value, at: place.index)
                key.withUnsafeBytes { tree.setKey($0, at: place.index) }
                collection.keys.insert(key, at: expected)
                collection.values.insert(value, at: expected)
            }
        }
    }

    /// What deleting targets does to the collections.
    private mutating func forgetTargets(_ doomed: [Int64]) {
        let gone = Set(doomed)
        targetKeys.removeAll { gone.contains($0) }
        func rest(_ bytes: ContiguousArray<UInt8>?) -> ContiguousArray<UInt8>? {
            bytes.flatMap { $0.withUnsafeBytes { MixedValue(decoding: $0) } }?.without(gone)?
                .encoded
        }
        for (key, value) in mixedValues { mixedValues[key] = rest(value) }
        for (key, collections) in rows {
            for column in columns where column.countsBacklinks {
                guard var collection = collections[column.id] else { continue }
                for index in collection.values.indices.reversed()
                where collection.values[index].links(of: column).contains(where: {
                    gone.contains($0.key)
                }) {
                    if case .mixed(let bytes) = collection.values[index],
                        column.collection!.shape != .set
                    {
                        collection.values[index] = .mixed(rest(bytes))
                    } else if column.collection!.shape == .map {
                        collection.values[index] = .scalar(.null)
                    } else {
                        collection.values.remove(at: index)
                    }
                }
                rows[key]![column.id] = collection
            }
        }
    }
}

extension MixedValue {
    fileprivate func without(_ gone: Set<Int64>) -> MixedValue? {
        switch self {
        case .link(let target): gone.contains(target.key) ? nil : self
        case .list(let values, let identity):
            .list(ContiguousArray(values.map { $0?.without(gone) }), identity: identity)
        case .map(let entries, let identity):
            .map(
                ContiguousArray(entries.map { (key: $0.key, value: $0.value?.without(gone)) }),
                identity: identity)
        default: self
        }
    }
}
