@testable import FreeholdStorage
import Glibc
import Testing

/// What happens where LMDB gets no memory; `torture faults` makes each of its allocations fail.
@Suite("Environment: missing memory")
struct MissingMemoryTests {
    /// What a read took for absent may have been kept, so nothing that follows from it may be committed; and the file is not damaged.
    @Test func aReadThatFailedForLackOfMemoryAsksForOpeningAgain() throws {
        let log = CorruptionLog()
        log.note(.system(ENOMEM, "open a cursor", path: "/a.realm"))
        let error = try #require(#expect(throws: StorageError.self) { try log.check() })
        #expect(error.code == .poisoned)
        #expect(error.path == "/a.realm")
        #expect((error.underlying as? StorageError)?.code == .outOfMemory)
        let damaged = CorruptionLog()
        damaged.note(corrupted("/a.realm", "it is torn"))
        #expect(throws: StorageError.self) { try damaged.check() }
        #expect(storageCode { try damaged.check() } == .corrupted)
    }

    @Test func spareCursorsAreLentOverAnyVersionAndTakenBack() throws {
        let directory = try TemporaryDirectory()
        let environment = try Environment.open(.init(directory.file("a.realm")))
        let spares = environment.handle.spareCursors
        for version in 1...3 {
            try environment.put("\(version)", "value")
            let view = try environment.read()
            for database in Database.allCases {
                let lent = (0..<SpareCursors.countOfADatabase).compactMap { _ in spares.lend(database, of: view.raw) }
                #expect(Set(lent).count == SpareCursors.countOfADatabase)
                #expect(spares.lend(database, of: view.raw) == nil)
                if database == .clusters {
                    var cursor = Cursor(lent: lent[0], database, of: view)
                    var count = 0
                    var entry = try cursor.first()
                    while entry != nil {
                        count += 1
                        entry = try cursor.next()
                    }
                    #expect(count == version)
                } else {
                    spares.takeBack(lent[0], database)
                }
                for cursor in lent.dropFirst() { spares.takeBack(cursor, database) }
            }
        }
    }
}
