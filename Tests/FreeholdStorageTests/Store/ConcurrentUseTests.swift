import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Everything that threads do with one file, at once, plain and encrypted: for ThreadSanitizer,
/// which has to notice each lock that is missing. Without it, the numbers must be right.
@Suite(.timeLimit(.minutes(10))) struct ConcurrentUseTests {
    private static let rounds = 12
    private static let keys = (0..<2).compactMap { seed in
        EncryptionKey((0..<64).map { UInt8($0) ^ UInt8(seed) })
    }

    private struct World: Sendable {
        let store: Store
        let options: Store.Options
        let directory: TemporaryDirectory
        let table: TableID
        let number: ColumnID
        let text: ColumnID

        func insert(_ value: Int, in writeSet: WriteSet) throws {
            let rows = writeSet.mutableTable(table)
            let key = rows.nextRowKey()
            _ = rows.insertRow(key)
            let row = try #require(rows.mutableRow(key))
            row.setInteger(number, Int64(value))
            Array("text \(value)".utf8).withUnsafeBytes { row.setBytes(text, $0) }
        }
    }

    private static func makeWorld(_ directory: TemporaryDirectory, isEncrypted: Bool) throws
        -> World
    {
        var options = Store.Options(path: directory.file("a.realm"), hooks: .tiny)
        options.durability = .none
        if isEncrypted { options.encryptionKey = keys[0] }
        let store = try Store.open(options)
        let ((table, number, text), _) = try write(store) { writeSet in
            let table = writeSet.createTable(named: "Row")
            let number = writeSet.addColumn(
                to: table, named: "number", type: .integer, isNullable: false, isIndexed: true)
            let text = writeSet.addColumn(
                to: table, named: "text", type: .text, isNullable: true, isIndexed: false)
            return (table, number, text)
        }
        return World(
            store: store, options: options, directory: directory, table: table, number: number,
            text: text)
    }

    /// Rows are written one after the other, so each snapshot has as many as its last one says.
    private static func read(_ world: World, _ snapshot: Snapshot) throws -> Int {
        let table = snapshot.table(world.table)
        var count = 0
        for index in 0..<table.clusterCount {
            let cluster = table.cluster(at: index)
            for row in 0..<cluster.count {
                try #require(
                    table.withBytes(cluster, world.text, row) {
                        String(decoding: $0, as: UTF8.self).hasPrefix("text ")
                    })
                count += cluster.columns[world.number.position].integer(at: row) >= 0 ? 1 : 0
            }
        }
        return count
    }

    @Test(arguments: [false, true]) func everythingAtOnce(isEncrypted: Bool) throws {
        let directory = try TemporaryDirectory()
        let world = try Self.makeWorld(directory, isEncrypted: isEncrypted)
        let (store, environment, rounds) = (world.store, world.store.environment, Self.rounds)
        let writers = Shared(3)
        let heard = Shared(0)
        let isDone: @Sendable () -> Bool = { writers.value == 0 }
        let uses: [@Sendable () throws -> Void] = [
            // Writers: on their thread, by the writer thread, and by grants that are offered.
            {
                defer { writers.change { $0 -= 1 } }
                for value in 0..<rounds * 4 {
                    _ = try write(store) { try world.insert(value, in: $0) }
                }
            },
            {
                defer { writers.change { $0 -= 1 } }
                for value in 0..<rounds * 4 {
                    let writeSet = try store.beginWrite()
                    try world.insert(value, in: writeSet)
                    let isWritten = DispatchSemaphore(value: 0)
                    store.commitAsync(writeSet) { _ in isWritten.signal() }
                    // Half of them are overtaken by what the thread does next.
                    if value % 2 == 0 { isWritten.wait() }
                    withExtendedLifetime(isWritten) {}
                }
            },
            {
                defer { writers.change { $0 -= 1 } }
                for value in 0..<rounds * 4 {
                    let end = DispatchSemaphore(value: 0)
                    let request = environment.writer.begin { result in
                        if case .success(let grant) = result { grant.cancel() }
                        end.signal()
                    }
                    request.armFirstPatience()
                    if value % 3 == 0, request.cancel() { continue }
                    end.wait()
                }
            },
            // Requests whose owner comes late or never, and with a limit.
            {
                while !isDone() {
                    let owner = NSObject()
                    let request = environment.writer.request(
                        owner: ObjectIdentifier(owner), timeout: .milliseconds(1)
                    ) { _, _ in }
                    request.armFirstPatience()
                    sched_yield()
                    if let grant = try? request.accept() {
                        grant.cancel()
                    } else {
                        request.cancel()
                    }
                    _ = environment.writeQueueState
                    store.environment.disarm(store.environment.arm(after: .milliseconds(1)) {})
                }
            },
            // Readers.
            {
                var last = 0
                while !isDone() {
                    let snapshot = try store.newestSnapshot()
                    let count = try Self.read(world, snapshot)
                    try #require(count >= last)
                    last = count
                    _ = (
                        store.isNewest(snapshot), environment.isNewest(snapshot.transaction),
                        environment.newestVersionHint
                    )
                }
            },
            {
                var before = try store.newestSnapshot()
                while !isDone() {
                    let now = try store.newestSnapshot()
                    let difference = try VersionDifference(from: before, to: now)
                    let changes = try runThreads(2) { _ in
                        difference.changes(of: world.table).insertions.count
                    }
                    try #require(changes[0] == changes[1])
                    // One thread at a time releases: both last owners at once are the other case.
                    _ = try runThreads(2) { _ in try Self.read(world, now) }
                    before = now
                }
            },
            // Diagnosis.
            {
                while !isDone() {
                    let versions = try environment.pinnedVersions()
                    try #require(environment.oldestVersion ?? 0 <= versions.newestVersion + 1_000)
                    _ = (
                        environment.readerPins, store.corruption.isDamaged, AddressSpace.shareOfNext
                    )
                    try #require(try store.byteCounts().used > 0)
                }
            },
            // The file is opened again, others are opened and closed, and commits are watched.
            {
                var number = 0
                while !isDone() {
                    number += 1
                    try #require(try Store.open(world.options) === store)
                    let other = try Store.open(
                        Store.Options(path: directory.file("\(number % 3).realm")))
                    let watch = CommitWatcher.shared.watch(environment) { heard.change { $0 += 1 } }
                    _ = try other.newestSnapshot()
                    withExtendedLifetime(watch) {}
                }
            },
            {
                var number = 0
                while !isDone() {
                    number += 1
                    _ = try Store.open(Store.Options(path: directory.file("\(number % 3).realm")))
                }
            },
            // The file is exchanged, copied and its key changed.
            {
                var number = 0
                while !isDone() {
                    number += 1
                    try store.compact()
                    try store.copy(
                        try store.newestSnapshot(), to: directory.file("copy \(number)"),
                        key: isEncrypted ? Self.keys[1] : nil)
                    if isEncrypted { try store.changeEncryptionKey(to: Self.keys[number % 2]) }
                }
            },
        ]
        try runThreads(uses)
        // What was written asynchronously is there once a later transaction has begun.
        store.cancel(try store.beginWrite())
        let snapshot = try store.newestSnapshot()
        #expect(try Self.read(world, snapshot) == rounds * 8)
        #expect(try store.check(snapshot).isEmpty)
    }
}
