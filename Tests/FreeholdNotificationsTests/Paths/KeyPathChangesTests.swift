import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Key paths for loops over changes, and for observers on actors: of each kind, told of what is
/// named and of nothing else.
@Suite struct KeyPathChangesTests {
    typealias Item = ObservedModels.Item

    final class Named: Projection<Item> {
        @Projected(\Item.name) var title
        @Projected(\Item.rank) var rank
        @Projected(\Item.children.projectTo.name) var childNames: ProjectedCollection<String>
    }

    /// One way to follow item 2 by its name, through item 1 or directly. Each change of the
    /// name calls the block once.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Runs until the task is cancelled.
        let follow: @MainActor @Sendable (Item, Item, @escaping () -> Void) async throws -> Void

        init(
            _ testDescription: String,
            _ follow:
                @escaping @MainActor @Sendable (Item, Item, @escaping () -> Void) async throws ->
                Void
        ) {
            self.testDescription = testDescription
            self.follow = follow
        }
    }

    @MainActor private static func loop<Changes: AsyncSequence>(
        _ changes: Changes, _ told: () -> Void
    ) async throws {
        for try await _ in changes { told() }
    }

    /// Keeps what observes until the task is cancelled. What the observer is told comes through
    /// `calls`.
    ///
    /// - Parameter hasNoFirstCall: `told` is called in its place, once the observer is there.
    @MainActor private static func keep(
        _ make: (@escaping @Sendable () -> Void) async -> NotificationToken,
        hasNoFirstCall: Bool = false,
        _ told: () -> Void
    ) async {
        let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
        let token = await make { continuation.yield() }
        if hasNoFirstCall { told() }
        for await _ in calls { told() }
        token.invalidate()
    }

    static let loops: [Way] = [
        Way("results") { item, _, told in
            try await loop(item.realm!.objects(Item.self).changes(keyPaths: [\.name]), told)
        },
        Way("a list") { item, _, told in
            try await loop(item.children.changes(keyPaths: [\.name]), told)
        },
        Way("a set") { item, _, told in
            try await loop(item.friends.changes(keyPaths: [\.name]), told)
        },
        Way("linking objects") { _, other, told in
            try await loop(other.parents.changes(keyPaths: [\.children[0].name]), told)
        },
        Way("any collection") { item, _, told in
            try await loop(AnyRealmCollection(item.children).changes(keyPaths: [\.name]), told)
        },
        Way("a map") { item, _, told in
            try await loop(item.related.changes(keyPaths: ["name"]), told)
        },
        Way("a map, by Swift's key paths") { item, _, told in
            try await loop(item.related.changes(keyPaths: [\.name]), told)
        },
        Way("an object") { _, other, told in
            told()
            try await loop(other.changes(keyPaths: [\.name]), told)
        },
        Way("a projection") { _, other, told in
            told()
            try await loop(Named(projecting: other).changes(keyPaths: [\.title]), told)
        },
        Way("a projected collection") { item, _, told in
            try await loop(Named(projecting: item).childNames.changes, told)
        },
        Way("sections") { item, _, told in
            try await loop(
                item.realm!.objects(Item.self).sectioned(by: \.id).changes(keyPaths: [\.name]), told
            )
        },
        Way("a section") { item, _, told in
            try await loop(
                item.realm!.objects(Item.self).sectioned(by: \.id)[1].changes(keyPaths: [\.name]),
                told)
        },
    ]

    static let observers: [Way] = [
        Way("results") { item, _, told in
            let items = item.realm!.objects(Item.self)
            await keep(
                { call in
                    await items.observe(keyPaths: [\.name], on: MainActor.shared) { _, _ in call() }
                }, told)
        },
        Way("a list") { item, _, told in
            let children = item.children
            await keep(
                { call in
                    await children.observe(keyPaths: [\.name], on: MainActor.shared) { _, _ in
                        call()
                    }
                }, told)
        },
        Way("a set") { item, _, told in
            let friends = item.friends
            await keep(
                { call in
                    await friends.observe(keyPaths: [\.name], on: MainActor.shared) { _, _ in call()
                    }
                }, told)
        },
        Way("a map") { item, _, told in
            let related = item.related
            await keep(
                { call in
                    await related.observe(keyPaths: [\.name], on: MainActor.shared) { _, _ in call()
                    }
                }, told)
        },
        Way("an object") { _, other, told in
            await keep(
                { call in
                    await other.observe(keyPaths: [\.name], on: MainActor.shared) { _, _ in call() }
                },
                hasNoFirstCall: true, told)
        },
        Way("a projection") { _, other, told in
            let named = Named(projecting: other)
            await keep(
                { call in
                    await named.observe(keyPaths: [\.title], on: MainActor.shared) { _, _ in call()
                    }
                },
                hasNoFirstCall: true, told)
        },
        Way("sections") { item, _, told in
            let sections = item.realm!.objects(Item.self).sectioned(by: \.id)
            await keep(
                { call in
                    await sections.observe(keyPaths: [\.name], on: MainActor.shared) { _, _ in
                        call()
                    }
                }, told)
        },
        Way("a section") { item, _, told in
            let section = item.realm!.objects(Item.self).sectioned(by: \.id)[1]
            await keep(
                { call in
                    await section.observe(keyPaths: [\.name], on: MainActor.shared) { _, _ in call()
                    }
                }, told)
        },
    ]

    @MainActor @Test(arguments: loops) func loopsAreToldOfWhatTheyName(way: Way) async throws {
        try await tellsOfNames(way)
    }

    @MainActor @Test(arguments: observers) func observersOnActorsAreToldOfWhatTheyName(way: Way)
        async throws
    { try await tellsOfNames(way) }

    /// The first call shows the state then; each further one shows a new name. A rank is told
    /// of with the next name only.
    @MainActor private func tellsOfNames(_ way: Way) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let realm = try await Realm(configuration: configuration)
        try realm.write {
            let (item, other) = (Item(id: 1, name: "a"), Item(id: 2, name: "b"))
            realm.add([item, other])
            item.children.append(other)
            item.friends.insert(other)
            item.related["x"] = other
        }
        let item = try #require(realm.object(ofType: Item.self, forPrimaryKey: 1))
        let other = try #require(realm.object(ofType: Item.self, forPrimaryKey: 2))
        let (states, continuation) = AsyncStream.makeStream(of: String.self)
        let task = Task { @MainActor in
            try await way.follow(item, other) { continuation.yield("\(other.name) \(other.rank)") }
        }
        var iterator = states.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation) == "b 0")
        // The loop of an object, which has no first call, waits in `next` by then.
        await Task.yield()
        func write(_ change: @escaping @Sendable (Item) -> Void) async throws {
            try await Task.detached {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.object(ofType: Item.self, forPrimaryKey: 2).map(change) }
            }.value
            realm.refresh()
            await Task.yield()
        }
        try await write { $0.name = "c" }
        #expect(await iterator.next(isolation: #isolation) == "c 0")
        try await write { $0.rank = 5 }
        try await write { $0.name = "d" }
        #expect(await iterator.next(isolation: #isolation) == "d 5")
        task.cancel()
        _ = await task.result
        continuation.finish()
        #expect(await iterator.next(isolation: #isolation) == nil)
        #expect(try realm.check().isEmpty)
        directory.delete()
    }
}
