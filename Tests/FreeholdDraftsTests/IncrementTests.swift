import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// `increment(_:by:)`: counters that several sides change.
@Suite struct IncrementTests {
    @Test func inATransaction() throws {
        try Book.withPerson { realm, person in
            try realm.write {
                person.increment(\.age)
                person.increment(\.age, by: -7)
            }
            #expect(person.age == 30)
            let unmanaged = Book.Person()
            unmanaged.increment(\.age, by: 2)
            #expect(unmanaged.age == 2)
        }
    }

    @Test func bothSidesAdd() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.increment(\.age, by: 2)
            edited.increment(\.age, by: 3)
            try Book.elsewhere(realm) { try Book.person(in: $0).age = 100 }
            try draft.rebase()
            #expect(edited.age == 105)
            edited.increment(\.age)
            try Book.elsewhere(realm) { try Book.person(in: $0).age += 10 }
            let inner = try draft.draft()
            try #require(inner.resolve(edited)).increment(\.age, by: 1000)
            edited.increment(\.age)
            try inner.save()
            #expect(edited.age == 1107)
            try draft.save()
            #expect(person.age == 1117 && edited.age == 1117)
            // What was saved is not added again.
            try Book.elsewhere(realm) { try Book.person(in: $0).age = 0 }
            edited.increment(\.age, by: 5)
            try draft.save()
            #expect(person.age == 5)
        }
    }

    @Test func aValueThatWasSetIsAConflict() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.increment(\.age)
            edited.age = 7
            try Book.elsewhere(realm) { try Book.person(in: $0).age = 100 }
            #expect(throws: DraftConflict.self) { try draft.save() }
            try draft.undo()
            edited.increment(\.age)
            edited.age = .max
            edited.increment(\.age, by: -1)
            #expect(throws: DraftConflict.self) { try draft.save() }
        }
    }

    @Test func misuse() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let person = Book.Person()
            person.age = .max
            person.increment(\.age)
        }
        expectMessage(result, "The sum of an increment", "wider type")
    }
}
