import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

@Suite("Environment: page account")
struct PageAccountTests {
    /// Values within pages and over several, which come, grow and go, so that pages are freed
    /// and used again.
    @Test func everyPageIsUsedOrFree() throws {
        let directory = try TemporaryDirectory()
        let environment = try Environment.open(.init(directory.file("a.realm")))
        var freeCount = 0
        for round in 0..<60 {
            let held = round % 7 == 0 ? try environment.read() : nil
            try environment.writer.begin().commit { transaction in
                for key in 0..<40 {
                    if (key + round) % 3 == 0 {
                        try transaction.delete("\(key)")
                    } else {
                        try transaction.put(
                            "\(key)", [UInt8](repeating: 7, count: (key * round * 37) % 20_000))
                    }
                }
            }
            let account = try environment.pageAccount()
            #expect(account.lostCount == 0)
            #expect(account.usedCount > 0)
            #expect(account.totalCount * pageSizeOfNewFiles == environment.usedByteCount)
            freeCount = max(freeCount, account.freeCount)
            withExtendedLifetime(held) {}
        }
        #expect(freeCount > 0)
    }

    /// A free page that the list does not name any more is lost.
    @Test func aLostPageIsFound() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.realm")
        do {
            let environment = try Environment.open(.init(path))
            for round in 0..<5 {
                try environment.put("a", String(repeating: "\(round)", count: 50_000))
            }
        }
        // The number of the last page, in both meta pages.
        let file = open(path, O_RDWR)
        try #require(file >= 0)
        for page in 0..<2 {
            var lastPage: UInt64 = 0
            let offset = off_t(page * pageSizeOfNewFiles + 16 + 120)
            try #require(pread(file, &lastPage, 8, offset) == 8)
            lastPage += 3
            try #require(pwrite(file, &lastPage, 8, offset) == 8)
        }
        close(file)
        #expect(try Environment.open(.init(path)).pageAccount().lostCount == 3)
    }
}
