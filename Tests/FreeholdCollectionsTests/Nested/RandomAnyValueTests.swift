import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Any values under random changes, in place and by assignment, against plain Swift.
@Suite struct RandomAnyValueTests {
    typealias Thing = AnyValueModels.Thing
    typealias Holder = AnyValueModels.Holder

    private struct Model: Equatable {
        var value = ModelValue.none
        var list: [ModelValue] = []
        var map: [String: ModelValue] = [:]

        func without(_ name: String) -> Model {
            Model(
                value: value.without(name), list: list.map { $0.without(name) },
                map: map.mapValues { $0.without(name) })
        }

        init() {}

        private init(value: ModelValue, list: [ModelValue], map: [String: ModelValue]) {
            self.value = value
            self.list = list
            self.map = map
        }

        init(_ holder: Holder) {
            value = ModelValue(holder.value)
            list = holder.list.map(ModelValue.init)
            map = Dictionary(
                uniqueKeysWithValues: holder.map.map { ($0.key, ModelValue($0.value)) })
        }
    }

    @Test(arguments: [nil, 1, 2] as [UInt64?])
    func changes(seed own: UInt64?) throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: AnyValueModels.all)
        var random = Seed.random(own)
        var models = (0..<4).map { _ in Model() }
        var names = ["p", "q"]
        for _ in 0..<6 {
            // Opened again each time, on a thread of its own.
            (random, models, names) = try onNewThread { [random, models, names] in
                try Self.session(configuration, random, models, names)
            }
        }
        try expectSound(configuration)
    }

    private static func session(
        _ configuration: Realm.Configuration, _ generator: SeededGenerator, _ before: [Model],
        _ existing: [String]
    ) throws -> (SeededGenerator, [Model], [String]) {
        var (random, models, names) = (generator, before, existing)
        let realm = try Realm(configuration: configuration)
        if realm.isEmpty {
            try realm.write {
                for id in models.indices { realm.create(Holder.self, value: ["id": id]) }
                for name in names { realm.add(Thing(name)) }
            }
        }
        let holders = realm.objects(Holder.self).sorted(by: \.id)
        random.expect(holders.map(Model.init) == models, "after reopening")
        for step in 0..<12 {
            let before = (models, names, Array(holders).map { $0.freeze() })
            realm.beginWrite()
            for _ in 0..<random.int(1...8) {
                let index = random.int(0...models.count - 1)
                change(holders[index], &models[index], realm, &random, names)
                random.expect(
                    Model(holders[index]) == models[index], "step \(step), in the transaction")
            }
            if random.once(in: 5) {
                let name = "t\(step)-\(random.int(0...999_999))"
                realm.add(Thing(name))
                names.append(name)
            }
            if names.count > 1, random.once(in: 5) {
                let name = names.remove(at: random.int(0...names.count - 1))
                realm.delete(realm.objects(Thing.self).where { $0.name == name })
                models = models.map { $0.without(name) }
            }
            if random.once(in: 4) {
                realm.cancelWrite()
                (models, names) = (before.0, before.1)
            } else {
                try realm.commitWrite()
            }
            random.expect(holders.map(Model.init) == models, "step \(step)")
            random.expect(before.2.map(Model.init) == before.0, "step \(step), the version before")
        }
        return (random, models, names)
    }

    private static func change(
        _ holder: Holder, _ model: inout Model, _ realm: Realm, _ random: inout SeededGenerator,
        _ names: [String]
    ) {
        let things = Dictionary(
            uniqueKeysWithValues: realm.objects(Thing.self).map { ($0.name, $0) })
        let new = ModelValue.random(&random, depth: 3, things: names)
        var inPlace = ModelChange(random: random, things: things)
        defer { random = inPlace.random }
        switch inPlace.random.int(0...9) {
        case 0:
            holder.value = new.value(things)
            model.value = new
        case 1:
            holder.list.append(new.value(things))
            model.list.append(new)
        case 2:
            let index = inPlace.random.int(0...model.list.count)
            holder.list.insert(new.value(things), at: index)
            model.list.insert(new, at: index)
        case 3 where !model.list.isEmpty:
            let index = inPlace.random.int(0...model.list.count - 1)
            holder.list.remove(at: index)
            model.list.remove(at: index)
        case 4:
            let key = ModelValue.key(&inPlace.random)
            holder.map[key] = new.value(things)
            model.map[key] = new
        case 5, 6:
            if let index = model.list.indices.randomElement(using: &inPlace.random),
                let changed = inPlace.apply(to: holder.list[index], model.list[index])
            {
                model.list[index] = changed
            }
        case 7:
            if let key = model.map.keys.sorted().randomElement(using: &inPlace.random),
                let held = holder.map[key],
                let changed = inPlace.apply(to: held, model.map[key]!)
            {
                model.map[key] = changed
            }
        default:
            if let changed = inPlace.apply(to: holder.value, model.value) { model.value = changed }
        }
    }
}
