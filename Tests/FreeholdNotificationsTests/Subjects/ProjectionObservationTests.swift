import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

private final class ItemProjection: Projection<ObservedModels.Item> {
    @Projected(\ObservedModels.Item.name) var title
    @Projected(\ObservedModels.Item.score) var points
    @Projected(\ObservedModels.Item.next?.name) var nextTitle
    @Projected(\ObservedModels.Item.next) var follower
    @Projected(\ObservedModels.Item.children.projectTo.name) var childNames:
        ProjectedCollection<String>
    @Projected(\ObservedModels.Item.previous) var leaders
    @Projected(\ObservedModels.Item.name.count) var length
    var loudName: String { "\(title)\(title)" }
}

private final class PartProjection: Projection<ObservedModels.Part> {
    @Projected(\ObservedModels.Part.size) var extent
}

/// What observers of projections, of their collections and of collections of them are told.
@Suite struct ProjectionObservationTests {
    typealias Item = ObservedModels.Item

    private func item(_ realm: Realm, _ id: Int) throws -> Item {
        try #require(realm.object(ofType: Item.self, forPrimaryKey: id))
    }

    private func fill(_ realm: Realm, _ ids: some Sequence<Int>) throws {
        try realm.write { for id in ids { realm.add(Item(id: id, name: "n\(id)")) } }
    }

    @Test func projectedNamesAndValues() throws {
        try withObservatory { place in
            try fill(place.writer, 1...3)
            place.realm.refresh()
            let log = ChangeLog()
            let projection = ItemProjection(projecting: try item(place.realm, 1))
            let token = projection.observe { log.add($0) }
            place.deliver()
            #expect(log.take() == [])
            try place.writer.write {
                try item(place.writer, 1).name = "Ada"
                try item(place.writer, 1).score = 2
                try item(place.writer, 1).rank = 9
            }
            place.deliver()
            #expect(log.take() == ["title: n1 -> Ada, points: nil -> 2.0, length: 2 -> 3"])
            try place.writer.write { try item(place.writer, 1).rank = 10 }
            place.deliver()
            #expect(log.take() == [], "It is not projected.")
            // A property behind a link, by the link and by itself.
            try place.writer.write { try item(place.writer, 1).next = try item(place.writer, 2) }
            place.deliver()
            #expect(log.take() == ["nextTitle: nil -> n2, follower: nil -> Item 2"])
            try place.writer.write { try item(place.writer, 2).name = "Bo" }
            place.deliver()
            #expect(log.take() == ["nextTitle: n2 -> Bo"])
            try place.writer.write { try item(place.writer, 2).score = 1 }
            place.deliver()
            #expect(log.take() == [])
            // Own changes, too.
            try place.realm.write { projection.title = "Cy" }
            place.deliver()
            #expect(log.take() == ["title: nil -> Cy, length: nil -> 2"])
            try place.writer.write { place.writer.delete(try item(place.writer, 1)) }
            place.deliver()
            #expect(log.take() == ["deleted"] && !token.invalidate())
        }
    }

