import Foundation
import Freehold
import Testing

@Suite struct RealmConcurrencyTests {
    /// Each thread moves amounts between accounts in its own realm; the sum never changes, in no version that anyone reads.
    @Test func threadsWriteAndReadTheSameObjects() throws {
        let seed = UInt64.random(in: 0 ... .max)
        try withTemporaryRealm { realm in
            let (threads, accounts, transfers) = (4, 20, 60)
            try realm.write {
                for id in 0..<accounts { realm.add(Fixture.Person(id: id, name: "account \(id)", age: 1_000)) }
            }
            let configuration = realm.configuration
            let failures = try runThreads(threads) { thread in
                var random = SplitMix(seed: seed &+ UInt64(thread))
                let realm = try Realm(configuration: configuration)
                var failures = 0
                for _ in 0..<transfers {
                    try realm.write {
                        let from = realm.object(ofType: Fixture.Person.self, forPrimaryKey: Int.random(in: 0..<accounts, using: &random))
                        let to = realm.object(ofType: Fixture.Person.self, forPrimaryKey: Int.random(in: 0..<accounts, using: &random))
                        let amount = Int.random(in: 0...50, using: &random)
                        from?.age -= amount
                        to?.age += amount
                        realm.add(Fixture.Dog(name: "receipt"))
                    }
                    realm.refresh()
                    let sum = (0..<accounts).reduce(0) { $0 + (realm.object(ofType: Fixture.Person.self, forPrimaryKey: $1)?.age ?? 0) }
                    if sum != accounts * 1_000 { failures += 1 }
                }
                return failures
            }
            #expect(failures == 0, "seed \(seed)")
            realm.refresh()
            let sum = (0..<accounts).reduce(0) { $0 + (realm.object(ofType: Fixture.Person.self, forPrimaryKey: $1)?.age ?? 0) }
            #expect(sum == accounts * 1_000, "seed \(seed)")
        }
    }

    @Test func threadsOpenANewFileAtOnce() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
            _ = try runThreads(6) { thread in
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Fixture.Person(id: thread)) }
                return 0
            }
            let realm = try Realm(configuration: configuration)
            for id in 0..<6 { #expect(realm.object(ofType: Fixture.Person.self, forPrimaryKey: id) != nil) }
            #expect(try realm.check().isEmpty)
        }
    }

    /// Threads share the frozen realm of a version, and any of them may be the one that makes it or drops it last.
    @Test func frozenRealmsComeAndGo() throws {
        try withTemporaryRealm { realm in
            try realm.write { realm.add(Fixture.Person(id: 1, name: "Ada")) }
            let configuration = realm.configuration
            let failures = try runThreads(6) { thread in
                var failures = 0
                for round in 0..<400 {
                    let realm = try Realm(configuration: configuration)
                    if round % 50 == thread { try realm.write { realm.add(Fixture.Dog(name: "Rex")) } }
                    let person = realm.freeze().object(ofType: Fixture.Person.self, forPrimaryKey: 1)
                    if person?.name != "Ada" || person?.thaw()?.realm != realm { failures += 1 }
                }
                return failures
            }
            #expect(failures == 0)
        }
    }

    /// Runs `body` on so many threads at once. The sum of what they return.
    private func runThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Int) throws -> Int {
        final class Total: @unchecked Sendable {
            // Sendable: protected by `lock`.
            let lock = NSLock()
            var sum = 0
            var errors: [any Error] = []
        }
        let total = Total()
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread {
                let result = Result { try body(index) }
                total.lock.withLock {
                    switch result {
                    case .success(let value): total.sum += value
                    case .failure(let error): total.errors.append(error)
                    }
                }
                group.leave()
            }.start()
        }
        group.wait()
        if let error = total.errors.first { throw error }
        return total.sum
    }
}

/// A generator that repeats what it did for the same seed.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
