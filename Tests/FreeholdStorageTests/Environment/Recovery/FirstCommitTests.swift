import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Synchronization
import Testing

/// The first commits on a file that was not closed properly.
@Suite("Recovery: first commits") struct FirstCommitTests {
    private let directory: TemporaryDirectory
    private let path: String
    private static let pageSize = pageSizeOfNewFiles

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    private static func key(_ number: Int) -> String { "\(1_000_000 + number)" }

    /// Makes a file that is not vouched for, with a list of free pages.
    private func makeFile(_ path: String, count: Int) throws {
        let environment = try Environment.open(.init(path) { $0.durability = .none })
        try environment.writer.begin().commit { transaction in
            for number in 0..<count {
                try transaction.put(Self.key(number), "value \(number)")
            }
        }
        for round in 0..<3 {
            try environment.writer.begin().commit { transaction in
                for number in 0..<count / 20 {
                    try transaction.put(Self.key(number * 7), "value \(number) of \(round)")
                }
            }
        }
    }

    private func commit(_ environment: Environment, count: Int) throws {
        try environment.writer.begin().commit { transaction in
            for number in 0..<3 { try transaction.put(Self.key(count / 2 + number), "new") }
            for number in 0..<3 { try transaction.delete(Self.key(count / 3 + number * 100)) }
        }
    }

    private func walks(_ environment: Environment) -> Int {
        environment.counters.pageWalks.load(ordering: .relaxed)
    }

    private func lastPage(_ environment: Environment) -> Int { environment.handle.lastPage }

    @Test func aFirstCommitReadsAsFewPagesOfALargeFile() throws {
        var counts: [Int] = []
        for count in [10_000, 200_000] {
            let path = directory.file("\(count).realm")
            try makeFile(path, count: count)
            let environment = try GuardedScript.open(path)
            try commit(environment, count: count)
            #expect(walks(environment) == 0)
            counts.append(environment.counters.judgedPages.load(ordering: .relaxed))
        }
        // Paths, and neighbours of the leaves that lost entries.
        #expect(counts[0] > 0 && counts[1] < 60, "\(counts)")
        #expect(counts[1] - counts[0] < 20, "\(counts)")
    }

    @Test func smallFilesAreWalked() throws {
        try makeFile(path, count: 1000)
        let environment = try Environment.open(.init(path))
        try commit(environment, count: 1000)
        #expect(walks(environment) == 1)
        #expect(environment.counters.judgedPages.load(ordering: .relaxed) == 0)
    }

    /// Pages that are both used and free, or used twice, are harmless until the walk finds them.
    @Test func nothingIsOverwrittenBeforeTheWalk() throws {
        try makeFile(path, count: 20_000)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let environment = try GuardedScript.open(path)
        let end = (lastPage(environment) + 1) * Self.pageSize
        for _ in 0..<10 { try commit(environment, count: 20_000) }
        #expect(try environment.pinnedVersions().pins.allSatisfy { $0.version > 1 })
        #expect(try environment.read().text(Self.key(10_000)) == "new")
        let after = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(
            before[2 * Self.pageSize..<end].elementsEqual(after[2 * Self.pageSize..<end]))
    }

    @Test func afterTheWalkPagesAreReused() throws {
        try makeFile(path, count: 20_000)
        do {
            var hooks = GuardedScript.hooks
            hooks.walksInBackground = true
            let environment = try GuardedScript.open(path, hooks: hooks)
            let old = lastPage(environment)
            try commit(environment, count: 20_000)
            #expect(lastPage(environment) > old)
            environment.waitForPageWalk()
            let grown = lastPage(environment)
            for _ in 0..<10 { try commit(environment, count: 20_000) }
            #expect(lastPage(environment) == grown)
            #expect(walks(environment) == 0)
        }
        // And the file is vouched for.
        let environment = try GuardedScript.open(path)
        #expect(environment.handle.hasSoundPages)
        try commit(environment, count: 20_000)
        #expect(environment.counters.judgedPages.load(ordering: .relaxed) == 0)
    }

    @Test func aCheckMakesAFileSound() throws {
        try makeFile(path, count: 20_000)
        let environment = try GuardedScript.open(path)
        try commit(environment, count: 20_000)
        let view = try environment.read()
        #expect(try view.handle.problem(ofPagesReadBy: view.raw) == nil)
        let grown = lastPage(environment)
        for _ in 0..<10 { try commit(environment, count: 20_000) }
        #expect(lastPage(environment) == grown)
    }

    /// Where as much is written as an eighth of the file, a walk costs little beside that.
    @Test func aFileThatGrewIsWalked() throws {
        try makeFile(path, count: 1000)
        let environment = try GuardedScript.open(path)
        let value = String(repeating: "x", count: 400_000)
        var grown = 0
        for round in 0..<60 {
            try environment.writer.begin().commit { try $0.put("long", "\(value) \(round)") }
            if round == 45 { grown = lastPage(environment) }
        }
        #expect(walks(environment) == 1)
        #expect(lastPage(environment) == grown)
    }

    @Test(.disabled(if: EncryptedSuite.isOn, "finds a plain page"))
    func damageThatTheWalkFindsEndsWriting() throws {
        try makeFile(path, count: 20_000)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // A leaf that the commits do not come to.
        let sought = Data("value 19990".utf8)
        let place = try #require(bytes.range(of: sought, options: .backwards)).lowerBound
        let leaf = place / Self.pageSize * Self.pageSize
        bytes.replaceSubrange(leaf + 12..<leaf + 14, with: [0, 0])
        try bytes.write(to: URL(fileURLWithPath: path))
        var hooks = GuardedScript.hooks
        hooks.walksInBackground = true
        let environment = try GuardedScript.open(path, hooks: hooks)
        try commit(environment, count: 20_000)
        environment.waitForPageWalk()
        #expect(storageCode { try environment.writer.begin() } == .corrupted)
        #expect(try environment.read().text(Self.key(10_000)) == "new")
        // What the page has cannot be read, before and after.
        #expect(storageCode { try environment.read().text(Self.key(19_990)) } == .corrupted)
    }
}
