import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

extension Environment.Options {
    init(_ path: String, hooks: TestHooks = .current, configure: (inout Self) -> Void = { _ in }) {
        self.init(path: path, hooks: hooks)
        configure(&self)
    }
}

extension ReadTransaction {
    func bytes(_ key: String, in database: Database = .clusters) throws -> [UInt8]? {
        try Array(key.utf8).withUnsafeBytes { try value(database, key: $0).map(Array.init) }
    }

    func text(_ key: String, in database: Database = .clusters) throws -> String? {
        try bytes(key, in: database).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Every entry of a database, in key order.
    func entries(_ database: Database = .clusters) throws -> [(key: [UInt8], value: [UInt8])] {
        var cursor = try cursor(database)
        var entries: [(key: [UInt8], value: [UInt8])] = []
        while let entry = try cursor.next() {
            entries.append((Array(entry.key), Array(entry.value)))
        }
        return entries
    }
}

extension WriteTransaction {
    func put(_ key: String, _ value: String, in database: Database = .clusters) throws {
        try put(key, Array(value.utf8), in: database)
    }

    func put(_ key: String, _ value: [UInt8], in database: Database = .clusters) throws {
        try Array(key.utf8).withUnsafeBytes { key in
            try value.withUnsafeBytes { try put(database, key: key, value: $0) }
        }
    }

    @discardableResult
    func delete(_ key: String, in database: Database = .clusters) throws -> Bool {
        try Array(key.utf8).withUnsafeBytes { try delete(database, key: $0) }
    }
}

extension Environment {
    /// One synchronous write of one entry.
    @discardableResult
    func put(_ key: String, _ value: String) throws -> ReadTransaction {
        try writer.begin().commit { try $0.put(key, value) }.1
    }
}

/// The code of the error that a body throws.
func storageCode<Value>(_ body: () throws -> Value) -> StorageError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}

/// A value that several threads of a test change.
///
/// With a lock that ThreadSanitizer knows.
final class Shared<Value: Sendable>: @unchecked Sendable {
    // @unchecked: `current` is protected by `lock`.
    private let lock = NSLock()
    private var current: Value

    init(_ value: Value) { current = value }

    var value: Value { lock.withLock { current } }

    func change<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        lock.withLock { body(&current) }
    }
}

/// Whether the tests run under ThreadSanitizer, which takes most of the address space and does
/// not survive a fork.
let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

/// Whether the tests run under AddressSanitizer, whose shadow memory does not fit into a
/// limited address space.
let isAddressSanitized = dlsym(nil, "__asan_init") != nil
