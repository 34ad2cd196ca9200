import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Who keeps which version: each kind of holder with its place.
@Suite struct VersionReportTests {
    private typealias Person = Fixture.Person

    private func commit(_ realm: Realm, _ id: Int) throws {
        try realm.write { realm.add(Person(id: id, name: "\(id)")) }
    }

    private func pins(_ realm: Realm, _ holder: Realm.PinnedVersion.Holder) throws -> [Realm
        .PinnedVersion]
    {
        try realm.versionReport().pins.filter { $0.holder == holder }
    }

    @Test func aLiveRealmIsNamedWithItsOpening() throws {
        try withTemporaryDirectory { directory in
            let line = UInt(#line) + 1
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Fixture.all))
            try commit(realm, 1)
            let report = try realm.versionReport()
            #expect(report.path == directory.file().path)
            #expect(report.activeVersionCount == 1)
            #expect(report.pins.map(\.holder) == [.realm])
            let pin = try #require(report.pins.first)
            #expect(pin.version == report.newestVersion)
            #expect(pin.place?.line == line)
            #expect(pin.place?.file == #fileID)
            #expect(pin.processID == ProcessInfo.processInfo.processIdentifier)
            #expect(try #require(pin.age) >= .zero)
        }
    }

    @Test func frozenValuesAreNamedWithTheLineThatFrozeThem() throws {
        try withTemporaryRealm { realm in
            try commit(realm, 1)
            let person = try #require(realm.objects(Person.self).first)
            var frozen: [Any] = []
            var lines: [UInt] = []
            func next(_ value: Any, _ line: UInt) throws {
                frozen.append(value)
                lines.append(line)
                try commit(realm, frozen.count + 1)
            }
            // Each in a version of its own, for values that are frozen at one version share one
            // realm.
            try next(realm.freeze(), #line)
            try next(person.freeze(), #line)
            try next(realm.objects(Person.self).where { $0.age > 1 }.freeze(), #line)
            try next(person.admirers.freeze(), #line)
            try next(Frozen(person), #line)
            try next(realm.freeze(person), #line)
            try next(realm.freeze(realm.objects(Person.self)), #line)
            try next(realm.objects(Person.self).sectioned(by: \.name).freeze(), #line)
            try next(AnyRealmCollection(realm.objects(Person.self)).freeze(), #line)
            let pins = try pins(realm, .frozen)
            #expect(pins.map(\.place?.line) == lines)
            #expect(pins.allSatisfy { $0.place?.file == #fileID })
            #expect(pins.map(\.version) == pins.map(\.version).sorted())
            frozen = []
            #expect(try self.pins(realm, .frozen).isEmpty)
        }
    }

    @Test func frozenCollectionsOfObjectsAreNamedToo() throws {
        try withTemporaryRealm { realm in
            let holder = Fixture.Holder()
            try realm.write { realm.add(holder) }
            var frozen: [Any] = []
            var lines: [UInt] = []
            func next(_ value: Any, _ line: UInt) throws {
                frozen.append(value)
                lines.append(line)
                try commit(realm, frozen.count)
            }
            try next(holder.numbers.freeze(), #line)
            try next(holder.tags.freeze(), #line)
            try next(holder.scores.freeze(), #line)
            #expect(try pins(realm, .frozen).map(\.place?.line) == lines)
            withExtendedLifetime(frozen) {}
        }
    }

    @Test func referencesUntilTheyAreResolved() throws {
        try withTemporaryRealm { realm in
            try commit(realm, 1)
            let person = try #require(realm.objects(Person.self).first)
            let reference = ThreadSafeReference(to: person); let line = UInt(#line)
            try commit(realm, 2)
            let pin = try #require(try pins(realm, .reference).first)
            #expect(pin.place?.line == line)
            #expect(try pin.version == realm.versionReport().newestVersion - 1)
            #expect(realm.resolve(reference) != nil)
            #expect(try pins(realm, .reference).isEmpty)
        }
    }

    @Test func iteratorsWhileTheyLast() throws {
        try withTemporaryRealm { realm in
            for id in 1...3 { try commit(realm, id) }
            let version = try realm.versionReport().newestVersion
            var seen = 0
            for person in realm.objects(Person.self) {
                _ = person.name
                seen += 1
                try commit(realm, 10 + seen)
                let pins = try pins(realm, .iterator)
                #expect(pins.map(\.version) == [version])
                #expect(pins.first?.place?.threadID != 0)
            }
            #expect(seen == 3)
            #expect(try pins(realm, .iterator).isEmpty)
        }
    }

    @Test func aRealmOfAnotherThreadThatDoesNotMove() throws {
        try withTemporaryRealm { realm in
            try commit(realm, 1)
            let configuration = realm.configuration
            let (isOpen, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            startThread {
                // Foundation's name of a thread that just began may not reach the kernel.
                try? Data("idle-reader".utf8).write(
                    to: URL(fileURLWithPath: "/proc/thread-self/comm"))
                let other = try? Realm(configuration: configuration)
                isOpen.signal()
                isDone.wait()
                withExtendedLifetime(other) {}
                isOpen.signal()
            }
            isOpen.wait()
            for id in 2...5 { try commit(realm, id) }
            let report = try realm.versionReport()
            #expect(report.activeVersionCount == 2)
            let oldest = try #require(report.pins.first)
            #expect(oldest.holder == .realm)
            #expect(oldest.version == report.newestVersion - 4)
            #expect(oldest.place?.threadName == "idle-reader")
            #expect(oldest.byteCount > 0 && oldest.byteCount == report.pinnedByteCount)
            #expect(try #require(report.pins.last).byteCount < oldest.byteCount)
            #expect(
                "\(oldest)".contains("is read by a live realm")
                    && "\(oldest)".contains("'idle-reader'"))
            #expect("\(report)".contains("2 versions"))
            isDone.signal()
            isOpen.wait()
        }
    }

    @Test func observersOfARealmThatStandsStill() throws {
        let scheduler = ManualScheduler()
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            let token = realm.objects(Person.self).observe { _ in }
            #expect(scheduler.waitForWork())
            scheduler.runAll()
            let version = try realm.versionReport().newestVersion
            try onNewThread {
                let other = try Realm(configuration: configuration)
                try other.write { other.add(Fixture.Person(id: 1)) }
            }
            #expect(try pins(realm, .observer).map(\.version) == [version])
            token.invalidate()
            #expect(try pins(realm, .observer).isEmpty)
        }
    }

    @Test func otherProcessesAndThoseThatDied() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let realm = try Realm(configuration: configuration, queue: nil)
        try commit(realm, 1)
        let parent = ProcessInfo.processInfo.processIdentifier
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = directory.file().path as String, parent = parent as Int32] in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: Fixture.all), queue: nil)
            let pins = try realm.versionReport().pins
            try #require(
                pins.contains { $0.holder == .process && $0.processID == parent && $0.place == nil }
            )
            kill(getpid(), SIGKILL)
            withExtendedLifetime(realm) {}
        }
        #expect(try realm.versionReport().pins.map(\.holder) == [.realm])
        withExtendedLifetime(realm) {}
        directory.delete()
    }

    @Test func reportsAreCodable() throws {
        try withTemporaryRealm { realm in
            try commit(realm, 1)
            let report = try realm.versionReport()
            let copy = try JSONDecoder().decode(
                Realm.VersionReport.self, from: JSONEncoder().encode(report))
            #expect(copy.pins == report.pins && copy.newestVersion == report.newestVersion)
        }
    }
}
