import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// `for await` over changes.
@Suite struct AsyncChangesTests {
    typealias Item = ObservedModels.Item

    @MainActor private func withMainRealm(
        _ body: @MainActor (Realm, Realm.Configuration) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let realm = try await Realm(configuration: configuration)
        try await body(realm, configuration)
        realm.refresh()
        #expect(try realm.check().isEmpty)
        directory.delete()
    }

    private nonisolated func write(
        _ configuration: Realm.Configuration, _ body: @escaping @Sendable (Realm) -> Void
    ) async throws {
        try await Task.detached { try Self.writeHere(configuration, body) }.value
    }

    private static func writeHere(_ configuration: Realm.Configuration, _ body: (Realm) -> Void)
        throws
    {
        let realm = try Realm(configuration: configuration)
        try realm.write { body(realm) }
    }

    @MainActor @Test func collections() async throws {
        try await withMainRealm { realm, configuration in
            var iterator = realm.objects(Item.self).changes.makeAsyncIterator()
            guard case .initial(let items) = await iterator.next(isolation: #isolation) else {
                return #expect(Bool(false))
            }
            #expect(items.count == 0)
            try await write(configuration) { $0.add(Item(id: 1)) }
            guard case .update(let first, [], [0], []) = await iterator.next(isolation: #isolation)
            else { return #expect(Bool(false)) }
            #expect(first.map(\.id) == [1])
            // While the loop is busy, everything becomes one change.
            for id in 2...5 { try await write(configuration) { $0.add(Item(id: id)) } }
            try await write(configuration) { $0.delete($0.objects(Item.self).where { $0.id == 1 }) }
            guard
                case .update(let rest, let deletions, let insertions, []) = await iterator.next(
                    isolation: #isolation)
            else { return #expect(Bool(false)) }
            #expect(
                deletions == [0] && insertions == [0, 1, 2, 3] && rest.map(\.id) == [2, 3, 4, 5])
        }
    }

    @MainActor @Test func loopsEndWithTheirTask() async throws {
        try await withMainRealm { realm, configuration in
            let told = ObservingActor()
            let task = Task { @MainActor in
                for await change in realm.objects(Item.self).changes {
                    if case .update(let items, _, _, _) = change {
                        let count = items.count
                        await told.add("\(count)")
                    } else {
                        await told.add("initial")
                    }
                }
                await told.add("over")
            }
            #expect(await told.next() == "initial")
            try await write(configuration) { $0.add(Item(id: 1)) }
            #expect(await told.next() == "1")
            task.cancel()
            #expect(await told.next() == "over")
        }
    }

    @MainActor @Test func objectsUntilTheyAreDeleted() async throws {
        try await withMainRealm { realm, configuration in
            try realm.write { realm.add(Item(id: 1)) }
            let item = try #require(realm.objects(Item.self).first)
            var iterator = item.changes(keyPaths: [\.name]).makeAsyncIterator()
            // It begins with the first call, which does not end before there is something to tell.
            async let wrote: Void = write(configuration) { realm in
                // Before and after the loop began.
                realm.objects(Item.self).first?.name = "Ada"
            }
            try await wrote
            async let again: Void = Self.writeUntil(configuration)
            guard case .change(_, let properties) = await iterator.next(isolation: #isolation)
            else { return #expect(Bool(false)) }
            #expect(properties.map(\.name) == ["name"])
            try await again
            try await write(configuration) { $0.deleteAll() }
            while let change = await iterator.next(isolation: #isolation) {
                if case .deleted = change { break }
            }
            let end = await iterator.next(isolation: #isolation)
            #expect(end == nil)
        }
    }

    private static func writeUntil(_ configuration: Realm.Configuration) async throws {
        for number in 0..<3 {
            try await Task.detached {
                try writeHere(configuration) { $0.objects(Item.self).first?.name = "\(number)" }
            }.value
        }
    }

    @MainActor @Test func anInvalidatedRealmEndsTheLoop() async throws {
        try await withMainRealm { realm, _ in
            var iterator = realm.objects(Item.self).changes.makeAsyncIterator()
            _ = await iterator.next(isolation: #isolation)
            Task { @MainActor in realm.invalidate() }
            let end = await iterator.next(isolation: #isolation)
            #expect(end == nil)
        }
    }

    /// The realm's own notifications: while the loop is busy, several are one of each kind.
    @MainActor @Test func realms() async throws {
        try await withMainRealm { realm, configuration in
            var iterator = realm.changes.makeAsyncIterator()
            let told = ObservingActor()
            let task = Task { @MainActor in
                for await notification in realm.changes { await told.add("\(notification)") }
                await told.add("over")
            }
            // The task observes when its first turn is over, so this is the first thing that it
            // hears of; the iterator does not observe before its first call.
            await Task.yield()
            try realm.write { realm.add(Item(id: 1)) }
            #expect(await told.next() == "didChange")
            let writing = Task { @MainActor in
                for id in 2...4 { try realm.write { realm.add(Item(id: id)) } }
            }
            #expect(await iterator.next(isolation: #isolation) == .didChange)
            try await writing.value
            realm.autorefresh = false
            try await write(configuration) { $0.add(Item(id: 5)) }
            #expect(await iterator.next(isolation: #isolation) == .refreshRequired)
            realm.refresh()
            realm.autorefresh = true
            try realm.write { realm.add(Item(id: 6)) }
            #expect(await iterator.next(isolation: #isolation) == .didChange)
            task.cancel()
            var last = await told.next()
            while last != "over" { last = await told.next() }
        }
    }

    @Test func onAnActor() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let follower = Follower()
        let told = ObservingActor()
        async let followed: Void = follower.follow(configuration, told)
        #expect(await told.next() == "0")
        try await write(configuration) { $0.add(Item(id: 1)) }
        #expect(await told.next() == "1")
        try await write(configuration) { $0.add(Item(id: 2)) }
        #expect(await told.next() == "2")
        try await followed
        directory.delete()
    }
}

private actor Follower {
    /// Until there are two.
    func follow(_ configuration: Realm.Configuration, _ told: ObservingActor) async throws {
        let realm = try await Realm.open(configuration: configuration)
        for await change in realm.objects(ObservedModels.Item.self).changes {
            let count: Int
            switch change {
            case .initial(let items), .update(let items, _, _, _): count = items.count
            case .error: return
            }
            await told.add("\(count)")
            if count == 2 { return }
        }
    }
}
