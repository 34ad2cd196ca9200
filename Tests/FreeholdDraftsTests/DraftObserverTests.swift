import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Observers in a draft: told of its edits where it is.
@Suite struct DraftObserverTests {
    /// What callbacks were called with.
    private final class Log {
        var entries: [String] = []
        func take() -> [String] {
            defer { entries = [] }
            return entries
        }
    }

    /// Runs `body` with a draft on a scheduler that the test steps.
    private func withDraft(
        _ body: (Realm, Draft, Book.Person, ManualScheduler) throws -> Void
    ) throws {
        try Book.withPerson { realm, _ in
            let scheduler = ManualScheduler()
            let stepped = try Realm(configuration: realm.configuration, scheduler: scheduler)
            let draft = try stepped.draft()
            try body(stepped, draft, try Book.person(in: draft.realm), scheduler)
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

    @Test func collections() throws {
        try withDraft { realm, draft, person, scheduler in
            let log = Log()
            let token = draft.objects(Book.Person.self).where { $0.age > 30 }.observe {
                log.entries.append(text($0))
            }
            let tags = person.tags.observe { log.entries.append("tags " + text($0)) }
            scheduler.runAll()
            #expect(log.take() == ["initial", "tags initial"])
            person.name = "Eve"
            person.tags.append("d")
            draft.create(Book.Person.self, value: ["id": 2, "age": 40])
            #expect(log.entries.isEmpty)
            scheduler.runAll()
            #expect(log.take() == ["[] [1] [0]", "tags [] [3] []"])
            draft.checkpoint()
            person.age = 1
            person.tags.append("e")
            scheduler.runAll()
            #expect(log.take() == ["[0] [] []", "tags [] [4] []"])
            try draft.undo()
            #expect(log.take() == ["[] [0] []", "tags [4] [] []"])
            try draft.redo()
            #expect(log.take() == ["[0] [] []", "tags [] [4] []"])
            scheduler.runAll()
            #expect(log.entries.isEmpty)
            token.invalidate()
            tags.invalidate()
        }
    }

    @Test func groupsAndCheckpointsTellAtOnce() throws {
        struct Stop: Error {}
        try withDraft { realm, draft, person, scheduler in
            let log = Log()
            let token = draft.objects(Book.Note.self).observe { log.entries.append(text($0)) }
            draft.realm.refresh()
            #expect(log.take() == ["initial"])
            try draft.realm.write {
                draft.create(Book.Note.self)
                draft.create(Book.Note.self)
            }
            #expect(log.take() == ["[] [0, 1] []"])
            draft.create(Book.Note.self)
            draft.checkpoint()
            #expect(log.take() == ["[] [2] []"])
            #expect(throws: Stop.self) {
                try draft.group {
                    draft.create(Book.Note.self)
                    throw Stop()
                }
            }
            scheduler.runAll()
            #expect(log.entries.isEmpty)
            draft.create(Book.Note.self)
            #expect(draft.realm.refresh() && !draft.realm.refresh())
            #expect(log.take() == ["[] [3] []"])
            token.invalidate()
        }
    }

    @Test func objects() throws {
        try withDraft { realm, draft, person, scheduler in
            let log = Log()
            let token = person.observe { change in
                switch change {
                case .change(_, let properties):
                    log.entries.append(
                        properties.map { "\($0.name) \($0.newValue ?? "nil")" }.joined())
                case .deleted: log.entries.append("deleted")
                case .error(let error): log.entries.append("\(error)")
                }
            }
            person.name = "Eve"
            scheduler.runAll()
            #expect(log.take() == ["name Eve"])
            draft.delete(person)
            scheduler.runAll()
            #expect(log.take() == ["deleted"])
            token.invalidate()
        }
    }

    @Test func rebasingAndSaving() throws {
        try withDraft { realm, draft, person, scheduler in
            let log = Log()
            let token = draft.objects(Book.Person.self).observe { log.entries.append(text($0)) }
            let whole = draft.realm.observe { change, _ in log.entries.append("\(change)") }
            scheduler.runAll()
            #expect(log.take() == ["initial"])
            try Book.elsewhere(realm) { $0.create(Book.Person.self, value: ["id": 0]) }
            scheduler.runAll()
            #expect(log.entries.isEmpty)
            try draft.rebase()
            #expect(log.take() == ["[] [0] []", "didChange"])
            person.name = "Eve"
            scheduler.runAll()
            #expect(log.take() == ["[] [] [1]", "didChange"])
            try draft.save()
            _ = log.take()
            scheduler.runAll()
            #expect(log.entries.isEmpty)
            try Book.elsewhere(realm) { try Book.person(in: $0).age = 5 }
            person.name = "Grace"
            try draft.save()
            #expect(log.entries.first == "[] [] [1]")
            #expect(person.age == 5)
            token.invalidate()
            whole.invalidate()
        }
    }

    /// Rows that others' rows displace when the draft is saved are still the observed ones.
    @Test func objectsThatMove() throws {
        try withDraft { realm, draft, person, scheduler in
            let log = Log()
            let note = draft.create(Book.Note.self, value: ["text": "mine", "lines": ["1"]])
            let token = note.observe { change in
                if case .change(_, let properties) = change {
                    log.entries += properties.map { "\($0.name) \($0.newValue ?? "nil")" }
                } else {
                    log.entries.append("\(change)")
                }
            }
            let lines = note.lines.observe { log.entries.append("lines " + text($0)) }
            scheduler.runAll()
            #expect(log.take() == ["lines initial"])
            try Book.elsewhere(realm) {
                $0.create(Book.Note.self, value: ["text": "theirs", "lines": ["x", "y"]])
            }
            try draft.save()
            scheduler.runAll()
            #expect(log.take() == [] && note.text == "mine")
            note.text = "changed"
            note.lines.append("2")
            scheduler.runAll()
            #expect(log.take().sorted() == ["lines [] [1] []", "lines nil", "text changed"])
            try draft.save()
            token.invalidate()
            lines.invalidate()
        }
    }

    @Test func nestedDraftsTellTheirParents() throws {
        try withDraft { realm, draft, person, scheduler in
            let log = Log()
            let token = draft.objects(Book.Person.self).observe { log.entries.append(text($0)) }
            scheduler.runAll()
            let inner = try draft.draft()
            let innerToken = inner.objects(Book.Person.self).observe {
                log.entries.append("inner " + text($0))
            }
            scheduler.runAll()
            _ = log.take()
            try #require(inner.resolve(person)).name = "Eve"
            scheduler.runAll()
            #expect(log.take() == ["inner [] [] [0]"])
            try inner.save()
            #expect(log.take() == ["[] [] [0]"])
            person.age = 3
            scheduler.runAll()
            #expect(log.take() == ["[] [] [0]"])
            try inner.rebase()
            #expect(log.take() == ["inner [] [] [0]"])
            token.invalidate()
            innerToken.invalidate()
        }
    }

    @Test func callbacksMayEditSaveAndDiscard() throws {
        try withDraft { realm, draft, person, scheduler in
            let log = Log()
            let token = person.observe(keyPaths: ["name"]) { _ in
                log.entries.append(person.name)
                if person.name == "Eve" { person.name = "Grace" }
                if person.name == "Save" { try? draft.save() }
                if person.name == "End" { draft.discard() }
            }
            scheduler.runAll()
            person.name = "Eve"
            scheduler.runAll()
            #expect(log.take() == ["Eve", "Grace"] && person.name == "Grace")
            person.name = "Save"
            scheduler.runAll()
            #expect(log.take() == ["Save"] && !draft.hasChanges)
            person.name = "End"
            scheduler.runAll()
            #expect(log.take() == ["End"] && draft.isDiscarded)
            token.invalidate()
        }
    }

    @Test func sectionsAndListControllers() throws {
        try withDraft { realm, draft, person, scheduler in
            let log = Log()
            let sections = draft.objects(Book.Person.self).sectioned(by: \.age)
            let token = sections.observe { change in
                switch change {
                case .initial: log.entries.append("initial")
                case .update(_, let deletions, let insertions, _, let added, let removed):
                    log.entries.append("\(deletions) \(insertions) \(added) \(removed)")
                }
            }
            scheduler.runAll()
            #expect(log.take() == ["initial"] && sections.allKeys == [36])
            draft.create(Book.Person.self, value: ["id": 2, "age": 40])
            scheduler.runAll()
            #expect(log.entries.count == 1 && sections.allKeys == [36, 40])
            let controller = ListController(draft.objects(Book.Person.self).sorted(by: \.name))
            #expect(controller.numberOfItems(in: 0) == 2)
            let batches = controller.observe { batch in log.entries.append("batch") }
            scheduler.runAll()
            _ = log.take()
            draft.create(Book.Person.self, value: ["id": 3, "name": "Z"])
            scheduler.runAll()
            #expect(controller.numberOfItems(in: 0) == 3 && log.entries.contains("batch"))
            let shown = controller.object(at: [0, 2])
            #expect(shown.isFrozen && shown.name == "Z" && shown.thaw() == nil)
            #expect(draft.resolve(shown)?.id == 3)
            token.invalidate()
            batches.invalidate()
        }
    }

    /// The observer of a list ends with the list's object, and stays ended when undo brings that
    /// back: it is told once. A new observer is told again.
    @Test func listsOfObjectsThatReturn() throws {
        try withDraft { realm, draft, person, scheduler in
            let log = Log()
            let tags = person.tags
            let list = tags.observe { log.entries.append("tags " + text($0)) }
            let object = person.observe { change in
                if case .deleted = change { log.entries.append("deleted") }
            }
            let results = draft.objects(Book.Person.self).observe {
                log.entries.append("results " + text($0))
            }
            scheduler.runAll()
            #expect(log.take().sorted() == ["results initial", "tags initial"])
            draft.checkpoint()
            draft.delete(person)
            draft.checkpoint()
            #expect(
                log.take().sorted() == [
                    "deleted", "results [0] [] []", "tags [0, 1, 2] [] []",
                ])
            try draft.undo()
            #expect(person.name == "Ada" && Array(tags) == ["a", "b", "c"])
            #expect(log.take() == ["results [] [0] []"])
            person.tags.append("d")
            scheduler.runAll()
            #expect(log.take() == ["results [] [] [0]"])
            let again = tags.observe { log.entries.append("again " + text($0)) }
            scheduler.runAll()
            tags.append("e")
            scheduler.runAll()
            #expect(
                log.take().sorted() == ["again [] [4] []", "again initial", "results [] [] [0]"])
            for token in [list, object, results, again] { token.invalidate() }
        }
    }

    /// On a thread that runs no loop, `refresh()` delivers.
    @Test func onAThread() throws {
        try Book.withPerson { realm, _ in
            let configuration = realm.configuration
            try onNewThread {
                let log = Log()
                let draft = try Realm.draft(configuration: configuration)
                let token = draft.objects(Book.Person.self).observe {
                    if case .update(_, _, let insertions, _) = $0 {
                        log.entries.append("\(insertions)")
                    }
                }
                draft.realm.refresh()
                draft.create(Book.Person.self, value: ["id": 9])
                #expect(log.entries.isEmpty)
                #expect(draft.realm.refresh())
                #expect(log.entries == ["[1]"])
                token.invalidate()
            }
        }
    }

    @Test @MainActor func streams() async throws {
        let directory = try TemporaryDirectory()
        let realm = try await Realm.open(
            configuration: Realm.Configuration(fileURL: directory.file(), objectTypes: Book.all))
        let draft = try realm.draft()
        var counts: [Int] = []
        for await change in draft.objects(Book.Note.self).changes {
            if case .update(_, _, let insertions, _) = change { counts.append(insertions.count) }
            if counts.count == 2 { break }
            draft.create(Book.Note.self)
        }
        #expect(counts == [1, 1])
        #expect(try realm.check().isEmpty)
        directory.delete()
    }

    @Test func draftsWithObserversAreReleased() throws {
        try Book.withPerson { realm, _ in
            let scheduler = ManualScheduler()
            let stepped = try Realm(configuration: realm.configuration, scheduler: scheduler)
            func drafts() throws -> Int {
                try realm.versionReport().pins.count { $0.holder == .draft }
            }
            do {
                let draft = try stepped.draft()
                let token = draft.objects(Book.Person.self).observe { _ in }
                scheduler.runAll()
                draft.create(Book.Person.self, value: ["id": 2])
                #expect(try drafts() == 1)
                withExtendedLifetime(token) {}
            }
            #expect(try drafts() == 0)
            scheduler.runAll()
        }
    }

    @Test func elsewhere() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try Book.withPerson { realm, _ in
                let draft = try realm.draft()
                _ = draft.objects(Book.Person.self).observe(on: .main) { _ in }
            }
        }
        expectMessage(result, "A draft cannot be observed on another queue or actor.")
    }
}
