import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Observers of a draft whose new rows get other keys when it is saved: what they observe is the
/// same, nothing was deleted, and nothing that was edited before is skipped.
@Suite struct MovedObserverTests {
    /// What callbacks were called with.
    private final class Log {
        var entries: [String] = []
        func take() -> [String] {
            defer { entries = [] }
            return entries
        }
    }

    /// A draft with two new notes, "mine" and "linking", on a scheduler that the test steps.
    private struct Fixture {
        let realm: Realm
        let draft: Draft
        let person: Book.Person
        let mine: Book.Note
        let linking: Book.Note
        let scheduler: ManualScheduler
        let log = Log()

        /// Saves after others have used the keys of both notes.
        func move() throws {
            try Book.elsewhere(realm) { realm in
                for index in 0..<2 {
                    let note = realm.create(
                        Book.Note.self, value: ["text": "theirs\(index)", "lines": ["x"]])
                    note.other = note
                }
            }
            try draft.save()
            #expect(mine.text.hasPrefix("mine") && linking.text.hasPrefix("linking"))
        }

        func take() -> [String] {
            scheduler.runAll()
            return log.take()
        }
    }

    private func withNotes(_ body: (Fixture) throws -> Void) throws {
        try Book.withPerson { realm, _ in
            let scheduler = ManualScheduler()
            let stepped = try Realm(configuration: realm.configuration, scheduler: scheduler)
            let draft = try stepped.draft()
            let mine = draft.create(
                Book.Note.self, value: ["text": "mine", "lines": ["1"]])
            let linking = draft.create(Book.Note.self, value: ["text": "linking"])
            linking.other = mine
            let person = try Book.person(in: draft.realm)
            person.notes.append(mine)
            try body(
                Fixture(
                    realm: realm, draft: draft, person: person, mine: mine, linking: linking,
                    scheduler: scheduler))
        }
    }

    private func text<Collection>(_ change: RealmCollectionChange<Collection>) -> String {
        switch change {
        case .initial: "initial"
        case .update(_, let deletions, let insertions, let modifications):
            "\(deletions) \(insertions) \(modifications)"
        case .error(let error): "\(error)"
        }
    }

    private func text<T>(_ change: ObjectChange<T>) -> String {
        switch change {
        case .change(_, let properties): properties.map(\.name).sorted().joined(separator: " ")
        case .deleted: "deleted"
        case .error(let error): "\(error)"
        }
    }

    @Test func objects() throws {
        try withNotes { notes in
            let log = notes.log
            let token = notes.mine.observe { log.entries.append(text($0)) }
            _ = notes.take()
            // Not delivered before the save.
            notes.mine.text = "mine too"
            try notes.move()
            #expect(notes.take() == ["text"])
            notes.mine.text = "mine again"
            #expect(notes.take() == ["text"])
            try notes.move()
            #expect(notes.take() == [])
            notes.draft.delete(notes.mine)
            #expect(notes.take() == ["deleted"])
            token.invalidate()
        }
    }

