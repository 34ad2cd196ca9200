import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Changes to single fields of the two meta pages, which have no checksums: each is refused,
/// found by the walk, or does no harm.
///
/// Reading the version before as if it were the newest is harm: the last commit would be gone
/// without a word.
@Suite("Environment: meta pages") struct MetaPageTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let whole: [UInt8]
    private let control: [UInt8]
    private let expected: [[UInt8]]

    /// Where LMDB's meta data are in the first page, and where the last of them ends.
    private static let fields = 16..<152

    init() throws {
        directory = try TemporaryDirectory(
            in: FileManager.default.isWritableFile(atPath: "/dev/shm")
                ? "/dev/shm" : NSTemporaryDirectory())
        path = directory.file("a.realm")
        do {
            let environment = try Environment.open(.init(path))
            for round in 0..<4 {
                try environment.writer.begin().commit { transaction in
                    for index in 0..<20 {
                        try transaction.put("\(round) \(index)", "value \(index)")
                    }
                    if round == 2 { for index in 0..<10 { try transaction.delete("1 \(index)") } }
                    try transaction.put("long", String(repeating: "\(round)", count: 9_000))
                }
            }
            expected = try environment.read().entries().map { $0.key + [0] + $0.value }
        }
        whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        control = Array(try Data(contentsOf: URL(fileURLWithPath: path + ".control")))
    }

    /// Its page headers are 24 bytes long, and flags are at 18.
    @Test(arguments: [true, false]) func aFileOfLMDB1IsNamed(hasControl: Bool) throws {
        var bytes = [UInt8](repeating: 0, count: 4 * 4096)
        for page in 0..<2 {
            bytes[page * 4096] = UInt8(page)
            bytes[page * 4096 + 18] = 8
            let head: [UInt8] = [0xDE, 0xC0, 0xEF, 0xBE, 2, 0, 0, 0]
            bytes.replaceSubrange(page * 4096 + 24..<page * 4096 + 32, with: head)
        }
        for name in ["", "-lock", ".control"] { unlink(path + name) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        if hasControl { try Data(control).write(to: URL(fileURLWithPath: path + ".control")) }
        let error = try #require(throws: StorageError.self) { try Environment.open(.init(path)) }
        #expect(error.code == .unreadableFormat)
        #expect(error.message.contains("data version 2"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
    }

    private enum Outcome { case refused, found, harmless, lost }

    private func outcome(_ bytes: [UInt8], hasControl: Bool) throws -> Outcome {
        for name in ["", "-lock", ".control"] { unlink(path + name) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        if hasControl { try Data(control).write(to: URL(fileURLWithPath: path + ".control")) }
        do {
            let environment = try Environment.open(.init(path) { $0.durability = .none })
            let entries = try environment.read().entries().map { $0.key + [0] + $0.value }
            do { _ = try environment.pageAccount() } catch { return .found }
            return entries == expected ? .harmless : .lost
        } catch {
            let code = (error as? StorageError)?.code
            #expect(
                [.corrupted, .truncated, .notAnEnvironment, .unreadableFormat, .foreignFile]
                    .contains(code), "\(error)")
            return .refused
        }
    }

    @Test(arguments: [0, 4096], [true, false]) func everyBit(page: Int, hasControl: Bool) throws {
        #expect(try outcome(whole, hasControl: hasControl) == .harmless)
        var counts: [Outcome: Int] = [:]
        for offset in Self.fields {
            for bit in 0..<8 {
                var bytes = whole
                bytes[page + offset] ^= 1 << UInt8(bit)
                let outcome = try outcome(bytes, hasControl: hasControl)
                #expect(outcome != .lost, "byte \(page + offset), bit \(bit)")
                counts[outcome, default: 0] += 1
            }
        }
        #expect(counts[.refused, default: 0] > 250, "\(counts)")
    }

    /// Each field has the other page's value, or one near its own; also with the page destroyed
    /// that has the version record.
    @Test(arguments: [true, false]) func everyFieldWithLikelyValues(hasControl: Bool) throws {
        func field(_ offset: Int) -> UInt64 {
            whole.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        }
        let newest = field(144) > field(4096 + 144) ? 0 : 4096
        let root = Int(field(newest + 16 + 72 + 40))
        for page in [0, 4096] {
            for offset in stride(from: 16, to: 152, by: 8) {
                let own = field(page + offset)
                for value in [
                    field(4096 - page + offset), own &+ 1, own &- 1, own &+ 2, own &- 2, 0, .max,
                ] where value != own {
                    for isRootDamaged in [false, true] {
                        var bytes = whole
                        withUnsafeBytes(of: value.littleEndian) {
                            bytes.replaceSubrange(page + offset..<page + offset + 8, with: $0)
                        }
                        if isRootDamaged { bytes[root * 4096 + 12] ^= 1 }
                        #expect(
                            try outcome(bytes, hasControl: hasControl) != .lost,
                            "\(page + offset) is \(value), root damaged \(isRootDamaged)")
                    }
                }
            }
        }
    }

    /// One of the two trees, or both with the last page, is the other version's.
    @Test(arguments: [0, 4096], [true, false]) func treesOfTheOtherVersion(
        page: Int, hasControl: Bool
    ) throws {
        for fields in [40..<88, 88..<136, 40..<136, 88..<144, 40..<144, 40..<152] {
            var bytes = whole
            bytes.replaceSubrange(
                page + fields.lowerBound..<page + fields.upperBound,
                with: whole[4096 - page + fields.lowerBound..<4096 - page + fields.upperBound])
            let outcome = try outcome(bytes, hasControl: hasControl)
            #expect(outcome != .lost, "\(fields) of \(page)")
        }
    }

    /// The free list, or the unnamed database, is said to be a tree of another of LMDB's kinds, in
    /// both pages: nothing is read by it, even where the control file vouches for the file's length
    /// and so the other trees are not walked.
    @Test(arguments: [40, 88], [true, false]) func treesOfAnotherKindAreRefused(
        record: Int, hasControl: Bool
    ) throws {
        var bytes = whole
        // MDB_DUPSORT, in the flags of the tree.
        for page in [0, 4096] { bytes[page + record + 4] ^= 0x04 }
        #expect(try outcome(bytes, hasControl: hasControl) == .refused)
    }
}
