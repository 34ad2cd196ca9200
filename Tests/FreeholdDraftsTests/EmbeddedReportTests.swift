import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Changes and conflicts name the owner of an embedded object.
@Suite struct EmbeddedReportTests {
    @Test func changesNameTheOwner() throws {
        try Book.withPerson { realm, person in
            try realm.write {
                person.addresses.append(Book.Address(value: ["street": "Hill", "city": "Bath"]))
            }
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.home?.street = "Side Street"
            edited.addresses[0].city = "Kent"
            edited.addresses.append(Book.Address(value: ["street": "Sea", "city": "Dover"]))
            let new = draft.create(Book.Person.self, value: ["id": 2])
            new.home = Book.Address(value: ["street": "New", "city": "York"])
            let owners = draft.changes.map { "\($0.kind.rawValue) \($0.object.owner ?? "-")" }
            #expect(
                owners == [
                    "changed Book_Person 1.home", "changed Book_Person 1.addresses",
                    "added Book_Person 1.addresses", "added Book_Person 2.home", "changed -",
                    "added -",
                ])
            let text = try #require(draft.changes.first).description
            #expect(text.hasPrefix("changed Book_Address #"))
            #expect(text.contains(" of Book_Person 1.home\n  street: \"Main Street\" -> "))
            edited.home = nil
            edited.addresses.remove(at: 0)
            let deleted = draft.changes.filter { $0.kind == .deleted }.map(\.object.owner)
            #expect(deleted == ["Book_Person 1.home", "Book_Person 1.addresses"])
        }
    }

    @Test func conflictsNameTheOwner() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            try #require(draft.resolve(person)?.home).street = "Side Street"
            try Book.elsewhere(realm) { try Book.person(in: $0).home?.street = "Hill" }
            let conflict = try #require(try draft.conflicts.first)
            #expect(conflict.object?.owner == "Book_Person 1.home" && conflict.property == "street")
            let data = try JSONEncoder().encode(conflict)
            #expect(try JSONDecoder().decode(DraftConflict.Conflict.self, from: data) == conflict)
            let error = #expect(throws: DraftConflict.self) { try draft.save() }
            #expect("\(try #require(error))".contains(" of Book_Person 1.home  street "))
        }
    }

    @Test func aDeletedOwnerTellsWhatChangedInIt() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            try #require(draft.resolve(person)?.home).street = "Side Street"
            try Book.elsewhere(realm) { $0.delete(try Book.person(in: $0)) }
            let conflicts = try draft.conflicts
            #expect(conflicts.flatMap(\.changed) == ["Book_Person 1.home.street"])
        }
    }
}
