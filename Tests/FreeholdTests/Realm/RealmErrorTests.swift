import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct RealmErrorTests {
    @Test func codesMatchInCatchClauses() throws {
        do {
            throw Realm.Error(.fileNotFound, "gone", fileURL: URL(fileURLWithPath: "/tmp/x"))
        } catch Realm.Error.alreadyOpen {
            Issue.record("matched another code")
        } catch Realm.Error.fileNotFound {
        }
    }

    @Test func numbersAreThoseOfRealm() {
        #expect(Realm.Error.fail.rawValue == 1)
        #expect(Realm.Error.fileNotFound.rawValue == 5)
        #expect(Realm.Error.schemaMismatch.rawValue == 10)
        #expect(Realm.Error.outOfDiskSpace.rawValue == 14)
        #expect(Realm.Error.invalidDatabase.rawValue == 20)
        #expect(Realm.Error.Code(rawValue: 4711).description == "code 4711")
    }

    @Test func bridgesToFoundation() {
        let error = Realm.Error(.fileAccess, "no luck", fileURL: URL(fileURLWithPath: "/tmp/x"))
        #expect(error.localizedDescription == "no luck")
        #expect((error as NSError).domain == "io.realm")
        #expect((error as NSError).code == 2)
        #expect(error.description == "fileAccess: no luck (path: /tmp/x)")
        #expect(error == Realm.Error(.fileAccess, "no luck", fileURL: URL(fileURLWithPath: "/tmp/x")))
        #expect(error != Realm.Error(.fileAccess, "no luck"))
    }

    /// What happened in Realm's words, what to do in ours.
    @Test func filesThatCannotBeOpened() throws {
        let directory = try TemporaryDirectory()
        var configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: [Fixture.Dog.self])
        configuration.readOnly = true
        let path = directory.file().path
        #expect {
            try Realm(configuration: configuration)
        } throws: { error in
            let error = error as? Realm.Error
            return error?.localizedDescription == "Failed to open Realm file at path '\(path)': No such file or directory"
                && error?.recoverySuggestion == error?.message
                && error?.message.contains("Check the path, or open it for writing to create it.") == true
                && error?.errorUserInfo[NSLocalizedDescriptionKey] as? String == error?.localizedDescription
        }
        configuration.readOnly = false
        try Data("a".utf8).write(to: directory.file())
        #expect {
            try Realm(configuration: configuration)
        } throws: { error in
            error.localizedDescription
                == "Failed to open Realm file at path '\(path)': file is non-empty but too small (1 bytes) to be a valid Realm."
        }
        directory.delete()
    }
}
