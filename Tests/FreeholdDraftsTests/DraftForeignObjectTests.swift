import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Objects of a draft in other drafts and in the realm, and the other way round.
@Suite struct DraftForeignObjectTests {
    enum Use: String, CaseIterable, Codable, Sendable {
        case addedToTheRealm, linkedInTheRealm, addedToADraft, appended, inAnyValue, deleted
        case usedAfterTheEnd, writtenAfterTheEnd

        func run() throws {
            try Book.withPerson { realm, person in
                let draft = try realm.draft()
                let edited = try #require(draft.resolve(person))
                let note = draft.create(Book.Note.self, value: ["text": "new"])
                switch self {
                case .addedToTheRealm: try realm.write { realm.add(edited) }
                case .linkedInTheRealm: try realm.write { person.partner = edited }
                case .addedToADraft: try realm.draft().add(note)
                case .appended: edited.notes.append(try realm.draft().create(Book.Note.self))
                case .inAnyValue: edited.any = .object(person)
                case .deleted: draft.delete(person)
                case .usedAfterTheEnd:
                    draft.discard()
                    _ = edited.name
                case .writtenAfterTheEnd:
                    draft.discard()
                    edited.name = "Eve"
                }
            }
        }

        var text: String {
            switch self {
            case .deleted: "Can only delete an object from the Realm it belongs to."
            case .usedAfterTheEnd, .writtenAfterTheEnd: "Object has been deleted or invalidated."
            default: "Object is already managed by another Realm."
            }
        }

        var remedy: String {
            switch self {
            case .usedAfterTheEnd, .writtenAfterTheEnd: "Draft.isDiscarded"
            default: "resolve(_:)"
            }
        }
    }

    @Test(arguments: Use.allCases) func traps(_ use: Use) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [use = use as Use] in try use.run() }
        expectMessage(result, use.text, use.remedy)
    }

    /// The row of an object that a draft has added may be another object's elsewhere.
    @Test func inQueries() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let mine = draft.create(Book.Note.self, value: ["text": "mine"])
            let linking = draft.create(Book.Note.self, value: ["text": "linking"])
            linking.other = mine
            try realm.write {
                let theirs = realm.create(Book.Note.self, value: ["text": "theirs"])
                realm.create(Book.Note.self, value: ["text": "link"]).other = theirs
            }
            let notes = draft.objects(Book.Note.self)
            #expect(notes.filter("other == %@", mine).map(\.text) == ["linking"])
            let predicate = try RealmPredicate("other == %@", mine)
            #expect(throws: RealmPredicateError.self) {
                try predicate.check(Book.Note.self, in: realm)
            }
            // What is in the file is the same object everywhere.
            let edited = try #require(draft.resolve(person))
            edited.partner = edited
            #expect(draft.objects(Book.Person.self).filter("partner == %@", person).count == 1)
        }
    }
}