    @Test func collectionsOfProjections() throws {
        try withObservatory { place in
            try fill(place.writer, 1...4)
            try place.writer.write {
                try item(place.writer, 1).children.append(objectsIn: [
                    try item(place.writer, 2), try item(place.writer, 3),
                ])
            }
            place.realm.refresh()
            let log = ChangeLog()
            let token = ItemProjection(projecting: try item(place.realm, 1)).observe { log.add($0) }
            place.deliver()
            try place.writer.write { try item(place.writer, 2).name = "Bo" }
            place.deliver()
            #expect(
                log.take() == ["childNames: nil -> 2 values"], "What a collection had is not told.")
            try place.writer.write { try item(place.writer, 2).rank = 1 }
            place.deliver()
            #expect(log.take() == [])
            try place.writer.write { try item(place.writer, 1).children.removeLast() }
            place.deliver()
            #expect(log.take() == ["childNames: nil -> 1 values"])
            try place.writer.write { try item(place.writer, 4).next = try item(place.writer, 1) }
            place.deliver()
            #expect(log.take() == ["leaders: nil -> 1 values"])
            withExtendedLifetime(token) {}
        }
    }

    @Test func keyPaths() throws {
        try withObservatory { place in
            try fill(place.writer, 1...3)
            try place.writer.write {
                try item(place.writer, 1).next = try item(place.writer, 2)
                try item(place.writer, 1).children.append(try item(place.writer, 3))
            }
            place.realm.refresh()
            let projection = ItemProjection(projecting: try item(place.realm, 1))
            let logs = (0..<7).map { _ in ChangeLog() }
            let tokens = [
                projection.observe(keyPaths: ["points", "nextTitle"]) { logs[0].add($0) },
                projection.observe(keyPaths: [\.nextTitle]) { logs[1].add($0) },
                projection.observe(keyPaths: [\.childNames]) { logs[2].add($0) },
                projection.observe(keyPaths: ["follower.rank"]) { logs[3].add($0) },
                projection.observe(keyPaths: [\.follower?.rank]) { logs[4].add($0) },
                // As Realm wants it.
                projection.observe(keyPaths: ["next.name"]) { logs[5].add($0) },
                projection.observe(keyPaths: [String]()) { logs[6].add($0) },
            ]
            func take() -> [[String]] { logs.map { $0.take() } }
            place.deliver()
            try place.writer.write { try item(place.writer, 1).name = "Ada" }
            place.deliver()
            #expect(take() == [[], [], [], [], [], [], []])
            try place.writer.write { try item(place.writer, 1).score = 4 }
            place.deliver()
            #expect(take() == [["points: nil -> 4.0"], [], [], [], [], [], []])
            try place.writer.write { try item(place.writer, 2).name = "Bo" }
            place.deliver()
            let next = ["nextTitle: n2 -> Bo"]
            #expect(take() == [next, next, [], [], [], next, []])
            try place.writer.write { try item(place.writer, 2).rank = 3 }
            place.deliver()
            let follower = ["follower: Item 2 -> Item 2"]
            #expect(take() == [[], [], [], follower, follower, [], []])
            try place.writer.write { try item(place.writer, 3).name = "Cy" }
            place.deliver()
            #expect(take() == [[], [], ["childNames: nil -> 1 values"], [], [], [], []])
            try place.writer.write { place.writer.delete(try item(place.writer, 1)) }
            place.deliver()
            #expect(take() == Array(repeating: ["deleted"], count: 7))
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func ofEmbeddedObjects() throws {
        try withObservatory { place in
            try fill(place.writer, 1...1)
            try place.writer.write { try item(place.writer, 1).part = ObservedModels.Part() }
            place.realm.refresh()
            let log = ChangeLog()
            let token = PartProjection(projecting: try #require(try item(place.realm, 1).part))
                .observe { log.add($0) }
            place.deliver()
            try place.writer.write { try item(place.writer, 1).part?.size = 4 }
            place.deliver()
            #expect(log.take() == ["extent: 0 -> 4"])
            try place.writer.write { try item(place.writer, 1).part = nil }
            place.deliver()
            #expect(log.take() == ["deleted"])
            withExtendedLifetime(token) {}
        }
    }

    @Test func projectedCollections() throws {
        try withObservatory { place in
            try fill(place.writer, 1...5)
            try place.writer.write {
                try item(place.writer, 1).children.append(objectsIn: [
                    try item(place.writer, 2), try item(place.writer, 3),
                ])
            }
            place.realm.refresh()
            let names = ItemProjection(projecting: try item(place.realm, 1)).childNames
            let (log, ranks, none) = (ChangeLog(), ChangeLog(), ChangeLog())
            var last: [String] = []
            let tokens = [
                names.observe { change in
                    log.add(change)
                    if case .update(let names, _, _, _) = change, !names.isInvalidated {
                        last = Array(names)
                    }
                },
                names.observe(keyPaths: ["rank"]) { ranks.add($0) },
                names.observe(keyPaths: []) { none.add($0) },
            ]
            place.deliver()
            #expect(
                log.take() == ["initial 2"] && ranks.take() == ["initial 2"]
                    && none.take() == ["initial 2"])
            try place.writer.write { try item(place.writer, 3).name = "Cy" }
            place.deliver()
            #expect(
                log.take() == ["-[] +[] *[1]"] && ranks.take() == [] && none.take() == []
                    && last == ["n2", "Cy"])
            try place.writer.write { try item(place.writer, 2).rank = 5 }
            place.deliver()
            #expect(log.take() == [] && ranks.take() == ["-[] +[] *[0]"] && none.take() == [])
            try place.writer.write {
                try item(place.writer, 1).children.remove(at: 0)
                try item(place.writer, 1).children.append(try item(place.writer, 5))
            }
            place.deliver()
            let changes = log.take()
            #expect(
                changes == ["-[0] +[1] *[]"] && ranks.take() == changes && none.take() == changes
                    && last == ["Cy", "n5"])
            try place.writer.write { place.writer.delete(try item(place.writer, 1)) }
            place.deliver()
            #expect(log.take() == ["-[0, 1] +[] *[]"])
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func resultsOfProjections() throws {
        try withObservatory { place in
            try fill(place.writer, 1...3)
            try place.writer.write {
                try item(place.writer, 1).next = try item(place.writer, 2)
                try item(place.writer, 2).children.append(try item(place.writer, 3))
            }
            place.realm.refresh()
            let all = place.realm.objects(ItemProjection.self)
            let logs = (0..<4).map { _ in ChangeLog() }
            let tokens = [
                all.observe(keyPaths: [\.title]) { logs[0].add($0) },
                all.observe(keyPaths: [\.nextTitle]) { logs[1].add($0) },
                all.observe(keyPaths: [\.childNames, \.points]) { logs[2].add($0) },
                all.observe(keyPaths: ["rank"]) { logs[3].add($0) },
            ]
            func take() -> [[String]] { logs.map { $0.take() } }
            place.deliver()
            _ = take()
            try place.writer.write { try item(place.writer, 2).name = "Bo" }
            place.deliver()
            #expect(take() == [["-[] +[] *[1]"], ["-[] +[] *[0]"], [], []])
            try place.writer.write { try item(place.writer, 3).name = "Cy" }
            place.deliver()
            #expect(take() == [["-[] +[] *[2]"], [], ["-[] +[] *[1]"], []])
            try place.writer.write { try item(place.writer, 3).rank = 3 }
            place.deliver()
            #expect(take() == [[], [], [], ["-[] +[] *[2]"]])
            try fill(place.writer, 4...4)
            place.deliver()
            #expect(take() == Array(repeating: ["-[] +[3] *[]"], count: 4))
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func sectionsOfProjections() throws {
        try withObservatory { place in
            try fill(place.writer, 1...2)
            place.realm.refresh()
            let log = SectionLog()
            let token = place.realm.objects(ItemProjection.self).sectioned(by: \.length)
                .observe(keyPaths: [\.title]) { log.add($0) }
            place.deliver()
            try place.writer.write { try item(place.writer, 2).rank = 4 }
            place.deliver()
            #expect(log.take() == ["initial 1"])
            try place.writer.write { try item(place.writer, 2).name = "o2" }
            place.deliver()
            #expect(log.take() == ["*[0.1]"])
            // It comes in front of the other one.
            try place.writer.write { try item(place.writer, 2).name = "Bo" }
            place.deliver()
            #expect(log.take() == ["-[0.1] +[0.0]"])
            withExtendedLifetime(token) {}
        }
    }

    @Test func onQueues() throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let realm = try Realm(configuration: configuration)
        try realm.write {
            realm.create(Item.self, value: ["id": 1, "name": "n1"] as [String: Any]).children
                .append(Item(id: 2, name: "n2"))
        }
        let projection = ItemProjection(projecting: try item(realm, 1))
        let queue = DispatchQueue(label: "observer")
        let (titles, names) = (Channel<String>(), Channel<String>())
        let tokens = [
            projection.observe(keyPaths: [\.title], on: queue) { change in
                dispatchPrecondition(condition: .onQueue(queue))
                if case .change(let projection, _) = change { titles.send(projection.title) }
            },
            projection.childNames.observe(on: queue) { change in
                switch change {
                case .initial(let values), .update(let values, _, _, _):
                    names.send(values.joined(separator: ","))
                case .error(let error): names.send("\(error)")
                }
            },
        ]
        #expect(names.next() == "n2")
        try realm.write {
            projection.title = "Ada"
            projection.childNames[0] = "Bo"
        }
        #expect(titles.next() == "Ada" && names.next() == "Bo")
        for token in tokens { token.invalidate() }
        queue.sync {}
        #expect(try realm.check().isEmpty)
        directory.delete()
    }

    @Test func onActors() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let observing = ObservingActor()
        try await observeAndChange(configuration, observing)
        directory.delete()
    }

    @MainActor private func observeAndChange(
        _ configuration: Realm.Configuration, _ observing: ObservingActor
    ) async throws {
        let realm = try await Realm(configuration: configuration)
        try realm.write {
            realm.create(Item.self, value: ["id": 1, "name": "n1"] as [String: Any]).children
                .append(Item(id: 2, name: "n2"))
        }
        let projection = ItemProjection(projecting: try item(realm, 1))
        let token = await projection.observe(keyPaths: ["title"], on: observing) { actor, change in
            if case .change(let projection, _) = change { actor.add(projection.title) }
        }
        try realm.write { projection.title = "Ada" }
        #expect(await observing.next() == "Ada")
        #expect(token.invalidate())
        let values = await projection.childNames.observe(on: observing) { actor, change in
            switch change {
            case .initial(let values), .update(let values, _, _, _):
                actor.add(values.joined(separator: ","))
            case .error(let error): actor.add("\(error)")
            }
        }
        #expect(await observing.next() == "n2")
        try realm.write { projection.childNames[0] = "Bo" }
        #expect(await observing.next() == "Bo")
        values.invalidate()
        #expect(try realm.check().isEmpty)
    }

    @MainActor @Test func asSequences() async throws {
        let directory = try TemporaryDirectory()
        let realm = try await Realm(
            configuration: Realm.Configuration(
                fileURL: directory.file(), objectTypes: ObservedModels.all))
        try realm.write {
            realm.create(Item.self, value: ["id": 1, "name": "n1"] as [String: Any]).children
                .append(Item(id: 2, name: "n2"))
        }
        let projection = ItemProjection(projecting: try item(realm, 1))
        var names = projection.childNames.changes.makeAsyncIterator()
        guard case .initial(let values) = await names.next(isolation: #isolation) else {
            return #expect(Bool(false))
        }
        #expect(Array(values) == ["n2"])
        try realm.write { projection.childNames[0] = "Bo" }
        guard case .update(let changed, [], [], [0]) = await names.next(isolation: #isolation)
        else { return #expect(Bool(false)) }
        #expect(Array(changed) == ["Bo"])
        var all = realm.objects(ItemProjection.self).changes(keyPaths: [\.title])
            .makeAsyncIterator()
        guard case .initial = await all.next(isolation: #isolation) else {
            return #expect(Bool(false))
        }
        try realm.write { projection.title = "Ada" }
        guard case .update(let items, [], [], [0]) = await all.next(isolation: #isolation) else {
            return #expect(Bool(false))
        }
        #expect(items[0].title == "Ada")
        let told = ObservingActor()
        let task = Task { @MainActor in
            for await change in projection.changes(keyPaths: [\.title]) {
                if case .deleted = change { await told.add("deleted") }
            }
            await told.add("over")
        }
        // It has begun to observe when its first turn is over.
        await Task.yield()
        try realm.write { realm.delete(projection.rootObject) }
        let (first, last) = (await told.next(), await told.next())
        #expect(first == "deleted" && last == "over")
        await task.value
        #expect(try realm.check().isEmpty)
        directory.delete()
    }
}

@Suite struct ProjectionObservationTrapTests {
    @Test func unmanagedProjections() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = ItemProjection(projecting: ObservedModels.Item()).observe { _ in }
        }
        expectMessage(
            result, "Only objects which are managed by a Realm support change notifications")
    }

    @Test func unmanagedProjectedCollections() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = ItemProjection(projecting: ObservedModels.Item()).childNames.observe { _ in }
        }
        expectMessage(result, "Change notifications are only supported on managed collections.")
    }

    @Test func frozenProjections() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let realm = try Observatory().realm
            let item = try realm.write { realm.create(ObservedModels.Item.self, value: ["id": 1]) }
            _ = ItemProjection(projecting: item).freeze().observe { _ in }
        }
        expectMessage(
            result, "Frozen Realms do not change and do not have change notifications.", "thaw()")
    }

    @Test func namesThatAreNotProjected() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let realm = try Observatory().realm
            let item = try realm.write { realm.create(ObservedModels.Item.self, value: ["id": 1]) }
            _ = ItemProjection(projecting: item).observe(keyPaths: ["rank"]) { _ in }
        }
        expectMessage(
            result,
            "Invalid property name: property 'rank' not found in object of type 'ItemProjection'",
            "@Projected")
    }

    @Test func computedKeyPaths() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let realm = try Observatory().realm
            let item = try realm.write { realm.create(ObservedModels.Item.self, value: ["id": 1]) }
            _ = ItemProjection(projecting: item).observe(keyPaths: [\.loudName]) { _ in }
        }
        expectMessage(result, "does not lead to a persisted property", "can be observed")
    }

    @Test func wrongThreads() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let realm = try Observatory().realm
            let item = try realm.write { realm.create(ObservedModels.Item.self, value: ["id": 1]) }
            let smuggled = Smuggled(value: ItemProjection(projecting: item))
            try onNewThread { _ = smuggled.value.observe { _ in } }
        }
        expectMessage(result, "Realm accessed from incorrect thread.")
    }
}
