import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// A realm holds the version that it reads and no other, whatever its scheduler does not do.
@Suite struct ReaderPinTests {
    private func configuration(_ directory: TemporaryDirectory) -> Realm.Configuration {
        Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
    }

    // MARK: Each kind of confinement

    /// As the main thread of a program without a run loop.
    @Test func aSchedulerThatIsNeverRun() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(
                configuration: configuration(directory), scheduler: ManualScheduler())
            try ReaderPins(realm: realm).moveByHand()
        }
    }

    @Test func aLongBlockOfAQueue() throws {
        let directory = try TemporaryDirectory()
        let queue = DispatchQueue(label: "held")
        let configuration = configuration(directory)
        try queue.sync {
            try ReaderPins(realm: Realm(configuration: configuration, queue: queue)).moveByHand()
        }
        directory.delete()
    }

    private actor Busy {
        func run(_ configuration: Realm.Configuration) async throws {
            let realm = try await Realm.open(configuration: configuration)
            try ReaderPins(realm: realm).moveByHand()
        }
    }

    @Test func aLongJobOfAnActor() async throws {
        let directory = try TemporaryDirectory()
        try await Busy().run(configuration(directory))
        directory.delete()
    }

    private actor Pinned: PinnedActor {
        let executor = PinnedExecutor("held")

        func run(_ configuration: Realm.Configuration) throws {
            try ReaderPins(realm: Realm(configuration: configuration)).moveByHand()
        }
    }

    @Test func aLongJobOfAPinnedActor() async throws {
        let directory = try TemporaryDirectory()
        try await Pinned().run(configuration(directory))
        directory.delete()
    }

    @Test func aThread() throws {
        let directory = try TemporaryDirectory()
        let configuration = configuration(directory)
        try onNewThread {
            try ReaderPins(realm: Realm(configuration: configuration)).moveByHand(
                observable: false)
        }
        directory.delete()
    }

    // MARK: What else could hold a version

    /// A realm on a scheduler that is stepped by hand.
    private func withStepped(_ body: (ReaderPins, ManualScheduler) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let scheduler = ManualScheduler()
            let realm = try Realm(configuration: configuration(directory), scheduler: scheduler)
            try realm.write { realm.add(Fixture.Person(id: 1, name: "a")) }
            try body(ReaderPins(realm: realm), scheduler)
        }
    }

    private func deliver(_ held: ReaderPins, _ scheduler: ManualScheduler) {
        repeat {
            held.realm.waitForNotifier()
            scheduler.runAll()
            held.realm.waitForNotifier()
        } while scheduler.workCount > 0
    }

    /// With changes of the realm's own, observers stand one version behind until their
    /// scheduler runs, or the realm moves again; never further.
    @Test func ownWritesLeaveObserversOneVersionBehind() throws {
        try withStepped { held, _ in
            let realm = held.realm
            let token = realm.objects(Fixture.Person.self).observe { _ in }
            realm.refresh()
            for id in 1...10 {
                try held.commit()
                try realm.write { realm.add(Fixture.Person(id: -id)) }
                try held.expectAllNamed("behind")
                let report = try realm.versionReport()
                #expect(
                    realm.readVersions == [report.newestVersion - 1, report.newestVersion],
                    "\(report)")
            }
            realm.refresh()
            try held.expectOnlyNewest("refreshed")
            withExtendedLifetime(token) {}
        }
    }

    @Test func tokensThatEndedWithTheirRealm() throws {
        try withStepped { held, scheduler in
            let token = held.realm.objects(Fixture.Person.self).observe { _ in }
            deliver(held, scheduler)
            held.realm.invalidate()
            #expect(held.realm.readVersions == [])
            try held.commit()
            held.realm.refresh()
            try held.expectOnlyNewest("ended")
            #expect(!token.invalidate())
        }
    }

    @Test func aPackageWithoutObservers() throws {
        try withStepped { held, scheduler in
            let token = held.realm.objects(Fixture.Person.self).observe { _ in }
            deliver(held, scheduler)
            let read = held.realm.readVersions
            try held.commit()
            token.invalidate()
            #expect(held.realm.readVersions == read)
            deliver(held, scheduler)
            try held.expectOnlyNewest("delivered")
        }
    }

    /// A paused observer keeps its baseline readable until it resumes.
    @Test func pausedObservers() throws {
        try withStepped { held, scheduler in
            let token = held.realm.objects(Fixture.Person.self).observe { _ in }
            deliver(held, scheduler)
            let told = try #require(held.realm.readVersions.first)
            token.setPaused(true)
            for _ in 0..<3 {
                try held.commit()
                held.realm.refresh()
                #expect(
                    try held.realm.readVersions == [told, held.realm.versionReport().newestVersion])
                try held.expectAllNamed("paused")
            }
            token.setPaused(false)
            held.realm.refresh()
            try held.expectOnlyNewest("resumed")
        }
    }

    /// What is known of sections where nothing happened to them.
    @Test func sectionsBesideChangesOfOtherClasses() throws {
        try withStepped { held, scheduler in
            let realm = held.realm
            try realm.write { realm.add(Fixture.House()) }
            let sections = realm.objects(Fixture.Tagged.self).sectioned(by: \.value)
            let controller = SectionedListController(
                realm.objects(Fixture.Tagged.self).sectioned(by: \.value))
            let tokens = [sections.observe { _ in }, controller.observe { _ in }]
            deliver(held, scheduler)
            for _ in 0..<3 {
                try held.commit()
                deliver(held, scheduler)
                try held.expectOnlyNewest("delivered")
            }
            withExtendedLifetime((tokens, controller)) {}
        }
    }

    /// Lists, sets and maps that were read or changed, and are not used again.
    @Test func collectionsThatAreKept() throws {
        try withStepped { held, _ in
            let realm = held.realm
            let holder = Fixture.Holder()
            try realm.write {
                realm.add(holder)
                holder.numbers.append(objectsIn: 0..<5000)
            }
            let (numbers, tags, scores) = (holder.numbers, holder.tags, holder.scores)
            let sorted = numbers.sorted()
            func look() -> Int {
                numbers[0] + numbers.count + tags.count + scores.count + (sorted.first ?? 0)
            }
            _ = look()
            try held.commit()
            realm.refresh()
            try held.expectOnlyNewest("read")
            _ = look()
            try realm.write {
                numbers.append(7)
                tags.insert("tag")
                _ = look()
            }
            try held.commit()
            realm.refresh()
            try held.expectOnlyNewest("changed")
            #expect(numbers.count == 5001)
            withExtendedLifetime(sorted) {}
        }
    }

    /// Loops over values keep their version, and say so.
    @Test func loopsOverValues() throws {
        try withStepped { held, _ in
            let realm = held.realm
            let holder = Fixture.Holder()
            try realm.write {
                realm.add(holder)
                holder.numbers.append(objectsIn: 0..<5000)
            }
            let version = try #require(realm.readVersions.last)
            var iterator: RLMIterator<Int>? = holder.numbers.makeIterator()
            #expect(iterator?.next() == 0)
            try held.commit()
            realm.refresh()
            #expect(
                try realm.versionReport().pins.filter { $0.holder == .iterator }.map(\.version) == [
                    version
                ])
            try held.expectAllNamed("loop")
            iterator = nil
            try held.expectOnlyNewest("after the loop")
        }
    }

    /// A task that waits for changes and never comes for them.
    @MainActor @Test func changesThatNobodyTakes() async throws {
        let directory = try TemporaryDirectory()
        let realm = try await Realm(configuration: configuration(directory))
        let held = ReaderPins(realm: realm)
        let task = Task { @MainActor in
            for await _ in realm.objects(Fixture.Person.self).changes {}
        }
        await Task.yield()
        // From here on this block keeps the main actor.
        for _ in 0..<3 {
            try held.commit()
            realm.refresh()
            try held.expectAllNamed("not taken")
            let report = try realm.versionReport()
            let kept = report.pins.filter { $0.holder == .observer }.map(\.version)
            #expect(Set(realm.readVersions) == Set(kept + [report.newestVersion]), "\(report)")
            #expect(kept.count <= 1)
        }
        task.cancel()
        await task.value
        try held.expectOnlyNewest("ended")
        directory.delete()
    }

    /// A loop over a controller's batches keeps what the controller shows, and nothing of the
    /// beginning.
    @MainActor @Test func batchesOfAController() async throws {
        let directory = try TemporaryDirectory()
        let realm = try await Realm(configuration: configuration(directory))
        let held = ReaderPins(realm: realm)
        let controller = ListController(realm.objects(Fixture.Person.self))
        let task = Task { @MainActor in
            var count = 0
            for await _ in controller.updates {
                count += controller.numberOfItems(in: 0) - count
                if count < 15 { continue }
                // While the loop lasts.
                try held.expectOnlyNewest("shown")
                break
            }
        }
        for _ in 0..<3 {
            try await awaitThread { [configuration = realm.configuration] in
                try add(5, configuration)
            }
        }
        try await task.value
        withExtendedLifetime(controller) {}
        directory.delete()
    }
}

private func add(_ count: Int, _ configuration: Realm.Configuration) throws {
    try onNewThread {
        let realm = try Realm(configuration: configuration)
        let next = (realm.objects(Fixture.Person.self).max(of: \.id) ?? 0) + 1
        for id in next..<next + count { try realm.write { realm.add(Fixture.Person(id: id)) } }
    }
}
