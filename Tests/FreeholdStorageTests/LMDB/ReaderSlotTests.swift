@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// A transaction whose reader slot writers may not have seen: commits come between its
/// beginning and the look at what it reads.
@Suite("Environment: reader slots")
struct ReaderSlotTests {
    let directory: TemporaryDirectory
    let environment: Environment

    init() throws {
        directory = try TemporaryDirectory()
        environment = try Environment.open(
            .init(directory.file("a.realm")) { $0.durability = .none })
    }

    @Test(arguments: [
        (commits: 0, isRenewed: false), (commits: 1, isRenewed: false),
        (commits: 2, isRenewed: true), (commits: 9, isRenewed: true),
    ])
    func aReaderThatTwoCommitsOvertakeReadsTheNewestVersion(commits: Int, isRenewed: Bool) throws {
        let first = try environment.put("key", "0").version
        let handle = environment.handle
        let raw = try handle.beginUncheckedRead()
        for number in 0..<commits { try environment.put("key", "\(number + 1)") }
        let version = try handle.checkAndWarm(raw)
        let view = ReadTransaction(
            adopting: raw, version: version, environment: environment, handle: handle)
        #expect(view.version == first + UInt64(isRenewed ? commits : 0))
        #expect(try view.text("key") == (isRenewed ? "\(commits)" : "0"))
        #expect(environment.mislabelledReadCount == (isRenewed ? 1 : 0))
    }

    /// Both looks at the newest version fail: neither keeps its slot.
    @Test func aReaderThatFailsTwiceKeepsNoSlot() throws {
        try environment.put("key", "0")
        let handle = environment.handle
        let before = handle.readerPins().count
        // MDB_CORRUPTED
        let failures = SystemCalls.failing("mdb_stat", in: directory.path, with: -30796) {
            #expect(storageCode { _ = try handle.beginRead() } == .corrupted)
        }
        #expect(failures == 2)
        #expect(handle.readerPins().count == before)
        #expect(try environment.read().text("key") == "0")
    }
}
