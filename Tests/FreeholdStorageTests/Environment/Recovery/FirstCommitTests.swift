import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Synchronization
import Testing

/// The first commits on a file that was not closed properly.
@Suite("Recovery: first commits") struct FirstCommitTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let file: UnsoundFile
    private static let pageSize = pageSizeOfNewFiles

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
        file = UnsoundFile(path, count: 20_000)
    }

    private func walks(_ environment: Environment) -> Int {
        environment.counters.pageWalks.load(ordering: .relaxed)
    }

    private func lastPage(_ environment: Environment) -> Int { environment.handle.lastPage }

    @Test func aFirstCommitReadsAsFewPagesOfALargeFile() throws {
        var counts: [Int] = []
        for count in [10_000, 200_000] {
            let file = UnsoundFile(directory.file("\(count).realm"), count: count)
            try file.make()
            let environment = try GuardedScript.open(file.path)
            try file.commit(environment)
            #expect(walks(environment) == 0)
            counts.append(environment.counters.judgedPages.load(ordering: .relaxed))
        }
        // Paths, and neighbours of the leaves that lost entries.
        #expect(counts[0] > 0 && counts[1] < 60, "\(counts)")
        #expect(counts[1] - counts[0] < 20, "\(counts)")
    }

    @Test func smallFilesAreWalked() throws {
        let file = UnsoundFile(path, count: 1000)
        try file.make()
        let environment = try Environment.open(.init(path))
        try file.commit(environment)
        #expect(walks(environment) == 1)
        #expect(environment.counters.judgedPages.load(ordering: .relaxed) == 0)
    }

    /// Pages that are both used and free, or used twice, are harmless until the walk finds them.
    @Test func nothingIsOverwrittenBeforeTheWalk() throws {
        try file.make()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let environment = try GuardedScript.open(path)
        let end = (lastPage(environment) + 1) * Self.pageSize
        for _ in 0..<10 { try file.commit(environment) }
        #expect(try environment.pinnedVersions().pins.allSatisfy { $0.version > 1 })
        #expect(try environment.read().text(file.writtenKey) == "new")
        let after = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(
            before[2 * Self.pageSize..<end].elementsEqual(after[2 * Self.pageSize..<end]))
    }

    @Test func afterTheWalkPagesAreReused() throws {
        try file.make()
        do {
            var hooks = GuardedScript.hooks
            hooks.walksInBackground = true
            let environment = try GuardedScript.open(path, hooks: hooks)
            let old = lastPage(environment)
            try file.commit(environment)
            #expect(lastPage(environment) > old)
            environment.waitForPageWalk()
            let grown = lastPage(environment)
            for _ in 0..<10 { try file.commit(environment) }
            #expect(lastPage(environment) == grown)
            #expect(walks(environment) == 0)
        }
        // And the file is vouched for.
        let environment = try GuardedScript.open(path)
        #expect(environment.handle.hasSoundPages)
        try file.commit(environment)
        #expect(environment.counters.judgedPages.load(ordering: .relaxed) == 0)
    }

    @Test func aCheckMakesAFileSound() throws {
        try file.make()
        let environment = try GuardedScript.open(path)
        try file.commit(environment)
        let view = try environment.read()
        #expect(try view.handle.problem(ofPagesReadBy: view.raw) == nil)
        let grown = lastPage(environment)
        for _ in 0..<10 { try file.commit(environment) }
        #expect(lastPage(environment) == grown)
    }

    /// Where as much is written as an eighth of the file, a walk costs little beside that.
    @Test func aFileThatGrewIsWalked() throws {
        try UnsoundFile(path, count: 1000).make()
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
        try file.make()
        try file.damageLastLeaf()
        var hooks = GuardedScript.hooks
        hooks.walksInBackground = true
        let environment = try GuardedScript.open(path, hooks: hooks)
        try file.commit(environment)
        environment.waitForPageWalk()
        #expect(storageCode { try environment.writer.begin() } == .corrupted)
        #expect(try environment.read().text(file.writtenKey) == "new")
        // What the page has cannot be read, before and after.
        #expect(storageCode { try environment.read().text(file.lastKey) } == .corrupted)
    }
}
