import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Wrong use of list controllers ends the process with what to do.
@Suite struct ListControllerTrapTests {
    @Test func rowsThatAreNotThere() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let place = try Observatory()
            _ = ListController(place.realm.objects(ObservedModels.Item.self)).object(
                at: IndexPath(item: 0, section: 0))
        }
        expectMessage(result, "Index 0 is out of bounds (must be less than 0).")
    }

    @Test func sectionsThatAreNotThere() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let place = try Observatory()
            _ = SectionedListController(
                place.realm.objects(ObservedModels.Item.self).sectioned(by: \.name)
            ).numberOfItems(in: 0)
        }
        expectMessage(result, "Index 0 is out of bounds (must be less than 0).")
    }

    @Test func pathsThatLeadElsewhere() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let place = try Observatory()
            _ = ListController(place.realm.objects(ObservedModels.Item.self)).object(
                at: IndexPath(indexes: [0]))
        }
        expectMessage(
            result, "does not lead to an element of a section.", "IndexPath(item:section:)")
    }

    @Test func frozenCollections() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = ListController(try Observatory().realm.objects(ObservedModels.Item.self).freeze())
        }
        expectMessage(
            result, "Frozen Realms do not change and do not have change notifications.", "thaw()")
    }

    @Test func unmanagedCollections() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = ListController(ObservedModels.Item().children)
        }
        expectMessage(result, "Change notifications are only supported on managed collections.")
    }

    @Test func threadsWithoutRunLoops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let controller = ListController(
                try Observatory().writer.objects(ObservedModels.Item.self))
            guard controller.numberOfItems(in: 0) == 0 else { return }
            _ = controller.observe { _ in }
        }
        expectMessage(result, "Can only add notification blocks from within runloops.")
    }

    @Test func wrongThreads() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let place = try Observatory()
            let controller = Smuggled(
                value: ListController(place.realm.objects(ObservedModels.Item.self)))
            try onNewThread { _ = controller.value.numberOfSections }
        }
        expectMessage(
            result, "Realm accessed from incorrect thread.",
            "numberOfSections of ListController<Item>")
    }
}
