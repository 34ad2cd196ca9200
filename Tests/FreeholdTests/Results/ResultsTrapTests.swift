import Foundation
import Freehold
import Testing

/// Misuse ends the process with Realm's text.
@Suite struct ResultsTrapTests {
    @Test func indexOutOfBounds() async {
        let whole = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items[3] }
        }
        #expect(wrote("Index 3 is out of bounds (must be less than 3).", whole))
        let filtered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items.where { $0.age > 1000 }[0] }
        }
        #expect(wrote("Index 0 is out of bounds (must be less than 0).", filtered))
    }

    @Test func negativeIndex() async {
        let whole = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items[-1] }
        }
        #expect(wrote("Cannot pass a negative value for 'index'.", whole))
        let sorted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items.sorted(by: \.age)[-1] }
        }
        #expect(wrote("Cannot pass a negative value for 'index'.", sorted))
    }

    @Test func indexSetOutOfBounds() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items.objects(at: IndexSet([0, 3])) }
        }
        #expect(wrote("Indexes for collection are out of bounds.", result))
    }

    @Test func wrongThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in
                struct Box: @unchecked Sendable { let items: Results<ResultsItem> }
                // Sendable: it is not, which is what the test is about.
                let box = Box(items: fixture.items)
                _ = onAnotherThread { _ = box.items.count }
            }
        }
        #expect(wrote("Realm accessed from incorrect thread.", result))
        #expect(wrote("count of Results<ResultsItem>", result))
    }

    @Test func wrongThreadInALoop() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in
                struct Box: @unchecked Sendable { let items: Results<ResultsItem> }
                // Sendable: it is not, which is what the test is about.
                let box = Box(items: fixture.items)
                _ = onAnotherThread { for _ in box.items {} }
            }
        }
        #expect(wrote("Realm accessed from incorrect thread.", result))
    }

    @Test func invalidated() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in
                let items = fixture.items
                fixture.realm.invalidate()
                _ = items.count
            }
        }
        #expect(wrote("Access to invalidated Results objects", result))
    }

    @Test func settingOutsideOfATransaction() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in fixture.items.setValue(1, forKey: "age") }
        }
        #expect(wrote("outside of a write transaction", result))
    }

    @Test func deletingAForeignCollection() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in
                let items = fixture.items
                try withItems(3) { other in try other.realm.write { other.realm.delete(items) } }
            }
        }
        #expect(wrote("Can only delete objects from the Realm they belong to.", result))
    }

    @Test func sortingByNothing() async {
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items.sorted(byKeyPath: "wings") }
        }
        #expect(wrote("Cannot sort on key path 'wings': property 'ResultsItem.wings' does not exist.", unknown))
        let nested = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items.sorted(byKeyPath: "owner.wings") }
        }
        #expect(wrote("Cannot sort on key path 'owner.wings': property 'ResultsOwner.wings' does not exist.", nested))
        let collection = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items.sorted(byKeyPath: "owner.@count") }
        }
        #expect(wrote("Cannot sort on key path 'owner.@count': KVC collection operators are not supported.", collection))
        let scalar = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items.sorted(byKeyPath: "age.years") }
        }
        #expect(wrote("Cannot sort on key path 'age.years': property 'ResultsItem.age' is not a link", scalar))
    }

    @Test func aggregatesOfNothing() async {
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items.sum(ofProperty: "wings") as Int }
        }
        #expect(wrote("Invalid property name 'wings' for class 'ResultsItem'.", unknown))
        let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items.max(ofProperty: "name") as Int? }
        }
        #expect(wrote("Operation 'max' not supported for", text))
    }
}
