import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Realms of the main actor in a new process, whose main queue nothing has asked about. With an
/// asynchronous `main` its jobs run on threads of Dispatch's.
@Suite struct MainActorTests {
    @Test func theFirstUseOfARealmOfTheMainActor() async {
        await #expect(processExitsWith: .success) {
            try await MainActorTests.useARealm()
        }
    }

    @MainActor private static func useARealm() async throws {
        let directory = try TemporaryDirectory()
        let realm = try await Realm(
            configuration: Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all))
        try await realm.asyncWrite { realm.add(Fixture.Person(id: 1)) }
        #expect(realm.objects(Fixture.Person.self).count == 1)
        #expect(try realm.check().isEmpty)
        directory.delete()
    }
}
