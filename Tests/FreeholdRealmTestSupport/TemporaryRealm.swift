import Foundation
package import Freehold
package import Testing

/// Runs `body` with a realm in a new file, confined to the calling thread, and verifies the
/// whole file afterwards.
///
/// A file that is not sound is kept, and its path is part of the failure.
@discardableResult
package func withTemporaryRealm<Result>(
    _ types: [ObjectBase.Type] = Fixture.all, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Realm) throws -> Result
) throws -> Result {
    let directory = try TemporaryDirectory()
    let realm = try Realm(
        configuration: Realm.Configuration(fileURL: directory.file(), objectTypes: types))
    let result: Result
    do {
        result = try body(realm)
    } catch {
        directory.delete()
        throw error
    }
    if realm.isInWriteTransaction { realm.cancelWrite() }
    realm.refresh()
    let problems = try realm.check()
    #expect(
        problems.isEmpty, "The file is kept at \(directory.url.path).",
        sourceLocation: sourceLocation)
    if problems.isEmpty { directory.delete() }
    return result
}

/// Verifies a file that no realm of the calling thread has open.
package func expectSound(
    _ configuration: Realm.Configuration, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(try Realm(configuration: configuration).check().isEmpty, sourceLocation: sourceLocation)
}

/// Whether an exit test's process printed a text before it ended.
package func expectMessage(
    _ result: ExitTest.Result?, _ texts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for text in texts {
        #expect(
            output.contains(text), "The process printed: \(output)", sourceLocation: sourceLocation)
    }
}
