import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Observers in a draft are told of each edit, once, and of nothing else.
@Suite struct DraftObserverTellingTests {
    // MARK: Every edit is noted

    @Test func theFirstObjectOfAClass() throws {
        try ObservedDraft.with { observed, _ in
            observed.observe(observed.draft.objects(Book.Note.self))
            #expect(observed.told() == ["initial"])
            observed.draft.create(Book.Note.self)
            #expect(observed.told() == ["[] [0] []"])
        }
    }

    @Test func anObjectThatBeginsACluster() throws {
        let prepare = { (realm: Realm) in
            for _ in 0..<500 { realm.create(Book.Note.self) }
        }
        try ObservedDraft.with(prepare: prepare) { observed, _ in
            observed.observe(observed.draft.objects(Book.Note.self))
            #expect(observed.told() == ["initial"])
            observed.draft.create(Book.Note.self)
            #expect(observed.told() == ["[] [500] []"])
            observed.draft.create(Book.Note.self)
            #expect(observed.told() == ["[] [501] []"])
        }
    }

    /// What opens a collection and changes nothing does not hide the next edit.
    @Test func anEditAfterOneWithoutEffect() throws {
        try ObservedDraft.with { observed, person in
            observed.observe(person.scores)
            observed.observe(person.tags)
            #expect(observed.told() == ["initial", "initial"])
            person.scores.remove(9)
            person.tags.append(objectsIn: [])
            #expect(observed.told() == [])
            person.scores.insert(9)
            #expect(observed.told() == ["[] [0] []"])
            person.tags.append("d")
            #expect(observed.told() == ["[] [3] []"])
        }
    }

    /// An edit before which a collection was opened when nobody observed.
    @Test func anEditOfACollectionThatWasOpenBefore() throws {
        try ObservedDraft.with { observed, person in
            person.scores.remove(9)
            observed.observe(person.scores)
            #expect(observed.told() == ["initial"])
            person.scores.remove(8)
            #expect(observed.told() == [])
            person.scores.insert(9)
            #expect(observed.told() == ["[] [0] []"])
        }
    }

    @Test func aPausedObserverIsToldWhenItGoesOn() throws {
        try ObservedDraft.with { observed, person in
            let token = observed.observe(person.tags)
            observed.observe(person)
            #expect(observed.told() == ["initial"])
            token.setPaused(true)
            person.tags.append("d")
            #expect(observed.told() == ["tags - -"])
            token.setPaused(false)
            #expect(observed.told() == ["[] [3] []"])
            token.setPaused(true)
            token.setPaused(false)
            #expect(observed.told() == [])
        }
    }

    /// Edits that a thread makes before it runs its loop.
    @Test func onAThreadThatRunsItsLoopLater() throws {
        try Book.withPerson { realm, _ in
            let configuration = realm.configuration
            try onNewThread {
                let draft = try Realm.draft(configuration: configuration)
                var told: [String] = []
                let token = draft.objects(Book.Note.self).observe { change in
                    switch change {
                    case .initial(let notes): told.append("initial \(notes.count)")
                    case .update(_, _, let insertions, _): told.append("\(insertions)")
                    case .error(let error): told.append("\(error)")
                    }
                    if told.count == 1 { draft.create(Book.Note.self) }
                }
                draft.create(Book.Note.self)
                #expect(told.isEmpty)
                // Ends if it fails.
                let keeper = Timer(timeInterval: 60, repeats: true) { _ in }
                RunLoop.current.add(keeper, forMode: .default)
                for _ in 0..<200 where told.count < 2 {
                    _ = RunLoop.current.run(
                        mode: .default, before: Date(timeIntervalSinceNow: 0.02))
                }
                #expect(told == ["initial 1", "[1]"])
                keeper.invalidate()
                token.invalidate()
            }
        }
    }

    // MARK: Links

    private func withPartners(_ body: (ObservedDraft, Book.Person, Book.Person) throws -> Void)
        throws
    {
        let prepare = { (realm: Realm) in
            let partner = realm.create(Book.Person.self, value: ["id": 2, "name": "Max"])
            _ = realm.create(Book.Person.self, value: ["id": 3, "partner": partner])
        }
        try ObservedDraft.with(prepare: prepare) { observed, person in
            try body(observed, person, try Book.person(2, in: observed.draft.realm))
        }
    }

    /// Links that were set in the draft, which no stored index has.
    @Test func whatIsBehindALinkThatTheDraftSet() throws {
        try withPartners { observed, person, other in
            let persons = observed.draft.objects(Book.Person.self)
            observed.observe(persons, keyPaths: ["partner.name"])
            observed.observe(persons.sorted(by: \.id), "sorted ", keyPaths: ["partner.name"])
            #expect(observed.told() == ["initial", "sorted initial"])
            person.partner = other
            #expect(observed.told() == ["[] [] [0]", "sorted [] [] [0]"])
            other.name = "Bo"
            #expect(observed.told() == ["[] [] [0, 2]", "sorted [] [] [0, 2]"])
            try Book.person(3, in: observed.draft.realm).partner = nil
            #expect(observed.told() == ["[] [] [2]", "sorted [] [] [2]"])
            other.name = "Max"
            #expect(observed.told() == ["[] [] [0]", "sorted [] [] [0]"])
        }
    }

