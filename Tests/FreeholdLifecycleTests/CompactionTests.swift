import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// `Realm.compact()` of a file that is open.
@Suite struct CompactionTests {
    /// A file with much free space, open in a realm of the calling thread.
    private func withWastefulRealm(_ body: (Realm, TemporaryDirectory) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(configuration: World.configuration(directory.file()))
            try realm.write { World.fill(realm, people: 20_000) }
            try realm.write {
                realm.delete(realm.objects(Fixture.Person.self).where { $0.age >= 100 })
            }
            try body(realm, directory)
            #expect(try realm.check().isEmpty)
            #expect(try files(in: directory).filter { $0.contains("compacting") }.isEmpty)
        }
    }

    @Test func theFileBecomesSmallerAndKeepsWhatItHas() throws {
        try withWastefulRealm { realm, directory in
            let content = World.content(realm)
            let before = try byteCount(directory.file())
            let freed = try realm.compact()
            let after = try byteCount(directory.file())
            #expect(freed == before - after)
            #expect(after < before / 2)
            expectSame(World.content(realm), content)
            // Nothing is left to gain.
            #expect(try realm.compact() == 0)
            // It is written to and opened as before.
            try realm.write { realm.add(Fixture.Person(id: 50_000, name: "later")) }
            try onNewThread {
                let other = try Realm(configuration: World.configuration(directory.file()))
                #expect(
                    other.object(ofType: Fixture.Person.self, forPrimaryKey: 50_000)?.name
                        == "later")
                try other.write { other.add(Fixture.Person(id: 50_001)) }
            }
            realm.refresh()
            #expect(realm.objects(Fixture.Person.self).count == 102)
        }
    }

    @Test func liveObjectsAndCollectionsGoOn() throws {
        try withWastefulRealm { realm, _ in
            let person = try #require(realm.object(ofType: Fixture.Person.self, forPrimaryKey: 99))
            let people = realm.objects(Fixture.Person.self).sorted(by: \.age)
            let holder = try #require(realm.objects(Fixture.Holder.self).last)
            let numbers = holder.numbers
            #expect(people.count == 100)
            #expect(numbers.count == 2850)
            try realm.compact()
            #expect(person.age == 99)
            #expect(people[50].age == 50)
            #expect(numbers[2849] == 2849)
            try realm.write {
                person.age = 1000
                numbers.removeFirst(1000)
            }
            #expect(people.last?.id == 99)
            #expect(numbers.first == 1000)
            #expect(!person.isInvalidated)
        }
    }

    /// They read the old file, which goes when they do.
    @Test func olderVersionsAreReadOn() throws {
        try withWastefulRealm { realm, directory in
            let frozen = realm.freeze()
            let content = World.content(realm)
            try realm.write { realm.delete(realm.objects(Fixture.House.self)) }
            let other = try onOtherThread(directory) { realm in
                _ = realm.objects(Fixture.Dog.self).count
            }
            try realm.compact()
            #expect(openFileCount(ofDeleted: directory) > 0)
            expectSame(World.content(frozen), content)
            for number in 0..<5 {
                try realm.write { realm.add(Fixture.Person(id: 60_000 + number)) }
                try realm.compact()
                expectSame(World.content(frozen), content)
            }
            try other.run { other in
                // Behind, in the old file; then where the others are.
                #expect(other.objects(Fixture.Person.self).count == 100)
                other.refresh()
                #expect(other.objects(Fixture.Person.self).count == 105)
                try other.write { other.add(Fixture.Person(id: 70_000)) }
            }
            realm.refresh()
            #expect(realm.objects(Fixture.Person.self).count == 106)
            other.end()
        }
    }

    @Test func theOldFileIsGoneWhenNobodyReadsIt() throws {
        try withWastefulRealm { realm, directory in
            do {
                let frozen = realm.freeze()
                try realm.compact()
                #expect(frozen.objects(Fixture.Person.self).count == 100)
                #expect(openFileCount(ofDeleted: directory) > 0)
            }
            #expect(openFileCount(ofDeleted: directory) == 0)
            // Of a realm that stands at the newest version, by its next refresh, although there
            // is nothing new.
            let other = try onOtherThread(directory) { realm in
                _ = realm.objects(Fixture.Dog.self).count
            }
            try realm.compact()
            #expect(openFileCount(ofDeleted: directory) > 0)
            try other.run { other in #expect(!other.refresh()) }
            #expect(openFileCount(ofDeleted: directory) == 0)
            other.end()
        }
    }

    /// Realms that can be called move to the new file by themselves; nobody is told of
    /// anything; changes afterwards are told of.
    @Test func observersAreToldOfChangesAndNothingElse() throws {
        try withWastefulRealm { realm, directory in
            let queue = DispatchQueue(label: "observed")
            let seen = Locker<[String]>([])
            let notified = DispatchSemaphore(value: 0)
            nonisolated(unsafe) var kept: [Any] = []
            try queue.sync {
                let observed = try Realm(
                    configuration: World.configuration(directory.file()), queue: queue)
                let token = observed.objects(Fixture.Person.self).observe(on: nil) { change in
                    switch change {
                    case .initial(let people): seen.update { $0.append("initial \(people.count)") }
                    case .update(let people, let deletions, let insertions, let modifications):
                        seen.update {
                            $0.append(
                                """
                                \(people.count) \(deletions.count) \(insertions.count) \
                                \(modifications.count)
                                """
                            )
                        }
                    case .error(let error): seen.update { $0.append("\(error)") }
                    }
                    notified.signal()
                }
                kept = [observed, token]
            }
            notified.wait()
            try realm.compact()
            // The queue's realm lets go of the old file.
            while openFileCount(ofDeleted: directory) > 0 { queue.sync {} }
            try realm.write {
                realm.add(Fixture.Person(id: 80_000))
                realm.object(ofType: Fixture.Person.self, forPrimaryKey: 3)?.age = 1
            }
            notified.wait()
            // The one, and the four that link to it over one another.
            #expect(seen.value == ["initial 100", "101 0 1 5"])
            queue.sync {
                #expect(kept.count == 2)
                kept = []
            }
        }
    }

    /// Others read and write all the time.
    @Test func compactingWhileOthersReadAndWrite() throws {
        try withTemporaryDirectory { directory in
            let configuration = World.configuration(directory.file())
            do {
                let realm = try Realm(configuration: configuration)
                try realm.write { World.fill(realm, people: 1000) }
            }
            let rounds = 30
            try runThreads(4) { thread in
                let realm = try Realm(configuration: configuration)
                for round in 0..<rounds {
                    switch thread {
                    case 0: try realm.compact()
                    case 1:
                        // Each write moves a year from one to another.
                        try realm.write {
                            realm.object(ofType: Fixture.Person.self, forPrimaryKey: round)?.age +=
                                1
                            realm.object(ofType: Fixture.Person.self, forPrimaryKey: round + 100)?
                                .age -= 1
                        }
                    default:
                        let sum: Int = realm.objects(Fixture.Person.self).sum(of: \.age)
                        #expect(sum == 999 * 1000 / 2)
                        let frozen = realm.freeze()
                        realm.refresh()
                        #expect(frozen.objects(Fixture.Person.self).sum(of: \.age) == sum)
                        // Opening the file in the middle of it.
                        #expect(
                            try onNewThread {
                                try Realm(configuration: configuration).objects(Fixture.Person.self)
                                    .count
                            } == 1000)
                    }
                }
            }
            let realm = try Realm(configuration: configuration)
            #expect(try realm.check().isEmpty)
            #expect(
                (0..<rounds).allSatisfy {
                    realm.object(ofType: Fixture.Person.self, forPrimaryKey: $0)?.age == $0 + 1
                })
            #expect(openFileCount(ofDeleted: directory) == 0)
        }
    }

    @Test func writesThatAreOnTheirWayComeFirst() throws {
        try withTemporaryDirectory { directory in
            let queue = DispatchQueue(label: "compacting")
            let done = DispatchSemaphore(value: 0)
            nonisolated(unsafe) var kept: Realm?
            try queue.sync {
                let realm = try Realm(
                    configuration: World.configuration(directory.file()), queue: queue)
                kept = realm
                realm.writeAsync {
                    realm.add(Fixture.Person(id: 1))
                } onComplete: { error in
                    #expect(error == nil)
                    done.signal()
                }
                realm.beginAsyncWrite {
                    realm.add(Fixture.Person(id: 2))
                    realm.commitAsyncWrite(allowGrouping: true) { error in
                        #expect(error == nil)
                        done.signal()
                    }
                }
                try realm.compact()
            }
            done.wait()
            done.wait()
            try queue.sync {
                let realm = try #require(kept)
                try realm.compact()
                #expect(realm.objects(Fixture.Person.self).count == 2)
                #expect(try realm.check().isEmpty)
                kept = nil
            }
        }
    }

    @Test func inMemoryAndEmptyRealms() throws {
        let memory = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: "compacted \(getpid())", objectTypes: Fixture.all))
        try memory.compact()
        try memory.write { World.fill(memory) }
        try memory.compact()
        let content = World.content(memory)
        try memory.compact()
        expectSame(World.content(memory), content)
        #expect(try memory.check().isEmpty)
    }

    @Test func withinAWriteTransactionItTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in try realm.write { try realm.compact() } }
        }
        expectMessage(result, "Cannot compact a Realm within a write transaction.")
    }

    @Test func ofAReadOnlyRealmItTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryDirectory { directory in
                var configuration = World.configuration(directory.file())
                do { _ = try Realm(configuration: configuration) }
                configuration.readOnly = true
                try Realm(configuration: configuration).compact()
            }
        }
        expectMessage(result, "Can't perform transactions on read-only Realms.")
    }

    // MARK: Other processes

    @Test func whileAnotherProcessHasTheFileItIsRefused() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let here = try onOtherThread(directory) { realm in try realm.write { World.fill(realm) } }
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            let realm = try Realm(configuration: World.configuration(URL(fileURLWithPath: path)))
            #expect(realmCode { _ = try realm.compact() } == .alreadyOpen)
            #expect(
                realmMessage { _ = try realm.compact() }?.contains("another process has it open")
                    == true)
            // On launch it is skipped without a word.
            try onNewThread {
                var configuration = World.configuration(URL(fileURLWithPath: path))
                configuration.shouldCompactOnLaunch = { _, _ in true }
                _ = try Realm(configuration: configuration)
            }
            try realm.write { realm.add(Fixture.Person(id: 10_000)) }
        }
        try here.run { realm in
            realm.refresh()
            #expect(realm.objects(Fixture.Person.self).count == 301)
            // It is closed there.
            try realm.compact()
        }
        #expect(
            try files(in: directory) == ["test.realm", "test.realm-lock", "test.realm.control"])
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            let realm = try Realm(configuration: World.configuration(URL(fileURLWithPath: path)))
            try #require(realm.objects(Fixture.Person.self).count == 301)
            try realm.write { realm.add(Fixture.Person(id: 10_001)) }
        }
        try here.run { realm in
            realm.refresh()
            #expect(realm.objects(Fixture.Person.self).count == 302)
            let problems = try realm.check()
            #expect(problems.isEmpty)
        }
        here.end()
    }

    // MARK: Ends

    /// Where both records of the control file are damaged, whoever has the file open knows the
    /// newest one, and writes it again.
    @Test func damagedControlRecordsAreMended() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let path = directory.file().path
        func tear() throws {
            let file = try #require(FileHandle(forWritingAtPath: path + ".control"))
            for offset: UInt64 in [64, 512 + 64] {
                try file.seek(toOffset: offset)
                try file.write(contentsOf: Data(repeating: 0, count: 64))
            }
            try file.close()
        }
        let here = try onOtherThread(directory) { realm in try realm.write { World.fill(realm) } }
        try tear()
        try here.run { realm in try realm.compact() }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let realm = try Realm(configuration: World.configuration(URL(fileURLWithPath: path)))
            try #require(realm.objects(Fixture.Person.self).count == 300)
        }
        try tear()
        // The file grows.
        try here.run { realm in
            try realm.write { (1_000..<21_000).forEach { realm.add(Fixture.Person(id: $0)) } }
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let realm = try Realm(configuration: World.configuration(URL(fileURLWithPath: path)))
            try #require(realm.objects(Fixture.Person.self).count == 20_300)
            try #require(try realm.check().isEmpty)
        }
        here.end()
    }

    /// What a process leaves on the disk that ends between the steps.
    @Test func whatIsLeftBetweenTheStepsIsOpened() throws {
        try withTemporaryDirectory { directory in
            let control = URL(fileURLWithPath: directory.file().path + ".control")
            let lock = URL(fileURLWithPath: directory.file().path + "-lock")
            let configuration = World.configuration(directory.file())
            let content = try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { World.fill(realm, people: 20_000) }
                try realm.write {
                    realm.delete(realm.objects(Fixture.Person.self).where { $0.age >= 100 })
                }
                return World.content(realm)
            }
            let oldControl = try Data(contentsOf: control)
            let oldFile = try Data(contentsOf: directory.file())
            try onNewThread { _ = try Realm(configuration: configuration).compact() }
            let newFile = try Data(contentsOf: directory.file())
            let newControl = try Data(contentsOf: control)
            #expect(newFile.count < oldFile.count / 2)
            // The file that has the name, what the control file says, and whether the other one
            // was written and not named.
            for (file, record, leftover) in [
                (oldFile, oldControl, newFile), (newFile, oldControl, nil),
                (oldFile, newControl, newFile), (newFile, Data(), oldFile),
            ] {
                try file.write(to: directory.file())
                if record.isEmpty {
                    try FileManager.default.removeItem(at: control)
                } else {
                    try record.write(to: control)
                }
                try? FileManager.default.removeItem(at: lock)
                if let leftover {
                    try leftover.prefix(leftover.count / 2).write(
                        to: directory.file("test.realm.compacting"))
                    try Data(repeating: 1, count: 5000).write(
                        to: directory.file("test.realm.compacting-lock"))
                }
                try onNewThread {
                    let realm = try Realm(configuration: configuration)
                    expectSame(World.content(realm), content)
                    #expect(try realm.check().isEmpty)
                    try realm.write { realm.add(Fixture.Person(id: 90_000)) }
                    try realm.compact()
                    #expect(realm.objects(Fixture.Person.self).count == 101)
                }
                #expect(
                    try files(in: directory) == [
                        "test.realm", "test.realm-lock", "test.realm.control",
                    ])
            }
        }
    }

    /// A process that writes and compacts is killed again and again. The file is the old or the
    /// new one, with all that was acknowledged.
    ///
    /// A longer run: `FREEHOLD_STRESS=20 Tests/run --filter CompactionTests`.
    @Test func killedAtAnyMoment() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let rounds =
            12 * (ProcessInfo.processInfo.environment["FREEHOLD_STRESS"].flatMap(Int.init) ?? 1)
        var acknowledged = 0
        var random = SeededGenerator()
        for _ in 0..<rounds {
            let spins = random.int(0...60_000)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = directory.file().path as String, spins = spins as Int] in
                let realm = try Realm(
                    configuration: World.configuration(URL(fileURLWithPath: path)))
                let log = open(path + ".log", O_WRONLY | O_CREAT | O_APPEND, 0o644)
                var number = realm.objects(Fixture.Person.self).max(of: \.id) ?? 0
                Thread.detachNewThread {
                    for _ in 0..<spins { sched_yield() }
                    kill(getpid(), SIGKILL)
                }
                while true {
                    number += 1
                    try realm.write {
                        realm.add(
                            Fixture.Person(
                                id: number,
                                name: String(repeating: "\(number) ", count: number % 500)))
                        if number % 3 == 0 {
                            realm.delete(
                                realm.objects(Fixture.Person.self).where { $0.id == number - 1 })
                        }
                    }
                    precondition(write(log, "x", 1) == 1)
                    try realm.compact()
                }
            }
            let count = (try? byteCount(URL(fileURLWithPath: directory.file().path + ".log"))) ?? 0
            try onNewThread {
                let realm = try Realm(configuration: World.configuration(directory.file()))
                #expect(try realm.check().isEmpty)
                let last = realm.objects(Fixture.Person.self).max(of: \.id) ?? 0
                // Each process may have committed one more than it came to say.
                #expect(last >= count && last <= count + rounds)
                for id in 1...max(last, 1) where last > 0 {
                    let isDeleted = (id + 1) % 3 == 0 && id + 1 <= last
                    #expect(
                        (realm.object(ofType: Fixture.Person.self, forPrimaryKey: id) == nil)
                            == isDeleted)
                }
            }
            #expect(try files(in: directory).filter { $0.contains("compacting") }.isEmpty)
            acknowledged = count
        }
        print("killedAtAnyMoment: \(acknowledged) acknowledged")
    }

    @Test(.enabled(if: geteuid() == 0)) func aFullDiskIsAnErrorAndTheFileIsAsItWas() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try await withSmallDisk(directory, "size=8m") { mount in
            await #expect(processExitsWith: .success) { [path = (mount + "/a.realm") as String] in
                let url = URL(fileURLWithPath: path)
                let realm = try Realm(configuration: World.configuration(url))
                // Five of eight megabytes in use: two copies do not fit.
                try realm.write {
                    for id in 0..<500 {
                        realm.add(
                            Fixture.Tagged(tag: "\(id)" + String(repeating: "x", count: 10_000)))
                    }
                }
                let content = World.content(realm)
                let size = try byteCount(url)
                #expect(realmCode { _ = try realm.compact() } == .outOfDiskSpace)
                #expect(
                    realmCode { try realm.writeCopy(toFile: URL(fileURLWithPath: path + "2")) }
                        == .outOfDiskSpace)
                #expect(try byteCount(url) == size)
                #expect(
                    try FileManager.default.contentsOfDirectory(
                        atPath: url.deletingLastPathComponent().path
                    ).sorted() == ["a.realm", "a.realm-lock", "a.realm.control"])
                #expect(World.content(realm) == content)
                try realm.write { realm.add(Fixture.Person(id: 1)) }
                try realm.write { realm.delete(realm.objects(Fixture.Tagged.self)) }
                #expect(try realm.compact() > 4 << 20)
                #expect(try realm.check().isEmpty)
            }
            // On launch, too.
            await #expect(processExitsWith: .success) { [path = (mount + "/a.realm") as String] in
                var configuration = World.configuration(URL(fileURLWithPath: path))
                do {
                    let realm = try Realm(configuration: configuration)
                    try realm.write {
                        for id in 0..<500 {
                            realm.add(
                                Fixture.Tagged(tag: "\(id)" + String(repeating: "x", count: 10_000))
                            )
                        }
                    }
                }
                configuration.shouldCompactOnLaunch = { _, _ in true }
                #expect(
                    realmCode { _ = try Realm(configuration: configuration) } == .outOfDiskSpace)
                configuration.shouldCompactOnLaunch = nil
                let realm = try Realm(configuration: configuration)
                #expect(realm.objects(Fixture.Tagged.self).count == 500)
                #expect(try realm.check().isEmpty)
            }
        }
    }
}
