import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// `Realm.compact()` of a file that is open.
@Suite struct CompactionTests {
    /// A file with much free space, open in a realm of the calling thread.
    func withWastefulRealm(_ body: (Realm, TemporaryDirectory) throws -> Void) throws {
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

    @Test func theOldFileIsGoneAfterItsLastReader() throws {
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

    /// Realms whose scheduler runs move to the new file automatically. No observer is called
    /// for that, only for later changes.
    @Test func observersAreCalledForChangesOnly() throws {
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
            // The queue's realm releases the old file.
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

}
