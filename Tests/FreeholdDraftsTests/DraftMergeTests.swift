import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Saving a draft after others have committed.
@Suite struct DraftMergeTests {
    @Test func mergesWhatDoesNotOverlap() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            edited.tags.insert("first", at: 0)
            edited.home?.street = "Side Street"
            try Book.elsewhere(realm) {
                let person = try Book.person(in: $0)
                person.age = 99
                person.tags.append("last")
                person.home?.city = "Paris"
            }
            #expect(edited.age == 36)
            #expect(try draft.conflicts.isEmpty)
            try draft.save()
            #expect(person.name == "Eve" && person.age == 99)
            #expect(Array(person.tags) == ["first", "a", "b", "c", "last"])
            #expect(person.home?.street == "Side Street" && person.home?.city == "Paris")
            #expect(edited.age == 99 && edited.tags.count == 5 && !draft.hasChanges)
        }
    }

    @Test func conflictsAreThrownAndNothingIsLost() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            edited.age = 50
            try Book.elsewhere(realm) { try Book.person(in: $0).name = "Grace" }
            let conflict = try #require(throws: DraftConflict.self) { try draft.save() }
            let one = try #require(conflict.conflicts.first)
            #expect(conflict.conflicts.count == 1 && one.kind == .value && one.property == "name")
            #expect(one.base == "Ada" && one.mine == "Eve" && one.theirs == "Grace")
            #expect(one.object?.className == "Book_Person" && one.object?.primaryKey == 1)
            #expect(try draft.conflicts == conflict.conflicts)
            #expect(edited.name == "Eve" && edited.age == 50 && draft.hasChanges)
            realm.refresh()
            #expect(person.name == "Grace" && person.age == 36)
            let encoded = try JSONEncoder().encode(conflict)
            #expect(try JSONDecoder().decode(DraftConflict.self, from: encoded) == conflict)
            #expect(
                conflict.description.contains(
                    EncryptedSuite.isOn
                        ? "Book_Person #1  name      …     …"
                        : "Book_Person 1  name      \"Ada\"  \"Eve\""))
            edited.name = "Ada"
            try draft.save()
            #expect(person.name == "Grace" && person.age == 50)
        }
    }

    @Test(arguments: [DraftConflict.Resolution.mine, .theirs, .value("Both")])
    func resolutions(_ resolution: DraftConflict.Resolution) throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            try Book.elsewhere(realm) { try Book.person(in: $0).name = "Grace" }
            try draft.save(resolving: resolution)
            let expected =
                switch resolution {
                case .mine: "Eve"
                case .theirs: "Grace"
                case .value: "Both"
                }
            #expect(person.name == expected && edited.name == expected)
        }
    }

    @Test func theClosureDecidesEachConflict() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            edited.age = 50
            edited.nickname = "E"
            try Book.elsewhere(realm) {
                let person = try Book.person(in: $0)
                (person.name, person.age, person.nickname) = ("Grace", 60, "G")
            }
            var asked: [String?] = []
            #expect(throws: DraftConflict.self) {
                try draft.save { conflict in
                    asked.append(conflict.property)
                    return conflict.property == "name" ? .mine : nil
                }
            }
            #expect(Set(asked) == ["name", "age", "nickname"] && asked.count == 3)
            try draft.save { $0.property == "age" ? .theirs : .mine }
            #expect(person.name == "Eve" && person.age == 60 && person.nickname == "E")
        }
    }

    @Test func deletedByOneSide() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            try #require(draft.resolve(person)).name = "Eve"
            try Book.elsewhere(realm) { $0.delete(try Book.person(in: $0)) }
            let conflict = try #require(throws: DraftConflict.self) { try draft.save() }
            #expect(conflict.conflicts.map(\.kind) == [.deletedByThem])
            #expect(conflict.conflicts[0].changed == ["Book_Person 1.name"])
            try draft.save(resolving: .mine)
            #expect(try Book.person(in: realm).name == "Eve")
            #expect(try Book.person(in: realm).tags.count == 3)
        }
    }

    @Test func rebases() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            #expect(try !draft.rebase())
            try Book.elsewhere(realm) { try Book.person(in: $0).age = 99 }
            #expect(edited.age == 36)
            #expect(try draft.rebase())
            #expect(edited.age == 99 && edited.name == "Eve" && draft.hasChanges)
            #expect(draft.changes.first?.properties.map(\.name) == ["name"])
            try Book.elsewhere(realm) { try Book.person(in: $0).name = "Grace" }
            #expect(throws: DraftConflict.self) { try draft.rebase() }
            #expect(edited.name == "Eve")
            try draft.rebase(resolving: .mine)
            try draft.save()
            #expect(person.name == "Eve" && person.age == 99)
        }
    }

    /// Rows of the draft whose keys others have used get other keys; the objects follow.
    @Test func newObjectsKeepTheirRows() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            let mine = draft.create(Book.Note.self, value: ["text": "mine", "lines": ["1"]])
            let second = draft.create(Book.Note.self, value: ["text": "second"])
            mine.other = second
            edited.notes.append(objectsIn: [mine, second])
            let lines = mine.lines
            let order = draft.create(Book.Order.self, value: ["text": "mine"])
            #expect(order.id == 1)
            try Book.elsewhere(realm) {
                $0.create(Book.Note.self, value: ["text": "theirs", "lines": ["x", "y"]])
                $0.create(Book.Order.self, value: ["text": "theirs"])
            }
            try draft.save()
            #expect(
                mine.text == "mine" && second.text == "second"
                    && second.isSameObject(as: mine.other))
            #expect(Array(lines) == ["1"] && edited.notes.index(of: mine) == 0)
            lines.append("2")
            mine.text = "changed"
            #expect(order.text == "mine" && order.id == 2)
            try draft.save()
            #expect(
                Set(realm.objects(Book.Note.self).map(\.text)) == ["theirs", "changed", "second"])
            #expect(Set(realm.objects(Book.Order.self).map(\.text)) == ["theirs", "mine"])
            #expect(person.notes.map(\.text) == ["changed", "second"])
            #expect(Array(person.notes[0].lines) == ["1", "2"])
        }
    }

    /// Collections of objects whose rows others' rows displaced.
    @Test func collectionsFollowMovedRows() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            let mine = draft.create(Book.Note.self, value: ["text": "mine", "lines": ["1", "2"]])
            edited.notes.append(mine)
            let sorted = mine.lines.sorted(ascending: false)
            let people = mine.people
            #expect(sorted.count == 2 && people.count == 1)
            try Book.elsewhere(realm) { realm in
                realm.create(Book.Note.self, value: ["text": "theirs", "lines": ["x", "y"]])
            }
            try draft.save()
            #expect(Array(sorted) == ["2", "1"])
            #expect(people.count == 1 && people.first?.id == 1)
        }
    }

    @Test func primaryKeysCreatedTwice() throws {
        try Book.withPerson { realm, _ in
            let draft = try realm.draft()
            draft.create(Book.Country.self, value: ["code": "GB", "name": "mine"])
            draft.create(Book.Country.self, value: ["code": "FR", "name": "same"])
            let equal = try #require(
                draft.object(ofType: Book.Country.self, forPrimaryKey: "FR"))
            try Book.elsewhere(realm) {
                $0.create(Book.Country.self, value: ["code": "FR", "name": "same"])
                $0.create(Book.Country.self, value: ["code": "GB", "name": "theirs"])
            }
            let conflict = try #require(throws: DraftConflict.self) { try draft.save() }
            #expect(conflict.conflicts.map(\.kind) == [.createdTwice])
            try draft.save(resolving: .mine)
            let countries = realm.objects(Book.Country.self).sorted(by: \.code)
            #expect(countries.map(\.name) == ["same", "mine"] && equal.name == "same")
        }
    }
}
