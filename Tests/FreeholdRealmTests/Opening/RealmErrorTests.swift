import Foundation
import Freehold
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
        #expect(
            error == Realm.Error(.fileAccess, "no luck", fileURL: URL(fileURLWithPath: "/tmp/x")))
        #expect(error != Realm.Error(.fileAccess, "no luck"))
    }
}
