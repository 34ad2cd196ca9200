import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random transactions, from several realms and threads, seen by many observers: what each
/// knows, with its change set applied, is always what the collection has.
@Suite struct ObservationModelTests {
    @Test(arguments: ObservationModelTests.seeds) func whatIsKnownWithTheChangesIsWhatThereIs(
        seed own: UInt64?
    ) throws {
        let seed = Seed.random(own).seed
        try withObservatory { place in
            var model = ObservationModel(place, seed: seed)
            try model.run(steps: Stress.rounds(15))
        }
    }

    /// Another process changes the file as fast as it can, while this one observes and writes, too.
    @Test func transactionsOfAnotherProcess() async throws {
        let seed = Seed.random().seed
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let isOver = Locker(false)
        let isThere = DispatchSemaphore(value: 0)
        async let observed: Void = awaitThread {
            var model = ObservationModel(try Observatory(configuration), seed: seed)
            try model.observe(until: { isOver.value }) { isThere.signal() }
        }
        await wait(for: isThere)
        await #expect(processExitsWith: .success) {
            [path = directory.file().path as String, seed = seed as UInt64] in
            var random = SeededGenerator(seed: seed &+ 1)
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: ObservedModels.all))
            for number in 0..<150 {
                try realm.write { ObservationModel.change(realm, 1_000_000 + number, &random) }
            }
        }
        isOver.value = true
        try await observed
        #expect(
            try await awaitThread {
                try Realm(configuration: configuration, queue: nil).check().isEmpty
            }, "FREEHOLD_SEED=\(seed)")
        directory.delete()
    }

    private static let seeds: [UInt64?] = [nil, 1, 2, 3, 4]
}

struct ObservationModel {
    typealias Item = ObservedModels.Item

    let place: Observatory
    let seed: UInt64
    var random: SeededGenerator
    var mirrors: [ObservationMirror] = []
    var nextID = 1

    init(_ place: Observatory, seed: UInt64) {
        self.place = place
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    mutating func run(steps: Int) throws {
        try place.writer.write {
            for _ in 0..<12 {
                place.writer.add(Item(id: nextID, name: "n\(nextID % 5)", rank: nextID * 7 % 100));
                nextID += 1
            }
        }
        place.realm.refresh()
        observeResults()
        for step in 0..<steps {
            if step % 10 == 0 { observeSomeObject() }
            for _ in 0..<Int.random(in: 0...3, using: &random) { try transact() }
            try move()
        }
        place.deliver()
        for mirror in mirrors where mirror.isBegun { mirror.verify(seed) }
        for mirror in mirrors { mirror.token?.invalidate() }
    }

    /// Observes and writes while others write, until they are done and everything that they did
    /// was told.
    ///
    /// - Parameter begin: Called when there is something to observe.
    mutating func observe(until isOver: () -> Bool, _ begin: () -> Void) throws {
        try place.realm.write {
            for id in 1...12 {
                place.realm.add(Item(id: id, name: "n\(id % 5)", rank: id * 7 % 100))
            }
        }
        nextID = 100
        observeResults()
        for _ in 0..<5 { observeSomeObject() }
        place.deliver()
        begin()
        while !isOver() {
            // Of the other process the kernel tells; a second is what a lost event would cost.
            place.scheduler.waitForWork(until: Date(timeIntervalSinceNow: 1))
            place.scheduler.runAll()
            if random.once(in: 4) { try transact() }
        }
        place.realm.refresh()
        place.deliver()
        for mirror in mirrors where mirror.isBegun { mirror.verify(seed) }
        for mirror in mirrors { mirror.token?.invalidate() }
    }

    // MARK: Observers

    private mutating func observeResults() {
        let items = place.realm.objects(Item.self)
        func observe<C: RealmCollection>(
            _ name: String, _ collection: C, _ keyPaths: [String]? = nil,
            _ content: @escaping (Item) -> Int = Fingerprints.everything
        ) where C.Element == Item {
            mirrors.append(
                CollectionMirror(name, collection, keyPaths: keyPaths, seed: seed) {
                    Entry(identity: "\($0.id)", content: content($0))
                })
        }
        observe("all", items)
        observe("filtered", items.where { $0.rank > 40 })
        observe("sorted", items.sorted(by: \.name))
        observe(
            "filtered and sorted",
            items.where { $0.name != "n2" }.sorted(by: [
                SortDescriptor(keyPath: "rank"), SortDescriptor(keyPath: "id", ascending: false),
            ]))
        observe("through a link", items.where { $0.next.rank > 30 })
        observe("limited", items.sorted(by: \.rank, ascending: false).limit(4))
        observe("distinct", items.distinct(by: ["name"]))
        observe("names", items, ["name"], Fingerprints.name)
        observe("next ranks", items.sorted(by: \.rank), ["next.rank"], Fingerprints.rankOfNext)
        observe("members", items.where { $0.rank < 60 }, []) { _ in 0 }
    }

    private mutating func observeSomeObject() {
        guard let item = place.realm.objects(Item.self).randomElement(using: &random),
            !item.isInvalidated
        else { return }
        let id = item.id
        mirrors.append(ObjectMirror("object \(id)", item, seed: seed))
        mirrors.append(
            CollectionMirror(
                "children of \(id)", item.children, keyPaths: nil, seed: seed, replaces: true
            ) {
                Entry(identity: "\($0.id)", content: Fingerprints.everything($0))
            })
        mirrors.append(
            CollectionMirror(
                "numbers of \(id)", item.numbers, keyPaths: nil, seed: seed, replaces: true
            ) { Entry(identity: "\($0)", content: 0) })
        mirrors.append(
            CollectionMirror(
                "sorted numbers of \(id)", item.numbers.sorted(), keyPaths: nil, seed: seed,
                replaces: true
            ) { Entry(identity: "\($0)", content: 0) })
        mirrors.append(
            CollectionMirror("tags of \(id)", item.tags, keyPaths: nil, seed: seed, replaces: true)
            { Entry(identity: $0, content: 0) })
        mirrors.append(
            CollectionMirror("previous of \(id)", item.previous, keyPaths: nil, seed: seed) {
                Entry(identity: "\($0.id)", content: Fingerprints.everything($0))
            })
        mirrors.append(MapMirror("marks of \(id)", item.marks, seed: seed))
    }

    // MARK: Transactions

    private mutating func transact() throws {
        var generator = SeededGenerator(seed: random.next())
        let id = nextID
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            // The observing realm itself.
            try place.realm.write { Self.change(place.realm, id, &generator) }
        case 1:
            let skipped = mirrors.filter { $0.isBegun && $0.token != nil && !$0.isOver }
                .randomElement(using: &random)
            try place.realm.write(withoutNotifying: skipped?.token.map { [$0] } ?? []) {
                Self.change(place.realm, id, &generator)
            }
            skipped?.resynchronize()
        case 2:
            let configuration = place.configuration
            try onNewThread { [generator] in
                var generator = generator
                let realm = try Realm(configuration: configuration)
                try realm.write { Self.change(realm, id, &generator) }
            }
        default:
            try place.writer.write { Self.change(place.writer, id, &generator) }
        }
        nextID += 1
    }

