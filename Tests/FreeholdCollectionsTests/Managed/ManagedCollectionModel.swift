import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

enum ManagedModels {
    final class Pet: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Owner: Object {
        @Persisted var name = ""
        @Persisted var numbers: List<Int>
        @Persisted var small: List<Int8?>
        @Persisted var texts: List<String?>
        @Persisted var blobs: List<Data>
        @Persisted var dates: List<Date>
        @Persisted var doubles: List<Double>
        @Persisted var flags: List<Bool?>
        @Persisted var ids: List<UUID>
        @Persisted var decimals: List<Decimal128>
        @Persisted var moods: List<Mood>
        @Persisted var moodsOrNone: List<Mood?>
        @Persisted var pets: List<Pet>
        @Persisted var tags: MutableSet<String>
        @Persisted var primes: MutableSet<Int?>
        @Persisted var objectIds: MutableSet<ObjectId>
        @Persisted var friends: MutableSet<Pet>
        @Persisted var scores: Map<String, Double>
        @Persisted var notes: Map<String, String?>
        @Persisted var chosen: Map<String, Pet?>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Team: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var pets: List<Pet>
        @Persisted var byName: Map<String, Pet?>
        @Persisted var numbers: List<Int>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    static let all: [ObjectBase.Type] = [Pet.self, Owner.self]
}

/// One collection of an owner and what it should hold, for code that changes any of them.
protocol ModelledCollection {
    /// A random change in a write transaction.
    mutating func change(
        _ owner: ManagedModels.Owner, _ random: inout SeededGenerator, pets: [ManagedModels.Pet])
    func expectEqual(to owner: ManagedModels.Owner, _ comment: Comment)
    /// Some pets are about to be deleted.
    mutating func forget(_ ids: Set<Int>)
}

/// A list of values; objects are modelled by their ids.
struct ModelledList<Element: RealmCollectionValue, Plain: Equatable>: ModelledCollection {
    let list: KeyPath<ManagedModels.Owner, List<Element>>
    let make: (inout SeededGenerator, [ManagedModels.Pet]) -> Element?
    let plain: (Element) -> Plain
    var model: [Plain] = []

    mutating func change(
        _ owner: ManagedModels.Owner, _ random: inout SeededGenerator, pets: [ManagedModels.Pet]
    ) {
        let list = owner[keyPath: list]
        func position(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
        let count = model.count
        switch (Int.random(in: 0..<14, using: &random), count) {
        case (0, 1...):
            let index = position(count)
            list.remove(at: index)
            model.remove(at: index)
        case (1, 1...):
            guard let element = make(&random, pets) else { return }
            let index = position(count)
            list[index] = element
            model[index] = plain(element)
        case (2, 2...):
            let (from, to) = (position(count), position(count))
            list.move(from: from, to: to)
            model.insert(model.remove(at: from), at: to)
        case (3, 2...):
            let (first, second) = (position(count), position(count))
            list.swapAt(first, second)
            model.swapAt(first, second)
        case (4, 1...):
            let lower = position(count)
            let range = lower..<Int.random(in: lower...count, using: &random)
            let new = (0..<position(5)).compactMap { _ in make(&random, pets) }
            list.replaceSubrange(range, with: new)
            model.replaceSubrange(range, with: new.map(plain))
        case (5, 1...):
            list.removeLast()
            model.removeLast()
        case (6, 4...):
            list.removeFirst(2)
            model.removeFirst(2)
        case (7, 60...):
            list.removeAll()
            model.removeAll()
        case (8, _):
            guard let element = make(&random, pets) else { return }
            let index = position(count + 1)
            list.insert(element, at: index)
            model.insert(plain(element), at: index)
        default:
            let new = (0..<position(12)).compactMap { _ in make(&random, pets) }
            list.append(objectsIn: new)
            model += new.map(plain)
        }
        #expect(list.count == model.count)
    }

    func expectEqual(to owner: ManagedModels.Owner, _ comment: Comment) {
        let list = owner[keyPath: list]
        #expect(list.count == model.count, comment)
        #expect(list.map(plain) == model, comment)
        #expect(list.indices.map { plain(list[$0]) } == model, comment)
        if let last = list.last {
            #expect(list.index(of: last).map { plain(list[$0]) } == model.last, comment)
        }
    }

    mutating func forget(_ ids: Set<Int>) {
        if Element.self == ManagedModels.Pet.self {
            model.removeAll { ids.contains($0 as? Int ?? -1) }
        }
    }
}

struct ModelledSet<Element: RealmCollectionValue, Plain: Hashable>: ModelledCollection {
    let set: KeyPath<ManagedModels.Owner, MutableSet<Element>>
    let make: (inout SeededGenerator, [ManagedModels.Pet]) -> Element?
    let plain: (Element) -> Plain
    var model: Set<Plain> = []

    mutating func change(
        _ owner: ManagedModels.Owner, _ random: inout SeededGenerator, pets: [ManagedModels.Pet]
    ) {
        let set = owner[keyPath: set]
        guard let element = make(&random, pets) else { return }
        #expect(set.contains(element) == model.contains(plain(element)))
        switch Int.random(in: 0..<40, using: &random) {
        case 0:
            set.removeAll()
            model = []
        case 1..<14:
            set.remove(element)
            model.remove(plain(element))
        default:
            set.insert(element)
            model.insert(plain(element))
        }
    }

    func expectEqual(to owner: ManagedModels.Owner, _ comment: Comment) {
        let set = owner[keyPath: set]
        #expect(set.count == model.count, comment)
        #expect(Set(set.map(plain)) == model, comment)
        #expect(Set(set.indices.map { plain(set[$0]) }) == model, comment)
    }

