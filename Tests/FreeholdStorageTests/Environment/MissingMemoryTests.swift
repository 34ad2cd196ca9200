@testable import FreeholdStorage
import Testing

/// What happens where LMDB gets no memory; `torture faults` makes each of its allocations fail.
@Suite("Environment: missing memory")
struct MissingMemoryTests {
    /// What a read took for absent may have been kept, so nothing that follows from it may be
    /// committed; and the file is not damaged.
    @Test func aReadThatFailedForLackOfMemoryAsksForOpeningAgain() throws {
        let log = CorruptionLog()
        log.note(.system(.outOfMemory, "open a cursor", path: "/a.realm"))
        let error = try #require(#expect(throws: StorageError.self) { try log.check() })
        #expect(error.code == .poisoned)
        #expect(error.path == "/a.realm")
        #expect((error.underlying as? StorageError)?.code == .outOfMemory)
        let damaged = CorruptionLog()
        damaged.note(corrupted("/a.realm", "it is torn"))
        #expect(throws: StorageError.self) { try damaged.check() }
        #expect(storageCode { try damaged.check() } == .corrupted)
    }
}
