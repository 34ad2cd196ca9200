import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Wrong use of observation ends the process with Realm's text and what to do.
@Suite struct ObservationTrapTests {
    typealias Item = ObservedModels.Item

    @Test func threadsWithoutRunLoops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let place = try Observatory()
            _ = place.writer.objects(ObservedModels.Item.self).observe { _ in }
        }
        expectMessage(
            result, "Can only add notification blocks from within runloops.", "observe on a queue")
    }

    @Test func realmsOnThreadsWithoutRunLoops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try Observatory().writer.observe { _, _ in }
        }
        expectMessage(result, "Can only add notification blocks from within runloops.")
    }

    @Test func frozenCollections() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try Observatory().realm.objects(ObservedModels.Item.self).freeze().observe { _ in }
        }
        expectMessage(
            result, "Frozen Realms do not change and do not have change notifications.", "thaw()")
    }

    @Test func readOnlyRealms() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let directory = try TemporaryDirectory()
            var configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: ObservedModels.all)
            try onNewThread { [configuration] in _ = try Realm(configuration: configuration) }
            configuration.readOnly = true
            _ = try Realm(configuration: configuration, scheduler: ManualScheduler()).objects(
                ObservedModels.Item.self
            ).observe { _ in }
        }
        expectMessage(
            result, "Read-only Realms do not change and do not have change notifications.")
    }

    @Test func unmanagedCollections() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = ObservedModels.Item().children.observe { _ in }
        }
        expectMessage(result, "Change notifications are only supported on managed collections.")
    }

    @Test func unmanagedMaps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = ObservedModels.Item().marks.observe { _ in }
        }
        expectMessage(result, "Change notifications are only supported on managed collections.")
    }

    @Test func unmanagedObjects() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = ObservedModels.Item().observe { _ in }
        }
        expectMessage(
            result, "Only objects which are managed by a Realm support change notifications")
    }

    @Test func changedTransactions() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let realm = try Observatory().realm
            realm.beginWrite()
            realm.add(ObservedModels.Item(id: 1))
            _ = realm.objects(ObservedModels.Item.self).observe { _ in }
        }
        expectMessage(
            result, "Cannot create asynchronous query after making changes in a write transaction.")
    }

    @Test func keyPathsThatNameNothing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try Observatory().realm.objects(ObservedModels.Item.self).observe(keyPaths: [
                "next.nme"
            ]) { _ in }
        }
        expectMessage(
            result,
            """
            Invalid property name: property 'nme' not found in object of type \
            'ObservedModels_Item'
            """
        )
    }

    @Test func keyPathsOfValues() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let realm = try Observatory().realm
            try realm.write { realm.add(ObservedModels.Item(id: 1)) }
            _ = realm.objects(ObservedModels.Item.self).first?.numbers.observe(keyPaths: ["x"]) {
                _ in
            }
        }
        expectMessage(result, "Key paths are not supported for collections of values.")
    }

    @Test func tokensOfOtherRealms() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let place = try Observatory()
            let token = place.realm.objects(ObservedModels.Item.self).observe { _ in }
            try place.writer.write(withoutNotifying: [token]) {}
        }
        expectMessage(
            result,
            "Incorrect Realm: only notifications for the Realm being modified can be skipped.")
    }

    @Test func aRealmsTokenOnAnotherThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let place = try Observatory()
            let token = place.realm.observe { _, _ in }
            try onNewThread { _ = token.invalidate() }
        }
        expectMessage(
            result, "Realm accessed from incorrect thread.", "NotificationToken.invalidate()")
    }

    @Test func observingOnAnotherThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let place = try Observatory()
            nonisolated(unsafe) let items = place.realm.objects(ObservedModels.Item.self)
            try onNewThread { _ = items.observe(on: DispatchQueue(label: "q")) { _ in } }
        }
        expectMessage(result, "Realm accessed from incorrect thread.")
    }
}
