import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Observers hear of what was there before they hear of a change that their own realm makes at
/// once: Realm's order of calls.
@Suite struct InitialCallTests {
    typealias Item = ObservedModels.Item

    /// A kind of subject. `change` changes it; `update` is the notification of that.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var initial = "initial 1"
        var update = "-[] +[1] *[]"
        let observe: @Sendable (Item, ChangeLog) -> NotificationToken
        let change: @Sendable (Item) -> Void
    }

    static let kinds: [Kind] = [
        Kind(testDescription: "all objects") { item, log in
            item.realm!.objects(Item.self).where { $0.name == "first" }.observe { log.add($0) }
        } change: {
            $0.realm!.add(Item(id: 7, name: "first"))
        },
        Kind(testDescription: "sorted objects with key paths") { item, log in
            item.realm!.objects(Item.self).where { $0.name == "first" }.sorted(by: \.rank).observe(
                keyPaths: [\.rank]) { log.add($0) }
        } change: {
            $0.realm!.add(Item(id: 7, name: "first", rank: 9))
        },
        Kind(testDescription: "objects of a property", update: "-[] +[] *[0]") { item, log in
            item.realm!.objects(Item.self).where { $0.name == "first" }.observe(keyPaths: ["rank"])
            { log.add($0) }
        } change: {
            $0.rank += 1
        },
        Kind(testDescription: "any collection", update: "-[] +[1] *[0]") { item, log in
            AnyRealmCollection(item.children).observe { log.add($0) }
        } change: {
            $0.children.append($0)
        },
        Kind(testDescription: "a list of objects", update: "-[] +[1] *[0]") { item, log in
            item.children.observe { log.add($0) }
        } change: {
            $0.children.append($0)
        },
        Kind(testDescription: "a list of values") { item, log in
            item.numbers.observe { log.add($0) }
        } change: {
            $0.numbers.append(5)
        },
        Kind(testDescription: "values in order", update: "-[] +[0] *[]") { item, log in
            item.numbers.sorted(ascending: true).observe { log.add($0) }
        } change: {
            $0.numbers.append(-5)
        },
        Kind(testDescription: "a set") { item, log in
            item.tags.observe { log.add($0) }
        } change: {
            $0.tags.insert("z")
        },
        Kind(testDescription: "a map", update: "-[] +[\"b\"] *[]") { item, log in
            item.marks.observe { log.add($0) }
        } change: {
            $0.marks["b"] = 2
        },
        Kind(testDescription: "a map of objects", update: "-[] +[\"b\"] *[\"a\"]") { item, log in
            item.related.observe { log.add($0) }
        } change: {
            $0.related["b"] = $0
        },
        Kind(testDescription: "linking objects", initial: "initial 0", update: "-[] +[0] *[]") {
            item, log in
            item.previous.observe { log.add($0) }
        } change: {
            $0.next = $0
        },
        Kind(testDescription: "a list in an any value") { item, log in
            item.anything.dictionaryValue!["list"]!.listValue!.observe { log.add($0) }
        } change: {
            $0.anything.dictionaryValue!["list"]!.listValue!.append(.int(2))
        },
        Kind(testDescription: "a dictionary in an any value", update: "-[] +[\"new\"] *[]") {
            item, log in
            item.anything.dictionaryValue!.observe { log.add($0) }
        } change: {
            $0.anything.dictionaryValue!["new"] = .int(2)
        },
        Kind(testDescription: "sections", update: "sections 2") { item, log in
            item.realm!.objects(Item.self).sectioned(by: \.name, ascending: true).observe {
                change in
                switch change {
                case .initial(let sections): log.add("initial \(sections.count)")
                case .update(let sections, _, _, _, _, _): log.add("sections \(sections.count)")
                }
            }
        } change: {
            $0.realm!.add(Item(id: 7, name: "second"))
        },
        Kind(testDescription: "one section", update: "section 2") { item, log in
            item.realm!.objects(Item.self).sectioned(by: \.name, ascending: true)[0].observe {
                change in
                switch change {
                case .initial(let section): log.add("initial \(section.count)")
                case .update(let section, _, _, _, _, _): log.add("section \(section.count)")
                }
            }
        } change: {
            $0.realm!.add(Item(id: 7, name: "first"))
        },
        Kind(testDescription: "projections") { item, log in
            item.realm!.objects(Named.self).observe { log.add($0) }
        } change: {
            $0.realm!.add(Item(id: 7, name: "first"))
        },
        Kind(testDescription: "a projected collection") { item, log in
            Named(projecting: item).children.observe { log.add($0) }
        } change: {
            $0.children.append($0)
        },
    ]

    final class Named: Projection<Item> {
        @Projected(\Item.name) var title
        @Projected(\Item.children.projectTo.name) var children: ProjectedCollection<String>
    }

    private func fill(_ realm: Realm) throws {
        try realm.write {
            let item = Item(id: 1, name: "first")
            realm.add(item)
            item.children.append(item)
            item.numbers.append(1)
            item.tags.insert("a")
            item.marks["a"] = 1
            item.related["a"] = item
            item.anything = AnyRealmValue.fromDictionary([
                "list": AnyRealmValue.fromArray([.int(1)])
            ])
        }
    }

    private func withItem(_ body: (Observatory, Item, ChangeLog) throws -> Void) throws {
        try withObservatory { place in
            try fill(place.writer)
            place.realm.refresh()
            try body(
                place, try #require(place.realm.object(ofType: Item.self, forPrimaryKey: 1)),
                ChangeLog())
        }
    }

    /// How a change is made: each reports when its block begins and when it was committed.
    enum Form: CaseIterable { case write, beginWrite, writeAsync, beginAsyncWrite }

    /// One change by `form`, of which `log` says when its block begins.
    private func change(
        _ place: Observatory, by form: Form, _ log: ChangeLog, _ body: @escaping () -> Void
    ) throws {
        let realm = place.realm
        switch form {
        case .write:
            try realm.write {
                log.add("block")
                body()
            }
        case .beginWrite:
            realm.beginWrite()
            log.add("block")
            body()
            try realm.commitWrite()
        case .writeAsync:
            realm.writeAsync {
                log.add("block")
                body()
            }
        case .beginAsyncWrite:
            realm.beginAsyncWrite {
                log.add("block")
                body()
                realm.commitAsyncWrite()
            }
        }
    }

    @Test(arguments: kinds, Form.allCases) func firstWhatWasThere(kind: Kind, form: Form) throws {
        try withItem { place, item, log in
            let token = kind.observe(item, log)
            try change(place, by: form, log) { kind.change(item) }
            if form == .write || form == .beginWrite {
                #expect(
                    log.entries == [kind.initial, "block"], "The update comes in a turn of its own."
                )
            }
            finish(place)
            #expect(log.take() == [kind.initial, "block", kind.update])
            withExtendedLifetime(token) {}
        }
    }

    /// Two writes behind one another: the order was commit, commit, initial.
    @Test(arguments: Form.allCases) func twoWritesBehindOneAnother(form: Form) throws {
        try withItem { place, item, log in
            let token = item.numbers.observe { log.add($0) }
            for value in [2, 3] { try change(place, by: form, log) { item.numbers.append(value) } }
            finish(place)
            let told = log.take()
            #expect(told.prefix(2) == ["initial 1", "block"])
            #expect(told.suffix(1) == ["-[] +[2] *[]"] || told.suffix(1) == ["-[] +[1, 2] *[]"])
            #expect(told.filter { $0 == "block" }.count == 2)
            withExtendedLifetime(token) {}
        }
    }

    /// An observer of an object has no first call, and hears of the first change.
    @Test(arguments: Form.allCases) func objects(form: Form) throws {
        try withItem { place, item, log in
            let token = item.observe { log.add($0) }
            try change(place, by: form, log) { item.rank = 5 }
            finish(place)
            #expect(log.take() == ["block", "rank: nil -> 5"])
            withExtendedLifetime(token) {}
        }
    }

    /// What others wrote before is part of the beginning, and is told in the realm's own call
    /// first.
    @Test func othersWroteBefore() throws {
        try withObservatory { place in
            try fill(place.writer)
            place.realm.refresh()
            let log = ChangeLog()
            let tokens = [
                place.realm.objects(Item.self).observe { log.add($0) },
                place.realm.observe { notification, _ in log.add("\(notification)") },
            ]
            try place.writer.write { place.writer.add(Item(id: 2)) }
            try place.realm.write {
                log.add("block")
                place.realm.add(Item(id: 3))
            }
            finish(place)
            #expect(log.take() == ["didChange", "initial 2", "block", "didChange", "-[] +[2] *[]"])
            withExtendedLifetime(tokens) {}
        }
    }

    /// In the first call the transaction is open already, as in Realm.
    @Test func theTransactionIsOpenInTheFirstCall() throws {
        try withObservatory { place in
            try fill(place.writer)
            place.realm.refresh()
            var states: [Bool] = []
            let realm = place.realm
            let token = realm.objects(Item.self).observe { _ in
                states.append(realm.isInWriteTransaction)
            }
            try realm.write { realm.add(Item(id: 2)) }
            finish(place)
            #expect(states == [true, false])
            withExtendedLifetime(token) {}
        }
    }

    /// A transaction that is undone has told the beginning nevertheless.
    @Test func undoneTransactions() throws {
        struct Undone: Error {}
        try withObservatory { place in
            try fill(place.writer)
            place.realm.refresh()
            let log = ChangeLog()
            let token = place.realm.objects(Item.self).observe { log.add($0) }
            #expect(throws: Undone.self) {
                try place.realm.write {
                    place.realm.add(Item(id: 2))
                    throw Undone()
                }
            }
            finish(place)
            #expect(log.take() == ["initial 1"])
            withExtendedLifetime(token) {}
        }
    }

    /// Left out of the transaction: it has heard of the beginning, and goes on from what the
    /// transaction left.
    @Test func leftOut() throws {
        try withObservatory { place in
            try fill(place.writer)
            place.realm.refresh()
            let log = ChangeLog()
            let token = place.realm.objects(Item.self).observe { log.add($0) }
            try place.realm.write(withoutNotifying: [token]) { place.realm.add(Item(id: 2)) }
            try place.realm.write { place.realm.add(Item(id: 3)) }
            finish(place)
            #expect(log.take() == ["initial 1", "-[] +[2] *[]"])
        }
    }

    /// As in Realm, a transaction that changes nothing notifies the realm's observers alone.
    @Test(arguments: Form.allCases) func emptyTransactions(form: Form) throws {
        try withObservatory { place in
            try fill(place.writer)
            place.realm.refresh()
            let log = ChangeLog()
            let tokens = [
                place.realm.objects(Item.self).observe { log.add($0) },
                place.realm.observe { notification, _ in log.add("\(notification)") },
            ]
            try change(place, by: form, log) {}
            finish(place)
            #expect(log.take() == ["initial 1", "block", "didChange"])
            withExtendedLifetime(tokens) {}
        }
    }

    /// Runs what is on its way, asynchronous writes included.
    private func finish(_ place: Observatory) {
        repeat { place.deliver() } while place.realm.isPerformingAsynchronousWriteOperations
        place.deliver()
    }

    // MARK: Tasks

    /// An actor's tasks that write and observe, with as many grouped writes as there are callers.
    private actor Keeper {
        private let realm: Realm
        private var tokens: [NotificationToken] = []
        private(set) var events: [String] = []

        init(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        private func note(_ event: String) { events.append(event) }

        /// Observes all objects and one of them, and adds an object at once.
        func observeAndAdd(_ id: Int) async throws {
            guard let first = realm.object(ofType: Item.self, forPrimaryKey: 1) else {
                return note("nothing there")
            }
            let number = tokens.count
            tokens.append(
                realm.objects(Item.self).observe { [self] change in
                    switch change {
                    case .initial(let items): note("\(number) initial \(Array(items.map(\.id)))")
                    case .update(let items, _, let insertions, _):
                        note("\(number) update \(insertions.map { items[$0].id })")
                    case .error(let error): note("\(error)")
                    }
                })
            tokens.append(
                first.observe { [self] change in
                    guard case .change(_, let properties) = change else { return }
                    let ranks = properties.filter { $0.name == "rank" }.map {
                        "\($0.oldValue ?? -1) \($0.newValue ?? -1)"
                    }
                    note("\(number + 1) rank \(ranks)")
                })
            try await realm.asyncWrite { add(id, first, number) }
        }

        private func add(_ id: Int, _ first: Item, _ number: Int) {
            note("\(number) add \(id)")
            realm.add(Item(id: id))
            first.rank = id
        }

        func settle() async {
            while realm.isPerformingAsynchronousWriteOperations { await Task.yield() }
        }

        func end() throws -> [String] {
            tokens = []
            return try realm.check()
        }
    }

    /// Each observer hears of what was there, its own object not among it, and then of that;
    /// whichever writes share a sync.
    @Test func tasksThatObserveAndWrite() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        try addFirst(configuration)
        let keeper = try await Keeper(configuration)
        let ids = Array(110..<126)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in ids { group.addTask { try await keeper.observeAndAdd(id) } }
            try await group.waitForAll()
        }
        await keeper.settle()
        while !Self.isComplete(await keeper.events, ids) { await Task.yield() }
        let events = await keeper.events
        for index in 0..<ids.count {
            let mine = events.filter { $0.hasPrefix("\(2 * index) ") }
            let id = try #require(mine.first { $0.contains("add") }).suffix(3)
            #expect(
                mine.first?.contains("initial") == true && mine.first?.contains(id) == false,
                "\(events)")
            #expect(mine.filter { $0.contains("initial") }.count == 1)
            // The value that the object had when the observer was added is the first old one.
            let ranks = events.filter { $0.hasPrefix("\(2 * index + 1) ") }
            #expect(
                !ranks.isEmpty
                    && ranks.allSatisfy { !$0.contains("\"\(id) ") || $0 != ranks.first },
                "\(ranks)")
        }
        #expect(try await keeper.end().isEmpty)
        directory.delete()
    }

    /// Whether each observer of all objects has heard of each of them.
    private static func isComplete(_ events: [String], _ ids: [Int]) -> Bool {
        let told = events.filter { $0.contains("update") || $0.contains("initial") }
        for index in 0..<ids.count {
            let mine = told.filter { $0.hasPrefix("\(2 * index) ") }.joined()
            for id in ids where !mine.contains("\(id)") { return false }
        }
        return true
    }

    private func addFirst(_ configuration: Realm.Configuration) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Item(id: 1, name: "first")) }
    }
}
