import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Runs `body` with a new store in a directory of its own. Checks the file afterwards, and
/// keeps it only if that fails.
func withTemporaryStore<Result>(
    layout: StorageLayout = StorageLayout(), sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Store) throws -> Result
) throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
        "freehold-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let options = Store.Options(
        path: directory.appendingPathComponent("test.freehold").path,
        hooks: TestHooks(layout: layout))
    let store = try Store.open(options)
    let result = try body(store)
    let problems = try store.check(try store.newestSnapshot())
    #expect(problems.isEmpty, "the file is kept at \(options.path)", sourceLocation: sourceLocation)
    if problems.isEmpty { try FileManager.default.removeItem(at: directory) }
    return result
}

/// Runs a transaction and commits it; cancels it if `body` throws.
@discardableResult
func write<Result>(_ store: Store, _ body: (WriteSet) throws -> Result) throws -> (Result, Snapshot)
{
    let writeSet = try store.beginWrite()
    let result: Result
    do {
        result = try body(writeSet)
    } catch {
        store.cancel(writeSet)
        throw error
    }
    // A commit that fails has used the write set up.
    return (result, try store.commit(writeSet))
}
