import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Which pages LMDB follows in write transactions on a file that was not walked.
@Suite("Recovery: judging pages", .disabled(if: EncryptedSuite.isOn, "reads plain pages"))
struct GuardedWritingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let rounds = 6

    /// Runs the transactions; returns the pages that were judged.
    private static func run(_ script: GuardedScript, _ path: String, _ model: [String: String])
        throws -> (judged: JudgedPages, model: [String: String])
    {
        let environment = try GuardedScript.open(path)
        var model = model
        for round in 0..<rounds { try script.run(round, environment, &model) }
        return (try #require(environment.handle.judgedPages), model)
    }

    /// LMDB would abort at the others, or do something else than before.
    @Test(arguments: 0..<12) func pagesThatWereNotJudgedMayBeAnything(_ number: Int) async throws {
        var random = Seed.random()
        for _ in 0..<number { _ = random.next() }
        let seed = random.next()
        let path = directory.file("a.realm"), copy = directory.file("b.realm")
        let keyLength = [10...30, 100...200, 350...490][number % 3]
        let script = GuardedScript(seed: seed, count: 3_000, keyLength: keyLength)
        let model = try script.makeFile(path)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.copyItem(atPath: path + ".control", toPath: copy + ".control")
        let (judged, changed) = try Self.run(script, path, model)
        let view = try GuardedScript.open(path).read()
        #expect(
            Dictionary(
                uniqueKeysWithValues: try view.entries().map {
                    (
                        String(decoding: $0.key, as: UTF8.self),
                        String(decoding: $0.value, as: UTF8.self)
                    )
                }) == changed, "seed \(seed)")

        // All pages but those that opening the file reads.
        let size = pageSizeOfNewFiles
        try bytes.write(to: URL(fileURLWithPath: copy))
        var kept = try Self.pagesOfMainTree(copy)
        // The contents of large values are no page's.
        for page in 2...Int(judged.lastPage) where judged.contains(UInt64(page)) {
            let head = bytes.withUnsafeBytes {
                PageHeader(at: $0.baseAddress.unsafelyUnwrapped + page * size)
            }
            guard head.flags == PageLayout.overflow else { continue }
            kept.formUnion(UInt64(page)..<UInt64(page + head.pageCount))
        }
        var count = 0
        for page in 2...Int(judged.lastPage)
        where !judged.contains(UInt64(page)) && !kept.contains(UInt64(page)) {
            count += 1
            bytes.replaceSubrange(
                page * size..<(page + 1) * size, with: [UInt8](repeating: 0xEE, count: size))
        }
        #expect(count > 10)
        try bytes.write(to: URL(fileURLWithPath: copy))
        await #expect(processExitsWith: .success) {
            [
                copy = copy as String, seed = seed as UInt64, low = keyLength.lowerBound as Int,
                high = keyLength.upperBound as Int
            ] in
            let script = GuardedScript(seed: seed, count: 3_000, keyLength: low...high)
            // The model only tells what deletions find.
            let other = copy + "-model"
            let model = try script.makeFile(other)
            _ = try GuardedWritingTests.run(script, copy, model)
        }
        let start = Int(judged.lastPage) + 1
        let written = try Self.contents(path, from: start)
        let again = try Self.contents(copy, from: start)
        let end = min(written.count, again.count)
        #expect(end > 0 && written[..<end] == again[..<end], "seed \(seed)")
    }

    /// The pages behind the first ones, without what LMDB leaves between their offsets and nodes.
    private static func contents(_ path: String, from start: Int) throws -> [[UInt8]] {
        let size = pageSizeOfNewFiles
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        return stride(from: start * size, to: bytes.count, by: size).map { place in
            var page = Array(bytes[place..<place + size])
            let header = PageHeader(page)
            if header.flags == PageLayout.leaf || header.flags == PageLayout.branch,
                header.number == UInt64(place / size), header.lower <= header.upper,
                header.upper <= size
            {
                for offset in header.lower..<header.upper { page[offset] = 0 }
            }
            return page
        }
    }

    private static func pagesOfMainTree(_ path: String) throws -> Set<UInt64> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let reader = try PageReader(
            descriptor: descriptor, path: path, fileSize: size, isOurs: true)
        #expect(reader.meta.mainTree.depth == 1)
        var kept: Set<UInt64> = [reader.meta.mainTree.root]
        if let record = try reader.lookUp(Array("meta".utf8), in: reader.meta.mainTree),
            let tree = record.data.withUnsafeBytes(TreeRecord.init(_:))
        {
            kept.insert(tree.root)
        }
        return kept
    }

    /// A page of a file is damaged. Transactions are refused, or what they write can be read, and
    /// nothing is overwritten.
    @Test func writingToDamagedFiles() throws {
        var random = Seed.random()
        let path = directory.file("a.realm")
        let script = GuardedScript(seed: random.next(), count: 1_500, keyLength: 10...200)
        let keys = try script.makeFile(path).keys.sorted()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let control = try Data(contentsOf: URL(fileURLWithPath: path + ".control"))
        var (refused, written) = (0, 0)
        for round in 0..<60 {
            let what = "FREEHOLD_SEED=\(random.seed), round \(round)"
            var damaged = whole
            Self.damage(&damaged, &random)
            let copy = directory.file("\(round).realm")
            try damaged.write(to: URL(fileURLWithPath: copy))
            try control.write(to: URL(fileURLWithPath: copy + ".control"))
            do {
                var hooks = GuardedScript.hooks
                hooks.walksInBackground = random.once(in: 2)
                let environment = try Environment.open(.init(copy, hooks: hooks))
                let end = (environment.handle.lastPage + 1) * pageSizeOfNewFiles
                for _ in 0..<4 {
                    let values = try Self.write(environment, keys, &random)
                    let view = try environment.read()
                    for (key, value) in values {
                        let found = try view.bytes(key)
                        #expect(found == value.map { Array($0.utf8) }, "\(what)")
                    }
                    written += 1
                    if !environment.handle.hasSoundPages {
                        let now = try #require(FileManager.default.contents(atPath: copy))
                        let old = 2 * pageSizeOfNewFiles..<end
                        #expect(now.subdata(in: old) == damaged.subdata(in: old), "\(what)")
                    }
                    environment.waitForPageWalk()
                }
            } catch {
                refused += 1
                let code = (error as? StorageError)?.code
                #expect(code == .corrupted || code == .truncated, "\(what): \(error)")
            }
            for suffix in ["", ".control", "-lock"] { unlink(copy + suffix) }
        }
        #expect(refused > 5 && written > 20, "\(refused) \(written)")
    }

    /// Puts and deletes some keys; returns their values.
    private static func write(
        _ environment: Environment, _ keys: [String], _ random: inout SeededGenerator
    ) throws -> [String: String?] {
        var values: [String: String?] = [:]
        try environment.writer.begin().commit { transaction in
            let start = random.int(0...keys.count - 1)
            for key in keys[start..<min(start + random.int(1...100), keys.count)]
            where random.once(in: 2) {
                if random.once(in: 2) {
                    try transaction.delete(key)
                    values[key] = .some(nil)
                } else {
                    let value = String(repeating: "w", count: random.int(0...5_000))
                    try transaction.put(key, value)
                    values[key] = value
                }
            }
        }
        return values
    }

    private static func damage(_ bytes: inout Data, _ random: inout SeededGenerator) {
        let size = pageSizeOfNewFiles
        var page = 0
        // Mostly pages of trees, used or free.
        for _ in 0..<10 where page == 0 || bytes[page + 10] & 3 == 0 {
            page = random.int(2...bytes.count / size - 1) * size
        }
        switch random.int(0...4) {
        case 0:
            bytes.replaceSubrange(page..<page + size, with: [UInt8](repeating: 0, count: size))
        case 1:
            let other = random.int(2...bytes.count / size - 1) * size
            bytes.replaceSubrange(
                page + 8..<page + size, with: Data(bytes[other + 8..<other + size]))
        case 2:
            // A head or a node's offset.
            let offset = page + random.int(0...60)
            bytes[offset] = UInt8(random.int(0...255))
        default:
            for _ in 0..<random.int(1...4) {
                bytes[page + random.int(0...size - 1)] = UInt8(random.int(0...255))
            }
        }
    }
}
