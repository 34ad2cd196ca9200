import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Misuse ends the process with Realm's text.
@Suite struct ResultsTrapTests {
    @Test func indexOutOfBounds() async {
        let whole = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items[3] }
        }
        expectMessage(whole, "Index 3 is out of bounds (must be less than 3).")
        let filtered = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withItems(3) { fixture in _ = fixture.items.where { $0.age > 1000 }[0] }
        }
        expectMessage(filtered, "Index 0 is out of bounds (must be less than 0).")
    }

    @Test func negativeIndex() async {
        let whole = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items[-1] }
        }
        expectMessage(whole, "Cannot pass a negative value for 'index'.")
        let sorted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { fixture in _ = fixture.items.sorted(by: \.age)[-1] }
        }
        expectMessage(sorted, "Cannot pass a negative value for 'index'.")
    }

    @Test func indexSetOutOfBounds() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { fixture in _ = fixture.items.objects(at: IndexSet([0, 3])) }
        }
        expectMessage(result, "Indexes for collection are out of bounds.")
    }

    @Test func wrongThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { fixture in
                struct Box: @unchecked Sendable { let items: Results<ResultsItem> }
                // Sendable: it is not, which is what the test is about.
                let box = Box(items: fixture.items)
                try onNewThread { _ = box.items.count }
            }
        }
        expectMessage(result, "Realm accessed from incorrect thread.")
        expectMessage(result, "count of Results<ResultsItem>")
    }

    @Test func wrongThreadInALoop() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { fixture in
                struct Box: @unchecked Sendable { let items: Results<ResultsItem> }
                // Sendable: it is not, which is what the test is about.
                let box = Box(items: fixture.items)
                try onNewThread { for _ in box.items {} }
            }
        }
        expectMessage(result, "Realm accessed from incorrect thread.")
    }

    @Test func invalidated() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { fixture in
                let items = fixture.items
                fixture.realm.invalidate()
                _ = items.count
            }
        }
        expectMessage(result, "Access to invalidated Results objects")
    }

    @Test func settingOutsideOfATransaction() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { fixture in fixture.items.setValue(1, forKey: "age") }
        }
        expectMessage(result, "outside of a write transaction")
    }

    @Test func deletingAForeignCollection() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { fixture in
                let items = fixture.items
                try withItems(3) { other in try other.realm.write { other.realm.delete(items) } }
            }
        }
        expectMessage(result, "Can only delete objects from the Realm they belong to.")
    }

    @Test func sortingByNothing() async {
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { fixture in _ = fixture.items.sorted(byKeyPath: "wings") }
        }
        expectMessage(
            unknown, "Cannot sort on key path 'wings': property 'ResultsItem.wings' does not exist."
        )
        let nested = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { fixture in _ = fixture.items.sorted(byKeyPath: "owner.wings") }
        }
        expectMessage(
            nested,
            "Cannot sort on key path 'owner.wings': property 'ResultsOwner.wings' does not exist.")
        let collection = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withItems(3) { fixture in _ = fixture.items.sorted(byKeyPath: "owner.@count") }
        }
        expectMessage(
            collection,
            "Cannot sort on key path 'owner.@count': KVC collection operators are not supported.")
        let scalar = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { fixture in _ = fixture.items.sorted(byKeyPath: "age.years") }
        }
        expectMessage(
            scalar, "Cannot sort on key path 'age.years': property 'ResultsItem.age' is not a link")
    }

    @Test func aggregatesOfNothing() async {
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { fixture in _ = fixture.items.sum(ofProperty: "wings") as Int }
        }
        expectMessage(unknown, "Invalid property name 'wings' for class 'ResultsItem'.")
        let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { fixture in _ = fixture.items.max(ofProperty: "name") as Int? }
        }
        expectMessage(text, "Operation 'max' not supported for")
    }
}
