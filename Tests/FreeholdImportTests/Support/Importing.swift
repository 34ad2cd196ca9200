import Foundation
import Freehold
import FreeholdImport
import FreeholdRealmTestSupport
import Testing

/// Runs `body` with what an export makes of an empty realm, and verifies the file.
func withImport(
    json: String, options: ImportOptions = ImportOptions(),
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (Realm, ImportSummary) throws -> Void
) throws {
    try withTemporaryRealm(Model.all, sourceLocation: sourceLocation) { realm in
        let summary = try RealmStudioImport(json: Data(json.utf8)).importAll(
            into: realm, options: options)
        try body(realm, summary)
    }
}

func withImport(
    csv: String, of className: String, options: ImportOptions = ImportOptions(),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Realm, ImportSummary) throws -> Void
) throws {
    try withTemporaryRealm(Model.all, sourceLocation: sourceLocation) { realm in
        let summary = try RealmStudioImport(csv: Data(csv.utf8), className: className).importAll(
            into: realm, options: options)
        try body(realm, summary)
    }
}

/// Expects an import to fail with a text, and the realm to stay what it was.
func expectRefusal(
    json: String, _ message: String, options: ImportOptions = ImportOptions(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    try expectRefusal(message, options, sourceLocation) {
        try RealmStudioImport(json: Data(json.utf8))
    }
}

func expectRefusal(
    csv: String, of className: String, _ message: String, options: ImportOptions = ImportOptions(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    try expectRefusal(message, options, sourceLocation) {
        try RealmStudioImport(csv: Data(csv.utf8), className: className)
    }
}

private func expectRefusal(
    _ message: String, _ options: ImportOptions, _ sourceLocation: SourceLocation,
    _ read: () throws -> RealmStudioImport
) throws {
    try withTemporaryRealm(Model.all, sourceLocation: sourceLocation) { realm in
        try realm.write {
            _ = realm.create(
                Model.City.self,
                value: ["_id": ObjectId("0000000000000000000000aa"), "name": "Before"])
        }
        let error = #expect(throws: ImportError.self, sourceLocation: sourceLocation) {
            try read().importAll(into: realm, options: options)
        }
        #expect(error?.description == message, sourceLocation: sourceLocation)
        #expect(!realm.isInWriteTransaction, sourceLocation: sourceLocation)
        #expect(
            realm.objects(Model.City.self).map(\.name) == ["Before"], sourceLocation: sourceLocation
        )
        #expect(
            realm.objects(Model.Person.self).isEmpty && realm.objects(Model.Dog.self).isEmpty
                && realm.objects(Model.Everything.self).isEmpty, sourceLocation: sourceLocation)
    }
}
