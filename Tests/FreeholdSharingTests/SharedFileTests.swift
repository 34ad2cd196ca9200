@testable import FreeholdSharing
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// The local file of a shared realm.
@Suite struct SharedFileTests {
    private func withFile(_ body: (Store, SharedFile) throws -> Void) throws {
        let folder = try StoreFolder()
        let store = try folder.open("a")
        try store.write { SharedWorld.addClasses(to: $0) }
        try body(store, try SharedFile(store, name: "r", key: nil))
        #expect(try store.check(try store.newestSnapshot()).isEmpty)
    }

    private func change(_ store: Store, _ count: Int64) throws {
        try store.write { writeSet in
            var commit = SharedCommit()
            commit.inserted = [
                .init(SharedReference("Thing", .integer(1)), ["int": .integer(count)])
            ]
            commit.define(by: writeSet.catalog)
            _ = try SharedApplier(writeSet).apply(commit)
        }
    }

    @Test func commitsAreNumbered() throws {
        try withFile { store, file in
            for number in 1...3 { try change(store, Int64(number)) }
            try file.loadOutbox()
            #expect(file.outbox.commits.map(\.sequence) == [1, 2, 3])
        }
    }

    @Test func reservedNumbersAreGivenOnce() throws {
        try withFile { store, file in
            #expect(try file.reserve(2) == 1...2)
            #expect(try file.reserve(2) == 3...4)
            try change(store, 7)
            try file.loadOutbox()
            #expect(file.outbox.commits.map(\.sequence) == [5])
            #expect(try file.reserve(2) == 6...7)
            try change(store, 8)
            #expect(try SharedFile(store, name: "r", key: nil).outbox.commits.map(\.sequence) == [5, 8])
        }
    }
}
