import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Following the history.
@Suite struct HistoryStreamTests {
    @MainActor @Test func aLoopGetsWhatIsThereAndWhatFollows() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let realm = try await Realm.open(configuration: history(of: directory))
        let token = try realm.historyToken
        try realm.write(author: "0") { realm.add(Memo()) }
        var authors: [String?] = []
        var number = 1
        for try await transaction in realm.historyChanges(after: token) {
            authors.append(transaction.author)
            if number == 5 { break }
            if number % 2 == 0 {
                try realm.write(author: "\(number)") { realm.add(Memo()) }
            } else {
                try await realm.asyncWrite(author: "\(number)") { realm.add(Memo()) }
            }
            number += 1
        }
        #expect(authors == ["0", "1", "2", "3", "4"])
    }

    @MainActor @Test func aWaitingLoopIsWoken() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = history(of: directory)
        let realm = try await Realm.open(configuration: configuration)
        let stream = realm.historyChanges(after: try realm.historyToken)
        let loop = Task.detached {
            var authors: [String?] = []
            for try await transaction in stream {
                authors.append(transaction.author)
                if authors.count == 3 { break }
            }
            return authors
        }
        for author in ["a", "b", "c"] {
            try realm.write(author: author) { realm.add(Memo()) }
            await Task.yield()
        }
        #expect(try await loop.value == ["a", "b", "c"])
    }

    @MainActor @Test func cancellationEndsALoop() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let realm = try await Realm.open(configuration: history(of: directory))
        let stream = realm.historyChanges()
        let loop = Task.detached {
            var count = 0
            for try await _ in stream { count += 1 }
            return count
        }
        loop.cancel()
        #expect(try await loop.value == 0)
    }

    @MainActor @Test func aLoopThatCameTooLateThrows() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let realm = try await Realm.open(configuration: history(of: directory))
        var iterator = realm.historyChanges(after: try realm.historyToken).makeAsyncIterator()
        for _ in 0..<3 { try realm.write { realm.add(Memo()) } }
        try realm.deleteHistory(before: try realm.historyToken)
        do {
            _ = try await iterator.next()
            Issue.record("The history is gone.")
        } catch Realm.Error.historyExpired {}
    }

    @MainActor @Test func otherProcessesAreFollowed() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let realm = try await Realm.open(configuration: history(of: directory))
        var iterator = realm.historyChanges(after: try realm.historyToken).makeAsyncIterator()
        setenv("FREEHOLD_HISTORY_FILE", directory.file().path, 1)
        await #expect(processExitsWith: .success) {
            let path = try #require(ProcessInfo.processInfo.environment["FREEHOLD_HISTORY_FILE"])
            // Without a policy of its own.
            let other = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path),
                    objectTypes: [Memo.self, Order.self, Customer.self, Line.self]))
            for _ in 0..<3 { try other.write(author: "other") { other.add(Memo()) } }
        }
        for _ in 0..<3 {
            let next = try await iterator.next()
            let transaction = try #require(next)
            #expect(transaction.author == "other")
            #expect(
                transaction.processIdentifier != ProcessInfo.processInfo.processIdentifier)
        }
    }
}
