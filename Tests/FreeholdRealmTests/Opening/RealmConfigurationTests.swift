import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct RealmConfigurationTests {
    @Test func fileAndIdentifierExcludeEachOther() {
        var configuration = Realm.Configuration()
        #expect(configuration.fileURL?.lastPathComponent == "default.realm")
        configuration.inMemoryIdentifier = "x"
        #expect(configuration.fileURL == nil)
        configuration.fileURL = URL(fileURLWithPath: "/tmp/a.realm")
        #expect(configuration.inMemoryIdentifier == nil)
    }

    @Test func equality() {
        let a = Realm.Configuration(fileURL: URL(fileURLWithPath: "/tmp/a.realm"))
        var b = a
        b.objectTypes = []
        #expect(a == b)
        b.schemaVersion = 1
        #expect(a != b)
        #expect(b.description.contains("schemaVersion = 1"))
    }

    @Test func contradictionsAreRefused() throws {
        try withTemporaryDirectory { directory in
            var configuration = Realm.Configuration(
                fileURL: directory.file(), readOnly: true, deleteRealmIfMigrationNeeded: true,
                objectTypes: Fixture.all)
            expectRefused(
                configuration, "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
            configuration = Realm.Configuration(
                fileURL: directory.file(), schemaVersion: .max, objectTypes: Fixture.all)
            expectRefused(
                configuration, "Cannot set schema version to 18446744073709551615 (RLMNotVersioned)"
            )
            expectRefused(
                Realm.Configuration(fileURL: nil, objectTypes: Fixture.all),
                "A Realm Configuration must specify a path or an in-memory identifier.")
            expectRefused(
                Realm.Configuration(inMemoryIdentifier: "", objectTypes: Fixture.all),
                "In-memory identifier must not be empty")
            let web = try #require(URL(string: "https://example.org/a.realm"))
            expectRefused(
                Realm.Configuration(fileURL: web, objectTypes: Fixture.all), "does not name a file")
            #expect(!Realm.fileExists(for: Realm.Configuration(fileURL: directory.file())))
        }
    }

    @Test func badPathsAreErrors() throws {
        try withTemporaryDirectory { directory in
            var configuration = Realm.Configuration(
                fileURL: directory.file("missing/a.realm"), objectTypes: Fixture.all)
            #expect(code(of: configuration) == .fileNotFound)
            configuration.fileURL = directory.url
            #expect(code(of: configuration) == .fileAccess)
            configuration.fileURL = directory.file()
            configuration.readOnly = true
            #expect(code(of: configuration) == .fileNotFound)
            configuration.readOnly = false
            try Data(repeating: 7, count: 100_000).write(to: directory.file())
            #expect(code(of: configuration) == .invalidDatabase)
            #expect(try Data(contentsOf: directory.file()) == Data(repeating: 7, count: 100_000))
        }
    }

    @Test func settingsMustAgreeWhileOpen() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let realm = try Realm(configuration: configuration)
            var other = configuration
            other.readOnly = true
            #expect(code(of: other) == .alreadyOpen)
            other = configuration
            other.schemaVersion = 1
            expectRefused(other, "already opened with different schema version.", .alreadyOpen)
            other = configuration
            other.objectTypes = [Fixture.Dog.self]
            expectRefused(
                other, "already opened on current thread with different schema.", .alreadyOpen)
            #expect(try Realm(configuration: configuration) == realm)
        }
    }

    private func code(of configuration: Realm.Configuration) -> Realm.Error.Code? {
        do {
            _ = try Realm(configuration: configuration)
            return nil
        } catch {
            return (error as? Realm.Error)?.code
        }
    }

    private func expectRefused(
        _ configuration: Realm.Configuration, _ message: String,
        _ code: Realm.Error.Code = .invalidInput,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(sourceLocation: sourceLocation) {
            _ = try Realm(configuration: configuration)
        } throws: { error in
            guard let error = error as? Realm.Error else { return false }
            return error.code == code && error.message.contains(message)
        }
    }
}
