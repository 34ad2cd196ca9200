import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Collections that a draft made before its new rows got other keys: what they name are the same
/// objects afterwards.
@Suite struct MovedRowTests {
    /// Runs `body` with a draft that has added two notes, one linking to the other, and with a
    /// function that saves it after others have used the keys of both.
    private func withNotes(
        _ body: (Draft, _ mine: Book.Note, _ linking: Book.Note, _ move: () throws -> Void) throws
            -> Void
    ) throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let mine = draft.create(Book.Note.self, value: ["text": "mine", "lines": ["1"]])
            let linking = draft.create(Book.Note.self, value: ["text": "linking"])
            linking.other = mine
            let edited = try #require(draft.resolve(person))
            edited.notes.append(mine)
            edited.any = .object(mine)
            try body(draft, mine, linking) {
                try Book.elsewhere(realm) { realm in
                    let others = (0..<2).map {
                        realm.create(Book.Note.self, value: ["text": "theirs\($0)"])
                    }
                    others[0].other = others[1]
                    others[1].other = others[0]
                    let person = realm.create(Book.Person.self, value: ["id": 9])
                    person.notes.append(objectsIn: others)
                    person.any = .object(others[0])
                }
                try draft.save()
                #expect(mine.text == "mine" && linking.text == "linking")
            }
        }
    }

    @Test func links() throws {
        try withNotes { draft, mine, linking, move in
            let notes = draft.objects(Book.Note.self)
            let results = [
                notes.where { $0.other == mine },
                notes.filter("other == %@", mine),
                notes.filter("other IN %@", [mine]),
                notes.where { $0.other.in([mine]) },
                notes.where { !($0.other != mine) },
                notes.filter("NOT other != %@ AND text == 'linking'", mine),
                notes.where { $0.other == mine }.sorted(by: \.text),
                notes.sorted(by: \.text).where { $0.other == mine || $0.text == "none" },
                notes.where { $0.other == mine }.distinct(by: [\.text]),
            ]
            let limited = notes.where { $0.other == mine }.limit(1)
            let sections = notes.where { $0.other == mine }.sectioned(by: \.text, ascending: true)
            try move()
            for (index, result) in results.enumerated() {
                #expect(result.map(\.text) == ["linking"], "\(index)")
                #expect(result.count == 1 && result.first?.text == "linking", "\(index)")
                #expect(result.freeze().map(\.text) == ["linking"], "\(index)")
                #expect(result.sorted(by: \.text).map(\.text) == ["linking"], "\(index)")
                #expect(result.where { $0.other == mine }.count == 1, "\(index)")
            }
            #expect(limited.map(\.text) == ["linking"])
            #expect(sections.allKeys == ["linking"])
            #expect(sections[0].first?.text == "linking")
        }
    }

    @Test func collections() throws {
        try withNotes { draft, mine, _, move in
            let people = draft.objects(Book.Person.self)
            let results = [
                people.where { $0.notes.contains(mine) },
                people.filter("ANY notes == %@", mine),
                people.filter("%@ IN notes", mine),
                people.filter("SUBQUERY(notes, $note, $note == %@).@count > 0", mine),
                people.filter(
                    "SUBQUERY(notes, $note, $note == %@ AND $note.text != 'x').@count == 1", mine),
                people.where { $0.any == .object(mine) },
                people.where { $0.any == .object(mine) && $0.id != 0 },
            ]
            try move()
            for (index, result) in results.enumerated() {
                #expect(result.map(\.id) == [1], "\(index)")
            }
        }
    }

    /// Predicates that are made into queries only afterwards.
    @Test func predicates() throws {
        try withNotes { draft, mine, linking, move in
            let predicate = try RealmPredicate("other == %@", mine)
            try move()
            #expect(draft.objects(Book.Note.self).filter(predicate).map(\.text) == ["linking"])
            #expect(
                draft.objects(Book.Note.self).where { $0.other == mine }.map(\.text) == ["linking"])
        }
    }

    /// To-one links followed backwards, by a query that the object keeps.
    @Test func backlinks() throws {
        try withNotes { draft, mine, _, move in
            let people = mine.people
            let sorted = mine.people.sorted(by: \.name)
            let filtered = mine.people.where { $0.notes.contains(mine) }
            try move()
            #expect(people.map(\.id) == [1] && sorted.map(\.id) == [1])
            #expect(filtered.map(\.id) == [1])
            #expect(people.freeze().map(\.id) == [1])
        }
    }

    /// Steps on the collection of a moved object.
    @Test func stepsOnCollections() throws {
        try withNotes { draft, mine, _, move in
            mine.lines.append(objectsIn: ["3", "2", "2"])
            let sorted = mine.lines.sorted(ascending: false)
            let distinct = sorted.distinct()
            let people = mine.people.sorted(by: \.name).distinct(by: [\.id]).limit(3)
            try move()
            #expect(Array(sorted) == ["3", "2", "2", "1"])
            #expect(Array(distinct) == ["3", "2", "1"])
            #expect(people.map(\.id) == [1])
        }
    }

    /// What was frozen before has the old keys, and is found in the draft nevertheless.
    @Test func frozenBefore() throws {
        try withNotes { draft, mine, linking, move in
            let note = mine.freeze()
            let results = draft.objects(Book.Note.self).where { $0.other == mine }.freeze()
            let lines = mine.lines.freeze()
            let controller = ListController(draft.objects(Book.Note.self).sorted(by: \.text))
            try move()
            #expect(note.text == "mine" && results.map(\.text) == ["linking"])
            #expect(Array(lines) == ["1"] && results.where { $0.other == note }.count == 1)
            #expect(draft.resolve(note)?.text == "mine")
            #expect(draft.resolve(lines).map { Array($0) } == ["1"])
            #expect(draft.resolve(results)?.map(\.text) == ["linking"])
            #expect(controller.objects(in: 0).map(\.text) == ["linking", "mine"])
            #expect(controller.indexPath(for: mine) == [0, 1])
            #expect(controller.indexPath(for: linking) == [0, 0])
            let others = draft.objects(Book.Note.self).where { $0.text.starts(with: "theirs") }
            #expect(others.count == 2)
            #expect(others.allSatisfy { controller.indexPath(for: $0) == nil })
        }
    }

    /// A second move, of objects that were added after the first.
    @Test func movedTwice() throws {
        try Book.withPerson { realm, _ in
            let draft = try realm.draft()
            let mine = draft.create(Book.Note.self, value: ["text": "mine"])
            let linking = draft.create(Book.Note.self, value: ["text": "linking"])
            linking.other = mine
            let found = draft.objects(Book.Note.self).where { $0.other == mine }
            for round in 0..<3 {
                try Book.elsewhere(realm) { realm in
                    let other = realm.create(Book.Note.self, value: ["text": "theirs\(round)"])
                    other.other = other
                }
                try draft.rebase()
                #expect(found.map(\.text) == ["linking"])
                #expect(mine.text == "mine")
            }
        }
    }
}
