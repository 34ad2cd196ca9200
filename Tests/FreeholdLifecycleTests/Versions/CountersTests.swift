import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct CountersTests {
    private typealias Person = Fixture.Person

    @Test func commitsBytesAndGrants() throws {
        try withTemporaryRealm { realm in
            let before = realm.counters
            for id in 1...3 {
                try realm.write {
                    realm.add(Person(id: id, name: String(repeating: "x", count: 100)))
                }
            }
            // Nothing to write: a grant, but no commit.
            try realm.write {}
            let after = realm.counters
            #expect(after.commits - before.commits == 3)
            #expect(after.lockWaits - before.lockWaits == 4)
            #expect(after.bytesWritten - before.bytesWritten > 300)
            #expect(after.lockWaitTime >= before.lockWaitTime)
            #expect(EncryptedSuite.isOn || after.cacheHits == 0 && after.cacheMisses == 0)
        }
    }

    @Test func recordsOfEncryptedFilesAreDecryptedOnce() throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), encryptionKey: Data(repeating: 7, count: 64),
            objectTypes: Fixture.all)
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { for id in 1...2000 { realm.add(Person(id: id)) } }
        }
        let realm = try Realm(configuration: configuration)
        func sum() -> Int { realm.objects(Person.self).reduce(0) { $0 + $1.id } }
        let opened = realm.counters
        #expect(sum() == 2001 * 1000)
        let first = realm.counters
        #expect(first.cacheMisses > opened.cacheMisses)
        // The same version keeps what it read.
        #expect(sum() == 2001 * 1000)
        #expect(realm.counters == first)
        // Another one asks again, and finds it.
        try realm.write { realm.add(Person(id: 2001)) }
        #expect(sum() == 2001 * 1001)
        let second = realm.counters
        #expect(second.cacheHits > first.cacheHits)
        #expect(try realm.check() == [])
        directory.delete()
    }

    @Test func clustersAreReadOnceAVersion() throws {
        try withTemporaryRealm { realm in
            try realm.write { for id in 1...2000 { realm.add(Person(id: id)) } }
            func sum() -> Int { realm.objects(Person.self).reduce(0) { $0 + $1.id } }
            let before = realm.counters.clusterReads
            #expect(sum() == 2001 * 1000)
            let first = realm.counters.clusterReads
            #expect(first - before >= 2000 / 512)
            #expect(sum() == 2001 * 1000)
            #expect(realm.counters.clusterReads == first)
        }
    }

    @Test func aWaitForAnotherWriterCounts() throws {
        try withTemporaryRealm { realm in
            let configuration = realm.configuration
            realm.beginWrite()
            let before = realm.counters
            let asked = DispatchSemaphore(value: 0)
            let done = DispatchSemaphore(value: 0)
            startThread {
                let other = try? Realm(configuration: configuration)
                asked.signal()
                try? other?.write {}
                done.signal()
            }
            asked.wait()
            realm.cancelWrite()
            done.wait()
            #expect(realm.counters.lockWaits == before.lockWaits + 1)
            #expect(realm.counters.lockWaitTime > before.lockWaitTime)
        }
    }
}
