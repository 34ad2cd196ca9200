import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Histories with a damaged entry.
@Suite struct DamagedHistoryTests {
    /// A reader that saves tokens must not take the end of a loop for the end of the history.
    @Test func aLoopEndsAndTheNextReadThrows() throws {
        try withDamage { realm in
            let all = Array(try realm.history())
            #expect(all.map(\.author) == ["0", "1"])
            #expect(try code { try realm.historyToken } == .corrupted)
            #expect(try code { try realm.history(after: all.last?.token) } == .corrupted)
            #expect(try code { try realm.write { realm.deleteAll() } } == .corrupted)
        }
    }

    @Test func theLastTransactionsBeginBehindDamage() throws {
        try withDamage { realm in
            let all = try realm.history()
            #expect(all.suffix(2) { _ in true }.map(\.author) == ["3", "4"])
            #expect(try code { try realm.historyToken } == nil)
            #expect(all.suffix(3) { _ in true }.map(\.author) == [])
            #expect(try code { try realm.historyToken } == .corrupted)
        }
    }

    @MainActor @Test func aStreamThrows() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try DamagedHistory.make(at: directory.file())
        let realm = try await Realm.open(
            configuration: DamagedHistory.configuration(directory.file()))
        var authors: [String?] = []
        do {
            for try await transaction in realm.historyChanges() {
                authors.append(transaction.author)
            }
            Issue.record("The loop ended.")
        } catch Realm.Error.corrupted {
            #expect(authors == ["0", "1"])
        }
    }

    private func withDamage(_ body: (Realm) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            try DamagedHistory.make(at: directory.file())
            try body(Realm(configuration: DamagedHistory.configuration(directory.file())))
        }
    }

    private func code<Value>(of body: () throws -> Value) throws -> Realm.Error.Code? {
        do {
            _ = try body()
            return nil
        } catch let error as Realm.Error {
            return error.code
        }
    }
}
