import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct RealmConcurrencyTests {
    /// Each thread moves amounts between accounts in its own realm; the sum never changes, in
    /// no version that anyone reads.
    @Test func threadsWriteAndReadTheSameObjects() throws {
        let seed = Seed.random().seed
        try withTemporaryRealm { realm in
            let (threads, accounts, transfers) = (4, 20, 60)
            try realm.write {
                for id in 0..<accounts {
                    realm.add(Fixture.Person(id: id, name: "account \(id)", age: 1_000))
                }
            }
            let configuration = realm.configuration
            let failures = try runThreads(threads) { thread in
                var random = SeededGenerator(seed: seed &+ UInt64(thread))
                let realm = try Realm(configuration: configuration)
                var failures = 0
                for _ in 0..<transfers {
                    try realm.write {
                        let from = realm.object(
                            ofType: Fixture.Person.self,
                            forPrimaryKey: Int.random(in: 0..<accounts, using: &random))
                        let to = realm.object(
                            ofType: Fixture.Person.self,
                            forPrimaryKey: Int.random(in: 0..<accounts, using: &random))
                        let amount = Int.random(in: 0...50, using: &random)
                        from?.age -= amount
                        to?.age += amount
                        realm.add(Fixture.Dog(name: "receipt"))
                    }
                    realm.refresh()
                    let sum = (0..<accounts).reduce(0) {
                        $0
                            + (realm.object(ofType: Fixture.Person.self, forPrimaryKey: $1)?.age
                                ?? 0)
                    }
                    if sum != accounts * 1_000 { failures += 1 }
                }
                return failures
            }
            #expect(failures.allSatisfy { $0 == 0 }, "FREEHOLD_SEED=\(seed)")
            realm.refresh()
            let sum = (0..<accounts).reduce(0) {
                $0 + (realm.object(ofType: Fixture.Person.self, forPrimaryKey: $1)?.age ?? 0)
            }
            #expect(sum == accounts * 1_000, "FREEHOLD_SEED=\(seed)")
        }
    }

    @Test func threadsOpenANewFileAtOnce() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            try runThreads(6) { thread in
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Fixture.Person(id: thread)) }
            }
            let realm = try Realm(configuration: configuration)
            for id in 0..<6 {
                #expect(realm.object(ofType: Fixture.Person.self, forPrimaryKey: id) != nil)
            }
            #expect(try realm.check().isEmpty)
        }
    }

    /// Threads share the frozen realm of a version, and any of them may be the one that makes
    /// it or drops it last.
    @Test func frozenRealmsComeAndGo() throws {
        try withTemporaryRealm { realm in
            try realm.write { realm.add(Fixture.Person(id: 1, name: "Ada")) }
            let configuration = realm.configuration
            let failures = try runThreads(6) { thread in
                var failures = 0
                for round in 0..<400 {
                    let realm = try Realm(configuration: configuration)
                    if round % 50 == thread {
                        try realm.write { realm.add(Fixture.Dog(name: "Rex")) }
                    }
                    let person = realm.freeze().object(
                        ofType: Fixture.Person.self, forPrimaryKey: 1)
                    if person?.name != "Ada" || person?.thaw()?.realm != realm { failures += 1 }
                }
                return failures
            }
            #expect(failures.allSatisfy { $0 == 0 })
        }
    }

    /// As the realms of a file come and go on several threads, the last reference to what they
    /// share often goes while another thread opens.
    ///
    /// Each thread also opens a file of its own, which makes the registry look at all that is
    /// open. The failure is a thread that waits for itself, or a file that is open twice.
    @Test func theLastRealmMayCloseWhileAnotherThreadOpens() async throws {
        await #expect(processExitsWith: .success) {
            alarm(60)
            try withTemporaryDirectory { directory in
                let configuration = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Fixture.all)
                let (threads, rounds) = (4, 40)
                do {
                    let realm = try Realm(configuration: configuration)
                    try realm.write { realm.add(Fixture.Person(id: 1)) }
                }
                try runThreads(threads) { thread in
                    var own = configuration
                    own.fileURL = directory.file("\(thread).realm")
                    for _ in 0..<rounds {
                        let other = try Realm(configuration: own)
                        let realm = try Realm(configuration: configuration)
                        try realm.write {
                            try #require(
                                realm.object(ofType: Fixture.Person.self, forPrimaryKey: 1)
                            ).age += 1
                        }
                        withExtendedLifetime(other) {}
                    }
                }
                let realm = try Realm(configuration: configuration)
                try #require(
                    realm.object(ofType: Fixture.Person.self, forPrimaryKey: 1)?.age == threads
                        * rounds)
                try #require(try realm.check().isEmpty)
            }
        }
    }
}
