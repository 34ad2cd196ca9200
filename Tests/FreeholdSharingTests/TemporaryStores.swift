import Foundation
@testable import FreeholdStorage
import Testing

/// A folder for the files of one test, which disappears with it.
final class StoreFolder {
    let url: URL

    init() throws {
        let root =
            FileManager.default.isWritableFile(atPath: "/dev/shm")
            ? URL(fileURLWithPath: "/dev/shm") : FileManager.default.temporaryDirectory
        url = root.appendingPathComponent("freehold-sharing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func open(
        _ name: String, key: EncryptionKey? = nil, hooks: TestHooks = .current
    ) throws -> Store {
        var options = Store.Options(path: path(name), hooks: hooks)
        options.durability = .none
        options.encryptionKey = key
        return try Store.open(options)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

extension Store {
    @discardableResult
    func write<Result>(_ body: (WriteSet) throws -> Result) throws -> Result {
        let writeSet = try beginWrite()
        let result: Result
        do {
            result = try body(writeSet)
        } catch {
            cancel(writeSet)
            throw error
        }
        _ = try commit(writeSet)
        return result
    }

    func model() throws -> SharedModel { SharedModel(of: try newestSnapshot()) }
}