    /// - Parameter addsParts: Whether there may be new embedded objects.
    static func change(
        _ realm: Realm, _ id: Int, _ random: inout SeededGenerator, addsParts: Bool = true
    ) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            changeOnce(realm, id, &random, addsParts)
        }
    }

    private static func changeOnce(
        _ realm: Realm, _ id: Int, _ random: inout SeededGenerator, _ addsParts: Bool
    ) {
        let items = realm.objects(Item.self)
        func some() -> Item? {
            items.isEmpty ? nil : items[Int.random(in: 0..<items.count, using: &random)]
        }
        guard let item = some() else {
            realm.add(Item(id: id), update: .modified)
            return
        }
        let number = Int.random(in: 0..<100, using: &random)
        switch Int.random(in: 0..<17, using: &random) {
        case 0: realm.add(Item(id: id, name: "n\(number % 5)", rank: number), update: .modified)
        case 1: if items.count > 6 { realm.delete(item) }
        case 2: item.name = "n\(number % 5)"
        case 3, 4: item.rank = number
        case 5: item.score = number % 3 == 0 ? nil : Double(number)
        case 6: item.next = number % 4 == 0 ? nil : some()
        case 7: some().map { item.children.insert($0, at: number % (item.children.count + 1)) }
        case 8: if !item.children.isEmpty { item.children.remove(at: number % item.children.count) }
        case 9: if item.children.count > 1 { item.children.swapAt(0, number % item.children.count) }
        case 10: item.numbers.insert(number, at: number % (item.numbers.count + 1))
        case 11: if !item.numbers.isEmpty { item.numbers[number % item.numbers.count] = number / 2 }
        case 12:
            if item.tags.contains("t\(number % 6)") {
                item.tags.remove("t\(number % 6)")
            } else {
                item.tags.insert("t\(number % 6)")
            }
        case 13: item.marks["m\(number % 4)"] = number % 3 == 0 ? nil : number
        case 14: item.related["r\(number % 3)"] = number % 3 == 0 ? nil : .some(some())
        case 15:
            item.anything = number % 2 == 0 ? .int(number) : some().map { .object($0) } ?? .none
        default:
            if let part = item.part {
                part.size = number
            } else if addsParts {
                item.part = ObservedModels.Part()
            }
        }
    }

    // MARK: The observing realm

    private mutating func move() throws {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            place.realm.waitForNotifier()
            place.scheduler.runNext()
        case 1: place.realm.refresh()
        case 2:
            place.realm.beginWrite()
            place.realm.cancelWrite()
        case 3: break
        default:
            place.deliver()
            for mirror in mirrors where mirror.isBegun { mirror.verify(seed) }
        }
    }
}