    mutating func forget(_ ids: Set<Int>) {
        if Element.self == ManagedModels.Pet.self {
            model = model.filter { !ids.contains($0 as? Int ?? -1) }
        }
    }
}

struct ModelledMap<Value: RealmCollectionValue, Plain: Equatable>: ModelledCollection {
    let map: KeyPath<ManagedModels.Owner, Map<String, Value>>
    let make: (inout SeededGenerator, [ManagedModels.Pet]) -> Value
    let plain: (Value) -> Plain
    /// The plain value of nil, for maps of objects.
    let none: Plain?
    var model: [String: Plain] = [:]

    mutating func change(
        _ owner: ManagedModels.Owner, _ random: inout SeededGenerator, pets: [ManagedModels.Pet]
    ) {
        let map = owner[keyPath: map]
        let key =
            "k\(Int.random(in: 0..<30, using: &random))" + (Bool.random(using: &random) ? "é" : "")
        #expect(map[key].map(plain) == model[key])
        switch Int.random(in: 0..<30, using: &random) {
        case 0:
            map.removeAll()
            model = [:]
        case 1..<10:
            map.removeObject(for: key)
            model[key] = nil
        default:
            let value = make(&random, pets)
            map.updateValue(value, forKey: key)
            model[key] = plain(value)
        }
    }

    func expectEqual(to owner: ManagedModels.Owner, _ comment: Comment) {
        let map = owner[keyPath: map]
        #expect(map.count == model.count, comment)
        #expect(
            map.keys == model.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, comment)
        var found: [String: Plain] = [:]
        for entry in map { found[entry.key] = plain(entry.value) }
        #expect(found == model, comment)
    }

    mutating func forget(_ ids: Set<Int>) {
        guard let none else { return }
        for (key, value) in model where ids.contains((value as? Int?)?.flatMap { $0 } ?? -1) {
            model[key] = none
        }
    }
}

/// Every collection of an owner.
struct ModelledOwner {
    var collections: [any ModelledCollection] = [
        ModelledList(
            list: \.numbers, make: { random, _ in Int.random(in: -900...900, using: &random) },
            plain: { $0 }),
        ModelledList(
            list: \.small,
            make: { random, _ in [nil, 1, -7, Int8.max].randomElement(using: &random)! },
            plain: { $0 }),
        ModelledList(
            list: \.texts,
            make: { random, _ in
                [nil, "", "a", "bé", String(repeating: "x", count: 700)].randomElement(
                    using: &random)!
            }, plain: { $0 }),
        ModelledList(
            list: \.blobs,
            make: { random, _ in Data(repeating: 7, count: Int.random(in: 0..<90, using: &random))
            }, plain: { $0 }),
        ModelledList(
            list: \.dates,
            make: { random, _ in
                Date(timeIntervalSinceReferenceDate: Double.random(in: -9...9, using: &random))
            }, plain: { $0 }),
        ModelledList(
            list: \.doubles, make: { random, _ in Double.random(in: -9...9, using: &random) },
            plain: { $0 }),
        ModelledList(
            list: \.flags,
            make: { random, _ in [nil, true, false].randomElement(using: &random)! },
            plain: { $0 }),
        ModelledList(
            list: \.ids,
            make: { random, _ in
                UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self))
            }, plain: { $0 }),
        ModelledList(
            list: \.decimals,
            make: { random, _ in
                Decimal128(integerLiteral: Int64.random(in: -99...99, using: &random))
            }, plain: { $0 }),
        ModelledList(
            list: \.moods, make: { random, _ in Mood.allCases.randomElement(using: &random) },
            plain: { $0 }),
        ModelledList(
            list: \.moodsOrNone,
            make: { random, _ in
                .some(
                    Bool.random(using: &random) ? nil : Mood.allCases.randomElement(using: &random))
            }, plain: { $0 }),
        ModelledList(
            list: \.pets, make: { random, pets in pets.randomElement(using: &random) },
            plain: { $0.id }),
        ModelledSet(
            set: \.tags, make: { random, _ in "t\(Int.random(in: 0..<60, using: &random))" },
            plain: { $0 }),
        ModelledSet(
            set: \.primes,
            make: { random, _ in
                .some(
                    [nil, 2, 3, Int.random(in: 0..<90, using: &random)].randomElement(
                        using: &random)!)
            }, plain: { $0 }),
        ModelledSet(
            set: \.objectIds,
            make: { random, _ in
                try? ObjectId(
                    string: "0000000000000000000000\(Int.random(in: 10..<60, using: &random))")
            }, plain: { $0.stringValue }),
        ModelledSet(
            set: \.friends, make: { random, pets in pets.randomElement(using: &random) },
            plain: { $0.id }),
        ModelledMap(
            map: \.scores, make: { random, _ in Double.random(in: 0...1, using: &random) },
            plain: { $0 }, none: nil),
        ModelledMap(
            map: \.notes, make: { random, _ in [nil, "n", ""].randomElement(using: &random)! },
            plain: { $0 }, none: nil),
        ModelledMap(
            map: \.chosen,
            make: { random, pets in
                Bool.random(using: &random) ? nil : pets.randomElement(using: &random)
            }, plain: { $0?.id }, none: .some(nil)),
    ]

    mutating func change(
        _ owner: ManagedModels.Owner, _ random: inout SeededGenerator, pets: [ManagedModels.Pet]
    ) {
        collections[Int.random(in: 0..<collections.count, using: &random)].change(
            owner, &random, pets: pets)
    }

    func expectEqual(to owner: ManagedModels.Owner, _ comment: Comment) {
        for collection in collections { collection.expectEqual(to: owner, comment) }
    }

    mutating func forget(_ ids: Set<Int>) {
        for index in collections.indices { collections[index].forget(ids) }
    }
}
