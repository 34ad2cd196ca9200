import Foundation
import Freehold
import FreeholdRealmTestSupport
import Glibc
import Testing

@Suite struct ThreadExitTests {
    @Test func aThreadThatExitsInAWriteBlockDoesNotKeepOthersFromWriting() async {
        await #expect(processExitsWith: .success) {
            alarm(30)
            try withTemporaryDirectory { directory in
                let configuration = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Fixture.all)
                let thread = Thread {
                    guard let realm = try? Realm(configuration: configuration) else { return }
                    try? realm.write {
                        _ = realm.create(Fixture.Dog.self)
                        Thread.exit()
                    }
                }
                let first = try Realm(configuration: configuration)
                thread.start()
                while !thread.isFinished { sched_yield() }
                try first.write { _ = first.create(Fixture.Dog.self) }
                try #require(first.objects(Fixture.Dog.self).count == 1)
            }
        }
    }
}