    @Test func whatIsBehindALinkOfANewObject() throws {
        try withPartners { observed, _, other in
            let added = observed.draft.create(
                Book.Person.self, value: ["id": 4, "partner": other])
            observed.observe(
                observed.draft.objects(Book.Person.self), keyPaths: ["partner.name"])
            observed.observe(added, keyPaths: ["partner.name"])
            #expect(observed.told() == ["initial"])
            other.name = "Bo"
            #expect(observed.told() == ["[] [] [2, 3]", "partner - person 2"])
            observed.draft.delete(added)
            #expect(observed.told() == ["[3] [] []", "deleted"])
            other.name = "Max"
            #expect(observed.told() == ["[] [] [2]"])
        }
    }

    /// The rows of a cluster that the draft emptied, which the stored index still has.
    @Test func whatIsBehindLinksOfManyDeletedObjects() throws {
        let prepare = { (realm: Realm) in
            let partner = try Book.person(in: realm)
            for id in 2...1_200 {
                realm.create(Book.Person.self, value: ["id": id, "partner": partner])
            }
        }
        try ObservedDraft.with(prepare: prepare) { observed, person in
            let persons = observed.draft.objects(Book.Person.self)
            var changed: [[Int]] = []
            let token = persons.observe(keyPaths: ["partner.name"]) { change in
                guard case .update(_, let deletions, let insertions, let modifications) = change
                else { return }
                changed += [deletions, insertions, modifications]
            }
            observed.scheduler.runAll()
            observed.draft.delete(persons.where { $0.id > 400 && $0.id <= 1_100 })
            person.name = "Eve"
            observed.scheduler.runAll()
            #expect(changed == [Array(400..<1_100), [], Array(1..<400) + Array(1_100..<1_200)])
            token.invalidate()
        }
    }

    // MARK: Groups without a notification

    @Test func groupsThatSkipAnObserver() throws {
        try ObservedDraft.with { observed, person in
            let realm = observed.draft.realm
            let token = observed.observe(person.tags)
            observed.observe(person.tags, "other ")
            #expect(observed.told() == ["initial", "other initial"])
            try realm.write(withoutNotifying: [token]) { person.tags.append("d") }
            #expect(observed.toldAlready() == ["other [] [3] []"])
            person.tags.append("e")
            #expect(observed.told() == ["[] [4] []", "other [] [4] []"])
            realm.beginWrite()
            person.tags.append("f")
            try realm.commitWrite(withoutNotifying: [token])
            #expect(observed.told() == ["other [] [5] []"])
        }
    }

    /// Edits before the group are told when it begins: its end would skip them.
    @Test func editsBeforeAGroupAreTold() throws {
        try ObservedDraft.with { observed, person in
            let token = observed.observe(person.tags)
            #expect(observed.told() == ["initial"])
            person.tags.append("d")
            try observed.draft.realm.write(withoutNotifying: [token]) {
                #expect(observed.toldAlready() == ["[] [3] []"])
                person.tags.append("e")
            }
            #expect(observed.told() == [])
            observed.draft.realm.beginWrite()
            person.tags.append("f")
            observed.draft.realm.cancelWrite()
            #expect(observed.told() == [])
        }
    }

    @Test func groupsThatSkipAnObserverOfTheRealm() throws {
        try ObservedDraft.with { observed, person in
            let token = observed.draft.realm.observe { _, _ in observed.add("changed") }
            let other = observed.draft.realm.observe { _, _ in observed.add("other") }
            try observed.draft.realm.write(withoutNotifying: [token]) { person.age = 1 }
            #expect(observed.told() == ["other"])
            try observed.draft.realm.write { person.age = 2 }
            #expect(observed.told() == ["changed", "other"])
            token.invalidate()
            other.invalidate()
        }
    }

    /// A callback that makes a group, while others wait for what it was told.
    @Test func groupsInACallback() throws {
        try ObservedDraft.with { observed, person in
            var other: NotificationToken?
            let token = person.tags.observe { change in
                guard case .update(_, _, let insertions, _) = change, insertions == [3] else {
                    return
                }
                try? observed.draft.realm.write(withoutNotifying: other.map { [$0] } ?? []) {
                    person.tags.append("e")
                }
            }
            other = observed.observe(person.tags)
            #expect(observed.told() == ["initial"])
            person.tags.append("d")
            #expect(observed.told() == ["[] [3] []"])
            token.invalidate()
        }
    }

    @Test func tokensOfOthersAreRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try ObservedDraft.with { observed, person in
                let token = observed.realm.objects(Book.Person.self).observe { _ in }
                try observed.draft.realm.write(withoutNotifying: [token]) { person.age = 1 }
            }
        }
        expectMessage(
            result,
            "Incorrect Realm: only notifications for the Realm being modified can be skipped.")
    }

    // MARK: Streams

    /// A loop in a task outside of all actors could never be woken.
    @Test func streamsOfATaskAreRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let directory = try TemporaryDirectory()
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Book.all)
            try await Task.detached {
                let draft = try await Realm.open(configuration: configuration).draft()
                for await _ in draft.objects(Book.Note.self).changes {
                    draft.create(Book.Note.self)
                }
            }.value
        }
        expectMessage(result, "Can only add notification blocks from within runloops.")
    }
}
