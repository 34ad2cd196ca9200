import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// One store for each open file, however its owners come and go.
@Suite struct StoreRegistryTests {
    @Test func concurrentOpensShareOneStore() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.freehold")
        let stores = try runThreads(8) { _ in try Store.open(Store.Options(path: path)) }
        #expect(stores.allSatisfy { $0 === stores[0] })
    }

    /// A store that its owner released is gone, whatever other threads open and close meanwhile:
    /// what it remembered, here damage, does not come back with the next store of its file.
    @Test func aReleasedStoreIsGoneWhateverOtherThreadsOpen() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.freehold")
        // Keeps the environment, so that only the store is opened anew.
        let environment = try Store.open(Store.Options(path: path)).environment
        let isOver = Locked(false)
        try runThreads(3) { thread in
            if thread > 0 {
                let path = path + "\(thread)"
                let environment = try Store.open(Store.Options(path: path)).environment
                while !isOver.withLock({ $0 }) { _ = try Store.open(Store.Options(path: path)) }
                withExtendedLifetime(environment) {}
            } else {
                defer { isOver.withLock { $0 = true } }
                for round in 0..<20_000 {
                    let store = try Store.open(Store.Options(path: path))
                    try #require(!store.isDamaged, "round \(round)")
                    store.noteDamage(StorageError(.corrupted, "Damage of the test."))
                }
            }
        }
        withExtendedLifetime(environment) {}
    }

    /// Each thread opens the file, adds one, and releases it, so that the last reference often
    /// goes while another thread opens.
    ///
    /// Between, each opens a file of its own. The failure is a thread that waits for itself, or
    /// two stores for one file, which do not see one another's versions.
    @Test func theLastReferenceMayGoWhileAnotherThreadOpens() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("shared.freehold")
        await #expect(processExitsWith: .success) { [path = path as String] in
            alarm(60)
            let column = ColumnID(rawValue: 1)
            let (threads, rounds) = (4, 40)
            let table = try write(try Store.open(Store.Options(path: path))) { writeSet in
                let table = writeSet.createTable(named: "Counters")
                _ = writeSet.addColumn(
                    to: table, named: "count", type: .integer, isNullable: false, isIndexed: true)
                _ = writeSet.mutableTable(table).insertRow(RowKey(rawValue: 0))
                return table
            }.0
            try runThreads(threads) { thread in
                for _ in 0..<rounds {
                    let other = try Store.open(Store.Options(path: path + "\(thread)"))
                    try write(try Store.open(Store.Options(path: path))) { writeSet in
                        let row = try #require(
                            writeSet.mutableTable(table).mutableRow(RowKey(rawValue: 0)))
                        row.setInteger(column, row.cluster.columns[1].integer(at: row.row) + 1)
                    }
                    withExtendedLifetime(other) {}
                }
            }
            let store = try Store.open(Store.Options(path: path))
            let snapshot = try store.newestSnapshot()
            let place = try #require(snapshot.table(table).locate(RowKey(rawValue: 0)))
            try #require(place.cluster.columns[1].integer(at: place.row) == Int64(threads * rounds))
            try #require(store.check(snapshot) == [])
        }
    }

    /// A file's last owner releases it while other threads ask whether it was released. The
    /// failure is a thread that closes the file under the registry's lock, and waits for itself.
    @Test func theLastReferenceMayGoWhileAnotherThreadAsks() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.freehold")
        await #expect(processExitsWith: .success) { [path = path as String] in
            alarm(60)
            let isOver = Locked(false)
            try runThreads(3) { thread in
                if thread > 0 {
                    while !isOver.withLock({ $0 }) { _ = Environment.isReleased(at: path) }
                } else {
                    defer { isOver.withLock { $0 = true } }
                    for _ in 0..<2_000 { _ = try Store.open(Store.Options(path: path)) }
                }
            }
        }
    }
}
