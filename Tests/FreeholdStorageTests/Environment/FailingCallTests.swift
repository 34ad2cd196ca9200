import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// Each call of LMDB's and each call of the kernel that opening, reading, writing, compacting
/// and copying make fails once: a typed error, nothing half done, and everything works
/// afterwards.
@Suite("Environment: calls that fail") struct FailingCallTests {
    /// What a file goes through. Each commit replaces all values with its number.
    private static func live(
        _ path: String, _ key: EncryptionKey?, on thread: CommitThread, _ done: (Int) -> Void
    ) throws {
        let environment = try Environment.open(
            .init(path, hooks: TestHooks { $0.layout.encryptedNodeCapacity = 600 }) {
                $0.encryptionKey = key
            })
        var number =
            try environment.read().text("key 0").flatMap { Int($0.prefix(while: \.isNumber)) } ?? 0
        func commit() throws {
            number += 1
            let text = "\(number) " + String(repeating: "x", count: 900)
            try environment.writer.begin().commit(on: thread) { transaction in
                for index in 0..<5 { try transaction.put("key \(index)", text) }
                try transaction.put("gone", "1")
                try transaction.delete("gone")
                try transaction.deleteAll(.blobs)
                var cursor = try transaction.cursor(.clusters)
                while try cursor.next() != nil {}
                try Self.change(transaction)
            }
            done(number)
        }
        try commit()
        try commit()
        let view = try environment.read()
        for database in Database.allCases { _ = try view.entries(database) }
        _ = try view.encryptionProblems()
        _ = try view.handle.problem(ofPagesReadBy: view.raw)
        let copy = path + ".copy-\(number)"
        try Environment.copy(view, to: copy, key: nil) { transaction throws(StorageError) in
            try withUnsafeBytes(of: UInt64(1)) { key throws(StorageError) in
                try transaction.put(.clusters, key: key, value: key)
            }
        }
        do {
            let grant = try environment.writer.begin()
            defer { grant.cancel() }
            try environment.compact(grant)
        }
        _ = try environment.byteCounts()
        try commit()
    }

    /// One entry by way of a cursor, which is read, replaced and removed.
    private static func change(_ transaction: WriteTransaction) throws {
        try transaction.put("key 0", "0", in: .blobs)
        let key = Array("key 0".utf8)
        #expect(try key.withUnsafeBytes { try transaction.value(.blobs, key: $0) } != nil)
        var cursor = try transaction.cursor(.blobs)
        try key.withUnsafeBytes { try cursor.put(key: $0, value: $0) }
        if try key.withUnsafeBytes({ try cursor.seek(exactly: $0) }) != nil {
            try cursor.deleteFound()
        }
    }

    static let calls = [
        "open", "unlink", "lstat", "fsync", "fdatasync", "pread", "pwrite", "ftruncate", "fchmod",
        "lseek", "fstat", "ofd setlk", "ofd getlk", "mdb_env_open", "mdb_dbi_open",
        "mdb_txn_begin read", "mdb_txn_begin write", "mdb_txn_renew", "mdb_txn_commit",
        "mdb_cursor_open", "mdb_cursor_get", "mdb_cursor_put",
        "mdb_cursor_del", "mdb_get", "mdb_stat", "mdb_put", "mdb_del", "mdb_drop",
    ]

    /// Trees of encrypted files are not LMDB's: it has neither cursors in them nor deletes from
    /// them.
    private static let ofPlainFilesOnly: Set = [
        "mdb_cursor_open", "mdb_cursor_get", "mdb_cursor_put", "mdb_cursor_del", "mdb_del",
    ]

    /// Those of a commit, which the writer thread makes, too.
    private static let inCommits: Set = [
        "fdatasync", "pwrite", "lseek", "lstat", "mdb_txn_begin write", "mdb_txn_begin read",
        "mdb_txn_renew", "mdb_txn_commit", "mdb_stat", "mdb_put", "mdb_del",
    ]

    struct Case: CustomTestStringConvertible {
        let call: String
        var isEncrypted = false
        var thread = CommitThread.callers

        var testDescription: String {
            "\(call)\(isEncrypted ? ", encrypted" : ""), \(thread) thread"
        }
    }

    static let cases =
        calls.map { Case(call: $0) }
        + calls.filter { !ofPlainFilesOnly.contains($0) }.map { Case(call: $0, isEncrypted: true) }
        + calls.filter { inCommits.contains($0) }.map { Case(call: $0, thread: .writers) }

    @Test(arguments: cases) func eachCallMayFail(_ failing: Case) throws {
        let (call, isEncrypted) = (failing.call, failing.isEncrypted)
        // What LMDB looks up it finds, unless the file is damaged.
        let codes: [StorageError.Code?] =
            call == "mdb_get" ? [.inputOutput, .poisoned, .corrupted] : [.inputOutput, .poisoned]
        let key = isEncrypted ? EncryptionKey((0..<64).map { UInt8($0) }) : nil
        var skipped: Int32 = 0
        var failures = 0
        repeat {
            let directory = try TemporaryDirectory()
            let path = directory.file("a.realm")
            var last = 0
            // A file that exists in half of the cases.
            if skipped % 2 == 1 { try Self.live(path, key, on: failing.thread) { last = $0 } }
            var error: (any Error)?
            var attempted = last
            failures = SystemCalls.failing(call, in: directory.path, with: EIO, after: skipped) {
                do { try Self.live(path, key, on: failing.thread) { attempted = $0 } } catch let
                    thrown
                {
                    error = thrown
                }
            }
            if let error {
                let code = (error as? StorageError)?.code
                #expect(codes.contains(code), "\(call) \(skipped): \(error)")
            } else if call == "mdb_stat" {
                #expect(failures == 0, "\(call) \(skipped) failed, and nothing said so")
            }
            let unfinished = directory.names.filter {
                $0.hasSuffix("ing") || $0.hasSuffix("ing-lock")
            }
            // What cannot be removed stays until the next compaction takes the name.
            #expect(unfinished == [] || call == "unlink", "\(call) \(skipped)")
            // What was committed is there, and perhaps the commit that failed.
            var next = 0
            do { try Self.live(path, key, on: failing.thread) { if next == 0 { next = $0 } } } catch
            {
                Issue.record("\(call) \(skipped), afterwards: \(error)")
            }
            #expect(
                next == attempted + 1 || next == attempted + 2,
                "\(call) \(skipped): \(attempted) commits, and the next is \(next)")
            // Later ones come from the same places.
            skipped += skipped < 10 ? 1 : 9
        } while failures > 0
        #expect(skipped > 1, "\(call) is never made")
    }
}
