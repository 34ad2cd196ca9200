import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// When observers are told, and where.
@Suite struct RealmObservationTests {
    typealias Item = ObservedModels.Item

    private func add(_ realm: Realm, _ id: Int) throws {
        try realm.write { realm.add(Item(id: id)) }
    }

    @Test func realmsMoveByThemselves() throws {
        try withObservatory { place in
            let items = place.realm.objects(Item.self)
            #expect(items.count == 0)
            try add(place.writer, 1)
            #expect(items.count == 0)
            place.deliver()
            #expect(items.count == 1, "Without any observer.")
        }
    }

    @Test func withoutAutorefreshARealmIsToldThatItIsBehind() throws {
        try withObservatory { place in
            let (log, changes) = (ChangeLog(), ChangeLog())
            let items = place.realm.objects(Item.self)
            let tokens = [
                place.realm.observe { note, _ in log.add("\(note)") },
                items.observe { changes.add($0) },
            ]
            place.deliver()
            #expect(changes.take() == ["initial 0"])
            place.realm.autorefresh = false
            try add(place.writer, 1)
            place.deliver()
            #expect(log.take() == ["refreshRequired"] && changes.take() == [] && items.count == 0)
            try add(place.writer, 2)
            place.deliver()
            #expect(log.take() == ["refreshRequired"])
            #expect(place.realm.refresh())
            #expect(
                log.take() == ["didChange"] && changes.take() == ["-[] +[0, 1] *[]"]
                    && items.count == 2)
            place.deliver()
            #expect(log.take() == [] && changes.take() == [])
            try add(place.writer, 3)
            place.realm.waitForNotifier()
            place.realm.autorefresh = true
            place.deliver()
            #expect(items.count == 3)
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func aRealmsOwnCommits() throws {
        try withObservatory { place in
            let (log, changes) = (ChangeLog(), ChangeLog())
            let realmToken = place.realm.observe { note, realm in
                log.add("\(note) \(realm.objects(Item.self).count)")
            }
            let token = place.realm.objects(Item.self).observe { changes.add($0) }
            place.deliver()
            _ = changes.take()
            try add(place.realm, 1)
            #expect(log.take() == ["didChange 1"], "Inside of the commit.")
            #expect(changes.take() == [], "Later.")
            place.deliver()
            #expect(log.take() == [] && changes.take() == ["-[] +[0] *[]"])
            try place.realm.write {}
            place.deliver()
            #expect(
                log.take() == ["didChange 1"] && changes.take() == [],
                "As in Realm, also where nothing was changed.")
            try place.realm.write(withoutNotifying: [token]) { place.realm.add(Item(id: 2)) }
            place.deliver()
            #expect(log.take() == ["didChange 2"] && changes.take() == [])
            try place.realm.write(withoutNotifying: [realmToken]) { place.realm.add(Item(id: 3)) }
            place.deliver()
            #expect(
                log.take() == [] && changes.take() == ["-[] +[2] *[]"], "It knows of the other one."
            )
            // What is left out is one transaction, not what comes together with it.
            try place.realm.write(withoutNotifying: [token]) { place.realm.add(Item(id: 4)) }
            try add(place.writer, 5)
            place.deliver()
            #expect(changes.take() == ["-[] +[4] *[]"])
            withExtendedLifetime((realmToken, token)) {}
        }
    }

    @Test func aTransactionBeginsWithWhatIsOutstanding() throws {
        try withObservatory { place in
            let log = ChangeLog()
            let items = place.realm.objects(Item.self)
            let token = items.observe { change in
                log.add(change)
                log.add("in transaction: \(place.realm.isInWriteTransaction)")
            }
            place.deliver()
            _ = log.take()
            try add(place.writer, 1)
            place.realm.beginWrite()
            #expect(log.take() == ["-[] +[0] *[]", "in transaction: true"])
            place.realm.add(Item(id: 2))
            place.deliver()
            #expect(log.take() == [], "Nothing is told in the middle of a transaction.")
            try place.realm.commitWrite()
            place.deliver()
            #expect(log.take() == ["-[] +[1] *[]", "in transaction: false"])
            place.realm.beginWrite()
            place.realm.add(Item(id: 3))
            place.realm.cancelWrite()
            place.deliver()
            #expect(log.take() == [])
            withExtendedLifetime(token) {}
        }
    }

    @Test func callbacksMayWriteAndRegister() throws {
        try withObservatory { place in
            let (first, second, third) = (ChangeLog(), ChangeLog(), ChangeLog())
            let items = place.realm.objects(Item.self)
            var tokens: [NotificationToken] = []
            tokens.append(
                items.observe { change in
                    first.add(change)
                    guard case .update(_, _, let insertions, _) = change, insertions.count == 1,
                        items.count == 1
                    else { return }
                    #expect(!place.realm.refresh(), "Not in a callback.")
                    try? place.realm.write { place.realm.add(Item(id: 100)) }
                    tokens.append(items.observe { third.add($0) })
                })
            tokens.append(items.observe { second.add($0) })
            place.deliver()
            #expect(first.take() == ["initial 0"] && second.take() == ["initial 0"])
            try add(place.writer, 1)
            place.deliver()
            #expect(first.take() == ["-[] +[0] *[]", "-[] +[1] *[]"])
            // The transaction begins at the same version, of which the second had not been told.
            #expect(second.take() == ["-[] +[0] *[]", "-[] +[1] *[]"])
            #expect(third.take() == ["initial 2"])
        }
    }

    @Test func tokensEndFromAnyThread() throws {
        try withObservatory { place in
            let log = ChangeLog()
            let token = place.realm.objects(Item.self).observe { log.add($0) }
            place.deliver()
            _ = log.take()
            try add(place.writer, 1)
            place.realm.waitForNotifier()
            // The change is on its way already.
            #expect(try onNewThread { token.invalidate() })
            place.deliver()
            #expect(log.take() == [])
            do {
                let dropped = place.realm.objects(Item.self).observe { log.add($0) }
                withExtendedLifetime(dropped) {}
            }
            place.deliver()
            #expect(log.take() == [], "Without its token, a registration ends.")
        }
    }

    @Test func anInvalidatedRealmTellsNothingMore() throws {
        try withObservatory { place in
            let log = ChangeLog()
            let token = place.realm.objects(Item.self).observe { log.add($0) }
            place.deliver()
            place.realm.invalidate()
            try add(place.writer, 1)
            place.deliver()
            #expect(log.take() == ["initial 0"])
            #expect(!token.invalidate())
        }
    }

    @Test func asynchronousWrites() throws {
        try withObservatory { place in
            let (log, changes) = (ChangeLog(), ChangeLog())
            let tokens = [
                place.realm.observe { note, _ in log.add("\(note)") },
                place.realm.objects(Item.self).observe { changes.add($0) },
            ]
            place.deliver()
            _ = changes.take()
            place.realm.writeAsync { place.realm.add(Item(id: 1)) }
            while place.realm.isPerformingAsynchronousWriteOperations {
                place.scheduler.waitForWork()
                place.scheduler.runAll()
            }
            place.deliver()
            #expect(log.take() == ["didChange"] && changes.take() == ["-[] +[0] *[]"])
            withExtendedLifetime(tokens) {}
        }
    }

    // MARK: Places

    @Test func queues() throws {
        try withObservatory { place in
            try add(place.writer, 1)
            place.realm.refresh()
            let queue = DispatchQueue(label: "observing")
            let told = Channel<String>()
            let item = try #require(place.realm.objects(Item.self).first)
            let tokens = [
                place.realm.objects(Item.self).observe(on: queue) { change in
                    dispatchPrecondition(condition: .onQueue(queue))
                    switch change {
                    case .initial(let items): told.send("initial \(items.count)")
                    case .update(let items, let deletions, let insertions, _):
                        told.send("items \(items.count) \(deletions) \(insertions)")
                    case .error(let error): told.send("\(error)")
                    }
                },
                item.observe(on: queue) { change in
                    if case .change(let item, let properties) = change {
                        told.send("\(properties[0].name) \(item.rank)")
                    }
                },
            ]
            #expect(told.next() == "initial 1")
            // Registered one behind the other: the first turn of the queue after the first call
            // finds the second there.
            queue.sync {}
            try place.writer.write { place.writer.objects(Item.self).first?.rank = 5 }
            #expect([told.next(), told.next()].sorted() == ["items 1 [] []", "rank 5"])
            try add(place.writer, 2)
            #expect(told.next() == "items 2 [] [1]")
            for token in tokens { #expect(token.invalidate()) }
            queue.sync {}
        }
    }

    /// The queue comes to it after the changes: they are told all the same.
    @Test func queuesMissNothing() throws {
        try withObservatory { place in
            try add(place.writer, 1)
            place.realm.refresh()
            let item = try #require(place.realm.objects(Item.self).first)
            let queue = DispatchQueue(label: "observing")
            let told = Channel<String>()
            func observeAndThen(_ change: (Realm) throws -> Void) throws -> String? {
                queue.suspend()
                let token = item.observe(on: queue) { change in
                    switch change {
                    case .change(let item, let properties):
                        told.send("\(properties.map(\.name)) \(item.rank)")
                    case .deleted: told.send("deleted")
                    case .error(let error): told.send("\(error)")
                    }
                }
                try place.writer.write { try change(place.writer) }
                queue.resume()
                defer { token.invalidate() }
                return told.next()
            }
            #expect(try observeAndThen { $0.objects(Item.self).first?.rank = 5 } == "[\"rank\"] 5")
            place.realm.refresh()
            #expect(try observeAndThen { $0.objects(Item.self).first?.rank = 6 } == "[\"rank\"] 6")
            place.realm.refresh()
            #expect(try observeAndThen { $0.deleteAll() } == "deleted")
            queue.sync {}
        }
    }

    /// What a realm that is open there has read is not told again.
    @Test func queuesWithARealmGoOnFromThere() throws {
        try withObservatory { place in
            try add(place.writer, 1)
            place.realm.refresh()
            let item = try #require(place.realm.objects(Item.self).first)
            let queue = DispatchQueue(label: "observing")
            let told = Channel<String>()
            try place.writer.write { place.writer.objects(Item.self).first?.rank = 5 }
            let configuration = place.realm.configuration
            // Used on its queue only.
            nonisolated(unsafe) var there: Realm?
            try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                #expect(realm.objects(Item.self).first?.rank == 5)
                there = realm
            }
            #expect(item.rank == 0)
            let token = item.observe(on: queue) { change in
                if case .change(let item, _) = change { told.send("\(item.rank)") }
            }
            queue.sync {}
            try place.writer.write { place.writer.objects(Item.self).first?.rank = 7 }
            #expect(told.next() == "7")
            token.invalidate()
            queue.sync {
                withExtendedLifetime(there) {}
                there = nil
            }
        }
    }

    @MainActor @Test func actors() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let observer = ObservingActor()
        let realm = try await Realm(configuration: configuration)
        let token = await realm.objects(Item.self).observe(on: observer) { actor, change in
            switch change {
            case .initial(let items): actor.add("initial \(items.count)")
            case .update(let items, _, let insertions, _):
                actor.add("update \(items.count) \(insertions)")
            case .error(let error): actor.add("\(error)")
            }
        }
        #expect(await observer.next() == "initial 0")
        try await Task.detached { try addOnThisThread(configuration, 1) }.value
        #expect(await observer.next() == "update 1 [0]")
        token.invalidate()
        realm.refresh()
        #expect(try realm.check().isEmpty)
        directory.delete()
    }

    @MainActor @Test func theMainActor() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let realm = try await Realm(configuration: configuration)
        let told = ObservingActor()
        let token = realm.objects(Item.self).observe { change in
            guard case .update(let items, _, _, _) = change else { return }
            let count = items.count
            Task { await told.add("update \(count)") }
        }
        realm.refresh()
        try await Task.detached { try addOnThisThread(configuration, 1) }.value
        #expect(await told.next() == "update 1")
        token.invalidate()
        #expect(try realm.check().isEmpty)
        directory.delete()
    }
}

private func addOnThisThread(_ configuration: Realm.Configuration, _ id: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(ObservedModels.Item(id: id)) }
}

actor ObservingActor {
    private var entries: [String] = []
    private var waiting: CheckedContinuation<String, Never>?

    func add(_ entry: String) {
        if let waiting {
            self.waiting = nil
            waiting.resume(returning: entry)
        } else {
            entries.append(entry)
        }
    }

    func next() async -> String {
        if !entries.isEmpty { return entries.removeFirst() }
        return await withCheckedContinuation { waiting = $0 }
    }
}

/// Carries values from one thread to another, which waits for them.
final class Channel<Value: Sendable>: @unchecked Sendable {
    // @unchecked: the variables are protected by `condition`.
    private let condition = NSCondition()
    private var values: [Value] = []

    func send(_ value: Value) {
        condition.withLock {
            values.append(value)
            condition.signal()
        }
    }

    func next() -> Value {
        condition.withLock {
            while values.isEmpty { condition.wait() }
            return values.removeFirst()
        }
    }
}
