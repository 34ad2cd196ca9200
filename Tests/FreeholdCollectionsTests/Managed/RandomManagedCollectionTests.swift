import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random changes of every kind of collection against plain Swift ones: unmanaged, while being
/// added, in transactions, after them, after a cancelled one, frozen, and after the file was
/// opened again.
@Suite struct RandomManagedCollectionTests {
    typealias Owner = ManagedModels.Owner
    typealias Pet = ManagedModels.Pet

    @Test(arguments: [nil, 1, 2] as [UInt64?])
    func transactions(seed own: UInt64?) throws {
        var random = Seed.random(own)
        let seed = random.seed
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ManagedModels.all)
        var models: [String: ModelledOwner] = [:]
        var frozen: [(owner: Owner, model: ModelledOwner)] = []
        for round in 0..<4 {
            try withExtendedLifetime(try Realm(configuration: configuration)) { realm in
                for step in 0..<10 {
                    let before = models
                    realm.beginWrite()
                    for _ in 0..<Int.random(in: 1...25, using: &random) {
                        change(realm, &models, &random)
                    }
                    let comment = Comment("FREEHOLD_SEED=\(seed), round \(round), step \(step)")
                    for (name, model) in models {
                        model.expectEqual(to: try #require(owner(name, realm)), comment)
                    }
                    if Int.random(in: 0..<5, using: &random) == 0 {
                        realm.cancelWrite()
                        models = before
                    } else {
                        try realm.commitWrite()
                    }
                    for (name, model) in models {
                        model.expectEqual(to: try #require(owner(name, realm)), comment)
                    }
                    #expect(try realm.check() == [], comment)
                    if step == 5, let (name, model) = models.randomElement(using: &random) {
                        frozen.append((try #require(owner(name, realm)).freeze(), model))
                    }
                }
            }
        }
        for (owner, model) in frozen {
            model.expectEqual(to: owner, "frozen, FREEHOLD_SEED=\(seed)")
            nonisolated(unsafe) let shared = owner
            #expect(
                try onNewThread { Self.text(of: shared) } == Self.text(of: owner),
                "frozen, on another thread, FREEHOLD_SEED=\(seed)")
        }
    }

    private static func text(of owner: Owner) -> String {
        """
        \(Array(owner.numbers)) \(Array(owner.texts)) \(Array(owner.pets.map(\.id))) \
        \(Array(owner.moods.map(\.rawValue))) \(Array(owner.tags)) \
        \(Array(owner.friends.map(\.id))) \
        \(owner.scores.map { "\($0.key): \($0.value)" }) \
        \(owner.chosen.map { "\($0.key): \($0.value?.id ?? -1)" })
        """
    }

    private func owner(_ name: String, _ realm: Realm) -> Owner? {
        realm.objects(Owner.self).where { $0.name == name }.first
    }

    private func change(
        _ realm: Realm, _ models: inout [String: ModelledOwner], _ random: inout SeededGenerator
    ) {
        let pets = Array(realm.objects(Pet.self))
        let name = models.keys.sorted().randomElement(using: &random)
        switch Int.random(in: 0..<30, using: &random) {
        case 0...2: realm.add(Pet(value: ["id": (pets.map(\.id).max() ?? 0) + 1]))
        case 3 where pets.count > 4:
            let doomed = pets.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
            let ids = Set(doomed.map(\.id))
            realm.delete(doomed)
            for name in models.keys { models[name]?.forget(ids) }
        case 4 where models.count > 2:
            guard let name, let owner = owner(name, realm) else { return }
            realm.delete(owner)
            models[name] = nil
        case 5...6 where models.count < 6:
            // Filled before it is added, partly with objects that are added with it.
            let owner = Owner()
            owner.name = "owner \(random.next())"
            var model = ModelledOwner()
            let unmanaged = (0..<3).map { Pet(value: ["id": (pets.map(\.id).max() ?? 0) + 1 + $0]) }
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                model.change(owner, &random, pets: pets + unmanaged)
            }
            let list = owner.numbers
            realm.add(owner)
            #expect(list.realm == realm && list == owner.numbers)
            models[owner.name] = model
        default:
            guard let name, let owner = owner(name, realm) else { return }
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                models[name]?.change(owner, &random, pets: pets)
            }
        }
    }
}
