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

/// Runs `body` on a thread of its own and waits for it.
package func onNewThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws
    -> Result
{
    let outcome = Outcome<Result>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        outcome.set(Swift.Result { try body() })
        done.signal()
    }
    thread.name = "test-thread"
    thread.start()
    done.wait()
    return try outcome.get()
}

/// What another thread leaves behind.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
    // Sendable: set before the semaphore is signalled, read after it was waited for.
    private var result: Swift.Result<Value, any Error>?

    func set(_ result: Swift.Result<Value, any Error>) { self.result = result }

    func get() throws -> Value {
        guard let result else { preconditionFailure("The thread has not ended.") }
        return try result.get()
    }
}