    @Test func lists() throws {
        try withNotes { notes in
            let log = notes.log
            let tokens = [
                notes.mine.lines.observe { log.entries.append("lines " + text($0)) },
                notes.person.notes.observe(keyPaths: ["text"]) {
                    log.entries.append("notes " + text($0))
                },
                notes.mine.lines.sorted(ascending: false).observe {
                    log.entries.append("sorted " + text($0))
                },
            ]
            #expect(notes.take().count == 3)
            notes.mine.lines.append("2")
            try notes.move()
            #expect(
                Set(notes.take()) == [
                    "lines [] [1] []", "sorted [] [0] []",
                ])
            notes.mine.lines.append("3")
            notes.mine.text = "mine too"
            notes.person.notes.append(notes.linking)
            #expect(
                Set(notes.take()) == [
                    "lines [] [2] []", "sorted [] [0] []", "notes [] [1] [0]",
                ])
            try notes.move()
            #expect(notes.take() == [])
            tokens.forEach { $0.invalidate() }
        }
    }

    @Test func queries() throws {
        try withNotes { notes in
            let log = notes.log
            let (mine, all) = (notes.mine, notes.draft.objects(Book.Note.self))
            let tokens = [
                all.where { $0.other == mine }.observe(keyPaths: ["text"]) {
                    log.entries.append("linking " + text($0))
                },
                all.observe(keyPaths: ["text"]) { log.entries.append("all " + text($0)) },
                all.sorted(by: \.text).observe(keyPaths: ["text"]) {
                    log.entries.append("sorted " + text($0))
                },
                mine.people.observe(keyPaths: ["name"]) {
                    log.entries.append("people " + text($0))
                },
                all.where { $0.other == mine }.limit(2).observe(keyPaths: ["text"]) {
                    log.entries.append("limited " + text($0))
                },
            ]
            #expect(notes.take().count == 5)
            try notes.move()
            #expect(Set(notes.take()) == ["all [] [0, 1] []", "sorted [] [2, 3] []"])
            notes.linking.text = "linking too"
            notes.person.name = "Eve"
            #expect(
                Set(notes.take()) == [
                    "linking [] [] [0]", "all [] [] [3]", "sorted [] [] [0]", "people [] [] [0]",
                    "limited [] [] [0]",
                ])
            notes.linking.other = nil
            notes.person.notes.removeAll()
            #expect(
                Set(notes.take()) == [
                    "linking [0] [] []", "limited [0] [] []", "people [0] [] []",
                ])
            notes.linking.other = mine
            try notes.move()
            #expect(
                Set(notes.take()) == [
                    "linking [] [0] []", "limited [] [0] []", "all [] [4, 5] []",
                    "sorted [] [3, 5] []",
                ])
            tokens.forEach { $0.invalidate() }
        }
    }

    @Test func sections() throws {
        try withNotes { notes in
            let log = notes.log
            let mine = notes.mine
            let sections = notes.draft.objects(Book.Note.self).where { $0.other == mine }
                .sectioned(by: \.text, ascending: true)
            let all = notes.draft.objects(Book.Note.self).sectioned(
                by: { String($0.text.prefix(1)) }, sortDescriptors: ["text"])
            func observe<Key>(_ sections: SectionedResults<Key, Book.Note>, _ name: String)
                -> NotificationToken
            {
                sections.observe { change in
                    switch change {
                    case .initial: log.entries.append("\(name) initial")
                    case .update(_, let deleted, let inserted, let modified, let new, let old):
                        log.entries.append(
                            "\(name) \(deleted.count) \(inserted.count) \(modified.count) "
                                + "\(new.count) \(old.count)")
                    }
                }
            }
            let controller = SectionedListController(sections)
            let tokens = [
                observe(sections, "some"), observe(all, "all"),
                controller.observe { log.entries.append("batch \($0.steps.count)") },
            ]
            #expect(Set(notes.take()) == ["some initial", "all initial"])
            try notes.move()
            #expect(notes.take() == ["all 0 2 0 1 0"])
            #expect(sections.allKeys == ["linking"] && controller.sectionKeys == ["linking"])
            notes.linking.lines.append("x")
            #expect(
                Set(notes.take()) == ["some 0 0 1 0 0", "all 0 0 1 0 0", "batch 1"])
            #expect(controller.object(at: [0, 0]).lines.count == 1)
            tokens.forEach { $0.invalidate() }
        }
    }

    @Test(arguments: [false, true]) func listControllers(isFollowed: Bool) throws {
        try withNotes { notes in
            let log = notes.log
            let mine = notes.mine
            let controllers = [
                ListController(notes.draft.objects(Book.Note.self).where { $0.other == mine }),
                ListController(notes.person.notes),
            ]
            #expect(controllers.map { $0.numberOfItems(in: 0) } == [1, 1])
            func observe() -> [NotificationToken] {
                controllers.map { controller in
                    controller.observe { log.entries.append("\($0.steps.count)") }
                }
            }
            var tokens = isFollowed ? observe() : []
            _ = notes.take()
            try notes.move()
            _ = notes.take()
            #expect(controllers[0].object(at: [0, 0]).text == "linking")
            #expect(controllers[1].object(at: [0, 0]).text == "mine")
            if !isFollowed { tokens = observe() }
            #expect(notes.take() == [])
            notes.linking.text = "linking too"
            notes.mine.text = "mine too"
            #expect(notes.take() == ["1", "1"])
            #expect(controllers[0].object(at: [0, 0]).text == "linking too")
            #expect(controllers[1].object(at: [0, 0]).text == "mine too")
            #expect(controllers[1].indexPath(for: notes.mine) == [0, 0])
            tokens.forEach { $0.invalidate() }
        }
    }

    /// Collections nested in an any value, and a map, of an object that moves.
    @Test func nestedCollections() throws {
        try Nest.withRealm { realm in
            let log = Log()
            let scheduler = ManualScheduler()
            let draft = try Realm(configuration: realm.configuration, scheduler: scheduler).draft()
            let nest = draft.create(Nest.Box.self)
            nest.any = .fromArray([.fromDictionary(["a": .int(1)]), .fromArray([.int(1)])])
            nest.names["a"] = 1
            let list = try #require(nest.any.listValue)
            let map = try #require(list[0].dictionaryValue)
            let inner = try #require(list[1].listValue)
            func text<Key, Value>(_ change: RealmMapChange<Map<Key, Value>>) -> String {
                switch change {
                case .initial: "initial"
                case .update(_, let deletions, let insertions, let modifications):
                    "\(deletions) \(insertions) \(modifications)"
                case .error(let error): "\(error)"
                }
            }
            let tokens = [
                nest.names.observe { log.entries.append("names " + text($0)) },
                map.observe { log.entries.append("map " + text($0)) },
                inner.observe { log.entries.append("inner " + self.text($0)) },
            ]
            scheduler.runAll()
            #expect(log.take().count == 3)
            inner.append(.int(2))
            try Nest.elsewhere(realm) { $0.create(Nest.Box.self) }
            try draft.save()
            scheduler.runAll()
            #expect(log.take() == ["inner [] [1] []"])
            #expect(!list.isInvalidated && list.count == 2 && map["a"] == .int(1))
            map["b"] = .int(2)
            inner.append(.int(3))
            nest.names["b"] = 2
            scheduler.runAll()
            #expect(
                Set(log.take()) == [
                    "names [] [\"b\"] []", "map [] [\"b\"] []", "inner [] [2] []",
                ])
            tokens.forEach { $0.invalidate() }
        }
    }

    /// Writes as another part of the program does, from asynchronous code.
    private static func elsewhere(
        _ realm: Realm, _ body: @escaping @Sendable (Realm) throws -> Void
    ) throws { try Book.elsewhere(realm, body) }

    /// A reader that is slower than the saves: the change since what it was told last is one.
    @Test @MainActor func streams() async throws {
        let directory = try TemporaryDirectory()
        let realm = try await Realm.open(
            configuration: Realm.Configuration(fileURL: directory.file(), objectTypes: Book.all))
        let draft = try realm.draft()
        let notes = (0..<3).map { draft.create(Book.Note.self, value: ["text": "mine\($0)"]) }
        var changes: [String] = []
        for await change in draft.objects(Book.Note.self).changes(keyPaths: ["text"]) {
            changes.append(text(change))
            if changes.count == 2 { break }
            draft.delete(notes[1])
            notes[2].text = "changed"
            try Self.elsewhere(realm) {
                $0.create(Book.Note.self, value: ["text": "theirs"])
                $0.create(Book.Note.self, value: ["text": "theirs"])
            }
            try await draft.save()
        }
        #expect(changes == ["initial", "[1] [0, 1] [2]"])
        #expect(try realm.check().isEmpty)
        directory.delete()
    }

    /// An embedded object that another one replaces keeps its place in a merge.
    @Test func replacedEmbeddedObjects() throws {
        try withNotes { notes in
            let log = notes.log
            let tokens = [
                notes.person.observe(keyPaths: ["home.street", "home.city", "name"]) {
                    log.entries.append("person " + text($0))
                },
                notes.mine.observe { log.entries.append("mine " + text($0)) },
            ]
            _ = notes.take()
            notes.person.home = Book.Address(value: ["street": "New Street", "city": "London"])
            notes.mine.text = "mine too"
            try Book.elsewhere(notes.realm) { realm in
                try Book.person(in: realm).home?.city = "Paris"
                realm.create(Book.Note.self)
            }
            try notes.draft.save(resolving: .theirs)
            #expect(Set(notes.take()) == ["person home", "mine text"])
            #expect(try notes.realm.check().isEmpty)
            tokens.forEach { $0.invalidate() }
        }
    }
}
