import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// Holders that begin and end on several threads at once, beside reports.
@Suite struct PinHolderThreadTests {
    /// A thread that came by a holder or a realm of another one under the lock could become its
    /// last owner there, and wait for itself.
    @Test func noThreadWaitsForItself() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            try withTemporaryDirectory { directory in
                let configuration = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Fixture.all)
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Fixture.Person(id: 1)) }
                let iterate: @Sendable () throws -> Void = {
                    let people = try Realm(configuration: configuration).objects(
                        Fixture.Person.self)
                    for _ in 0..<60_000 {
                        for person in people where person.id != 1 { try #require(person.id == 1) }
                    }
                }
                let open: @Sendable () throws -> Void = {
                    for _ in 0..<500 {
                        let live = try Realm(configuration: configuration)
                        try #require(live.freeze().objects(Fixture.Person.self).count == 1)
                    }
                }
                let report: @Sendable () throws -> Void = {
                    let own = try Realm(configuration: configuration)
                    for _ in 0..<500 { _ = try own.versionReport() }
                }
                _ = try runThreads([iterate, iterate, iterate, open, report])
                try #require(try realm.check().isEmpty)
            }
        }
    }
}
