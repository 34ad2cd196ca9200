import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Misuse of sections, limits and distinct collections ends the process with Realm's text.
@Suite struct SectionTrapTests {
    @Test func noOrder() async {
        let byKeyPath = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withItems(3) { _ = $0.items.sectioned(by: \.age, sortDescriptors: []) }
        }
        expectMessage(
            byKeyPath, "There must be at least one SortDescriptor when using SectionedResults.",
            "Pass sort descriptors")
        let byFunction = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withItems(3) { _ = $0.items.sectioned(sortDescriptors: []) { $0.age } }
        }
        expectMessage(byFunction, "Can not section Results with empty sortDescriptor parameter.")
    }

    @Test func otherOrder() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) {
                _ = $0.items.sectioned(by: \.age, sortDescriptors: ["name", "age"])
            }
        }
        expectMessage(
            result, "The section key path must match the primary sort descriptor.",
            "The sections are by 'age' and the order is by 'name' first")
    }

    @Test func links() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) {
                _ = $0.items.sectioned(by: \.owner, sortDescriptors: ["owner.name"])
            }
        }
        expectMessage(result, "Links are not supported as section keys.")
    }

    @Test func outOfBounds() async {
        let section = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(1) { _ = $0.items.sectioned(by: \.age)[1] }
        }
        expectMessage(
            section, "Index 1 is out of bounds (must be less than 1).",
            "SectionedResults<ResultsItem>")
        let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(1) { _ = $0.items.sectioned(by: \.age)[0][-1] }
        }
        expectMessage(
            element, "Cannot pass a negative value for 'index'.", "ResultsSection<ResultsItem>")
        let path = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(1) { _ = $0.items.sectioned(by: \.age)[IndexPath(item: 1, section: 0)] }
        }
        expectMessage(path, "Index 1 is out of bounds (must be less than 1).")
        let short = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(1) { _ = $0.items.sectioned(by: \.age)[IndexPath(index: 0)] }
        }
        expectMessage(
            short, "Index path \(IndexPath(index: 0)) does not lead to an element of a section.",
            "It has 1 indexes: use IndexPath(item:section:).")
    }

    @Test func computedProperties() async {
        let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(0) { _ = $0.realm.objects(ResultsStateful.self).sectioned(by: \.visits) }
        }
        expectMessage(
            object, "Key path '", "visits' does not lead to a persisted property",
            "pass a function for what is computed")
        let ordered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(0) {
                _ = $0.realm.objects(ResultsStateful.self).sectioned(
                    by: \.visits, sortDescriptors: ["number"])
            }
        }
        expectMessage(ordered, "visits' does not lead to a persisted property")
    }

    @Test func unmanagedAndInvalidated() async {
        let unmanaged = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = List<Int>().sectioned(by: { $0 }) }
        expectMessage(
            unmanaged,
            "This method may only be called on RLMArray instances retrieved from an RLMRealm")
        let invalidated = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withItems(3) { fixture in
                let sections = fixture.items.sectioned(by: \.age)
                fixture.realm.invalidate()
                _ = sections.count
            }
        }
        expectMessage(invalidated, "Access to invalidated Results objects")
    }

    @Test func slices() async {
        let limit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(3) { _ = $0.items.limit(-1) }
        }
        expectMessage(limit, "Cannot pass a negative value for 'limit'.")
        let offset = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(3) { _ = $0.items.offset(-2) }
        }
        expectMessage(offset, "Cannot pass a negative value for 'offset'.", "It was -2")
        let distinct = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withItems(3) { _ = $0.items.distinct(by: ["age", "nmae"]) }
        }
        expectMessage(
            distinct, "Cannot sort on key path 'nmae': property 'ResultsItem.nmae' does not exist.")
    }
}
