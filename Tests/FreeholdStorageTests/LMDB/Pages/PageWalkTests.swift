import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// Each thing that is looked at when the pages of a file are walked, damaged on its own.
@Suite("Environment: walking pages", .disabled(if: EncryptedSuite.isOn, "reads plain pages"))
struct PageWalkTests {
    /// A file's bytes, and where things are in it.
    private struct File {
        var bytes: Data

        static let pageSize = pageSizeOfNewFiles

        func word(_ offset: Int) -> UInt64 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        }

        func half(_ offset: Int) -> Int {
            Int(bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self) })
        }

        mutating func set<Value: FixedWidthInteger>(_ offset: Int, _ value: Value) {
            withUnsafeBytes(of: value.littleEndian) {
                bytes.replaceSubrange(offset..<offset + $0.count, with: $0)
            }
        }

        /// The newest meta page, its two trees, and pages of trees.
        var meta: Int { word(144) > word(Self.pageSize + 144) ? 0 : Self.pageSize }
        var freeTree: Int { meta + 16 + 24 }
        var mainTree: Int { meta + 16 + 72 }
        func root(of tree: Int) -> Int { Int(word(tree + 40)) * Self.pageSize }

        /// The nodes of a page, in the order of their keys.
        func nodes(_ page: Int) -> [Int] {
            stride(from: page + 16, to: page + half(page + 12), by: 2).map { page + half($0) }
        }

        func key(_ node: Int) -> String {
            String(decoding: bytes[node + 8..<node + 8 + half(node + 6)], as: UTF8.self)
        }

        func data(_ node: Int) -> Int { node + 8 + half(node + 6) }

        /// The nodes of a tree whose values have runs of pages, in the order of their keys.
        func valuesOfSeveralPages(of tree: Int) -> [Int] {
            var pages = [root(of: tree)]
            var found: [Int] = []
            while let page = pages.popLast() {
                let nodes = nodes(page)
                if half(page + 10) == 1 {
                    pages += nodes.reversed().map {
                        Int(word($0) & 0xFFFF_FFFF_FFFF) * Self.pageSize
                    }
                } else {
                    found += nodes.filter { half($0 + 4) == 1 }
                }
            }
            return found
        }

        /// The record of a database's tree.
        func tree(_ name: String) -> Int? {
            nodes(root(of: mainTree)).first { key($0) == name }.map { data($0) }
        }
    }

    private let directory: TemporaryDirectory
    private let file: File

    /// With a tree of two levels, values of several pages, an empty tree and a free list.
    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.file("a.realm")
        do {
            let environment = try Environment.open(.init(path))
            for round in 0..<3 {
                try environment.writer.begin().commit { transaction in
                    for index in 0..<400 {
                        try transaction.put("\(1_000 + index)", "value \(index) of round \(round)")
                    }
                    for index in 0..<3 {
                        try transaction.put(
                            "long \(index)", String(repeating: "\(round)", count: 9_000))
                    }
                }
            }
        }
        file = File(bytes: try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// What a walk says of a file after a change.
    private func walk(
        in file: File? = nil, _ change: (inout File) -> Void
    ) throws -> StorageError.Code? {
        var changed = file ?? self.file
        change(&changed)
        let path = directory.file("changed")
        try changed.bytes.write(to: URL(fileURLWithPath: path))
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        // On one thread, and on several.
        let results = [1, 2, 5].map { threadCount in
            storageCode {
                var reader = try PageReader(
                    descriptor: descriptor, path: path, fileSize: changed.bytes.count, isOurs: true)
                reader.threadCount = threadCount
                try reader.walk()
            }
        }
        #expect(Set(results).count == 1, "\(results)")
        return results[0]
    }

    private func expectDamage(_ what: String, _ change: (inout File) -> Void) throws {
        #expect(try walk(change) == .corrupted, "\(what)")
    }

    @Test func aSoundFileIsWalked() throws {
        #expect(try walk { _ in } == nil)
        // The version, which is no part of any tree's shape.
        #expect(try walk { $0.set($0.meta + 16 + 16, UInt64(1 << 30)) } == nil)
    }

    /// Several threads count the same pages as one.
    @Test func partsAreCountedTogether() throws {
        let path = directory.file("a.realm")
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var reader = try PageReader(
            descriptor: descriptor, path: path, fileSize: file.bytes.count, isOurs: true)
        let (used, free) = try reader.walk()
        #expect(used > 10 && free > 0)
        for threadCount in 2...5 {
            reader.threadCount = threadCount
            #expect(try reader.walk() == (used, free))
        }
    }

    /// Of a large file without a control file, several threads walk the pages before it is opened:
    /// any damage is an error.
    @Test func largeCopies() throws {
        let (path, copy) = (directory.file("large.realm"), directory.file("copy.realm"))
        do {
            let environment = try Environment.open(.init(path))
            try environment.writer.begin().commit { transaction in
                for index in 0..<20_000 {
                    try transaction.put("\(100_000 + index)", String(repeating: "v", count: 1_000))
                }
            }
        }
        let file = File(bytes: try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(file.bytes.count > 16 << 20)
        try file.bytes.write(to: URL(fileURLWithPath: copy))
        #expect(storageCode { _ = try Environment.open(.init(copy)) } == nil)
        let branch = file.root(of: try #require(file.tree("clusters")))
        for node in [file.nodes(branch)[1], try #require(file.nodes(branch).last)] {
            _ = try Environment.removeFiles(at: copy)
            var damaged = file
            let child = Int(file.word(node) & 0xFFFF_FFFF_FFFF) * File.pageSize
            damaged.set(child, file.word(child) + 1)
            try damaged.bytes.write(to: URL(fileURLWithPath: copy))
            #expect(storageCode { _ = try Environment.open(.init(copy)) } == .corrupted)
        }
    }

    /// A run that a value of the first part and one of the last part have: the walk of neither part
    /// alone finds it.
    @Test func aRunOfTwoParts() throws {
        let path = directory.file("parts.realm")
        do {
            let environment = try Environment.open(.init(path) { $0.durability = .none })
            try environment.writer.begin().commit { transaction in
                for index in 0..<1_000 {
                    let size = index == 0 || index == 999 ? 9_000 : 1_000
                    try transaction.put("\(1_000 + index)", String(repeating: "v", count: size))
                }
            }
        }
        let file = File(bytes: try Data(contentsOf: URL(fileURLWithPath: path)))
        let clusters = try #require(file.tree("clusters"))
        let long = file.valuesOfSeveralPages(of: clusters)
        #expect(long.count == 2 && file.half(clusters + 6) > 2)
        #expect(try walk(in: file) { _ in } == nil)
        let result = try walk(in: file) {
            $0.set($0.data(long[0]), $0.word($0.data(long[1])))
        }
        #expect(result == .corrupted)
    }

    @Test func recordsOfTrees() throws {
        let clusters = try #require(file.tree("clusters")), empty = try #require(file.tree("blobs"))
        #expect(file.word(empty + 40) == .max && file.half(clusters + 6) == 2)
        for (name, tree) in [
            ("main", file.mainTree), ("clusters", clusters), ("free", file.freeTree),
        ] {
            try expectDamage("kind of \(name)") { $0.set(tree + 4, UInt16(0x04)) }
            for change in [1, -1, 1 << 40] as [Int64] {
                try expectDamage("entries of \(name)") {
                    $0.set(tree + 32, UInt64(bitPattern: Int64($0.word(tree + 32)) + change))
                }
            }
            for depth in [0, 3, 4_000] as [UInt16] {
                try expectDamage("depth of \(name)") { $0.set(tree + 6, depth) }
            }
        }
        try expectDamage("entries of an empty tree") { $0.set(empty + 32, UInt64(1)) }
        try expectDamage("depth of an empty tree") { $0.set(empty + 6, UInt16(1)) }
        for root in [0, 1, UInt64(file.bytes.count / File.pageSize) + 10, .max - 1] as [UInt64] {
            try expectDamage("root \(root)") { $0.set(clusters + 40, root) }
        }
    }

    /// Only free pages are not written: others behind the end would make the next commit as
    /// long as they say.
    @Test func pagesBehindTheEnd() throws {
        let count = file.bytes.count / File.pageSize
        for behind in [1, 100, 1 << 27] {
            try expectDamage("\(behind) pages") {
                $0.set($0.meta + 16 + 120, UInt64(count - 1 + behind))
            }
        }
    }

    @Test func headsOfPages() throws {
        let clusters = try #require(file.tree("clusters"))
        let branch = file.root(of: clusters)
        let child = Int(file.word(file.nodes(branch)[1]) & 0xFFFF_FFFF_FFFF) * File.pageSize
        for (name, page) in [("branch", branch), ("leaf", child)] {
            try expectDamage("number of a \(name)") { $0.set(page, $0.word(page) + 1) }
            for flags in [0, 1, 2, 3, 4, 8, 0x22] as [UInt16]
            where Int(flags) != file.half(page + 10) {
                try expectDamage("kind \(flags) of a \(name)") { $0.set(page + 10, flags) }
            }
            for lower in [
                0, 14, 17, 18, file.half(page + 12) - 2, file.half(page + 12) + 2, 65_535,
            ] {
                try expectDamage("lower \(lower) of a \(name)") { $0.set(page + 12, UInt16(lower)) }
            }
            for upper in [
                0, file.half(page + 14) - 2, file.half(page + 14) + 2, File.pageSize,
                File.pageSize + 2,
            ] {
                try expectDamage("upper \(upper) of a \(name)") {
                    $0.set(page + 14, UInt16(truncatingIfNeeded: upper))
                }
            }
        }
    }

    @Test func nodes() throws {
        let clusters = try #require(file.tree("clusters"))
        let branch = file.root(of: clusters)
        let child = Int(file.word(file.nodes(branch)[1]) & 0xFFFF_FFFF_FFFF) * File.pageSize
        for page in [branch, child] {
            let nodes = file.nodes(page)
            // Two nodes exchanged are in no order; two that are one leave a gap.
            try expectDamage("order") {
                $0.set(page + 18, UInt16(nodes[2] - page))
                $0.set(page + 20, UInt16(nodes[1] - page))
            }
            try expectDamage("twice") { $0.set(page + 18, UInt16(nodes[2] - page)) }
            try expectDamage("odd") { $0.set(page + 18, UInt16(nodes[1] - page + 1)) }
            try expectDamage("outside") { $0.set(page + 18, UInt16(File.pageSize - 4)) }
            try expectDamage("size of a key") { $0.set(nodes[1] + 6, UInt16(0)) }
            try expectDamage("size of a key") { $0.set(nodes[1] + 6, UInt16(60_000)) }
        }
        // Keys outside of what the branch says: less than a leaf's first, not less than the
        // next leaf's.
        let leaf = file.nodes(child)
        try expectDamage("below its page") { $0.bytes[leaf[0] + 8] = 0x20 }
        try expectDamage("above its page") { $0.bytes[leaf[leaf.count - 1] + 8] = 0x7A }
        try expectDamage("flags of a node") { $0.set(leaf[1] + 4, UInt16(4)) }
        try expectDamage("a tree in a database") { $0.set(leaf[1] + 4, UInt16(2)) }
        try expectDamage("two ways to a page") {
            $0.set($0.nodes(branch)[1], UInt32(truncatingIfNeeded: $0.word($0.nodes(branch)[0])))
        }
        try expectDamage("the page itself") {
            $0.set($0.nodes(branch)[1], UInt32(branch / File.pageSize))
        }
    }

    @Test func valuesOfSeveralPages() throws {
        let long = file.valuesOfSeveralPages(of: try #require(file.tree("clusters")))
        #expect(long.count == 3)
        let node = long[0], other = long[1]
        let run = Int(file.word(file.data(node))) * File.pageSize
        try expectDamage("number of a run") { $0.set(run, $0.word(run) + 1) }
        try expectDamage("kind of a run") { $0.set(run + 10, UInt16(2)) }
        for count in [0, 1, 2, 1 << 20] as [UInt32] {
            try expectDamage("\(count) pages") { $0.set(run + 12, count) }
        }
        try expectDamage("the run of another value") {
            $0.set($0.data(node), $0.word($0.data(other)))
        }
        for number in [0, 1, 1 << 40] as [UInt64] {
            try expectDamage("run at \(number)") { $0.set($0.data(node), number) }
        }
        try expectDamage("a value that is longer than its run") {
            $0.set(node, UInt32(3 * File.pageSize))
        }
    }

    @Test func theFreeList() throws {
        let page = file.root(of: file.freeTree)
        let node = try #require(file.nodes(page).first { file.word(file.data($0)) > 1 })
        let data = file.data(node), count = file.word(data)
        let used = file.word(file.mainTree + 40)
        try expectDamage("more pages than there are") { $0.set(data, count + 1) }
        try expectDamage("many pages") { $0.set(data, UInt64.max) }
        for number in [0, 1, file.word(file.meta + 16 + 120) + 1, used] as [UInt64] {
            try expectDamage("free page \(number)") { $0.set(data + 8, number) }
        }
        try expectDamage("twice") { $0.set(data + 16, $0.word(data + 8)) }
        try expectDamage("ascending") {
            $0.set(data + 8, file.word(data + 16))
            $0.set(data + 16, file.word(data + 8))
        }
        try expectDamage("size of a key") { $0.set(node + 6, UInt16(4)) }
        // LMDB reads an entry of transaction 0 twice, and uses its pages twice.
        let nodes = file.nodes(page), newest = file.word(file.meta + 16 + 128)
        try expectDamage("transaction 0") { $0.set(nodes[0] + 8, UInt64(0)) }
        for later in [newest + 1, .max] {
            try expectDamage("transaction \(later)") { $0.set(nodes[nodes.count - 1] + 8, later) }
        }
    }

    /// Long lists of free pages have runs of their own.
    @Test func aLongFreeList() throws {
        let path = directory.file("long.realm")
        do {
            let environment = try Environment.open(.init(path) { $0.durability = .none })
            try environment.writer.begin().commit { transaction in
                for index in 0..<900 {
                    try transaction.put("\(1_000 + index)", String(repeating: "x", count: 3_000))
                }
            }
            try environment.writer.begin().commit {
                for index in 0..<900 { try $0.delete("\(1_000 + index)") }
            }
        }
        let whole = File(bytes: try Data(contentsOf: URL(fileURLWithPath: path)))
        func walk(_ change: (inout File) -> Void) throws -> StorageError.Code? {
            var changed = whole
            change(&changed)
            try changed.bytes.write(to: URL(fileURLWithPath: directory.file("changed")))
            let descriptor = open(directory.file("changed"), O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            return storageCode {
                try PageReader(
                    descriptor: descriptor, path: path, fileSize: changed.bytes.count, isOurs: true
                ).walk()
            }
        }
        let page = whole.root(of: whole.freeTree)
        let node = try #require(whole.nodes(page).first { whole.half($0 + 4) == 1 })
        let list = Int(whole.word(whole.data(node))) * File.pageSize + 16
        #expect(try walk { _ in } == nil)
        #expect(try walk { $0.set(list + 16, $0.word(list + 8)) } == .corrupted)
        #expect(try walk { $0.set(list, UInt64.max) } == .corrupted)
    }

    /// A control file vouches for its own file only, and for no less than it was.
    @Test func controlFilesOfOtherFiles() throws {
        let path = directory.file("a.realm"), other = directory.file("b.realm")
        do { try Environment.open(.init(other)).put("a", "1") }
        let clusters = try #require(file.tree("clusters"))
        let leaf =
            Int(file.word(file.nodes(file.root(of: clusters))[1]) & 0xFFFF_FFFF_FFFF)
            * File.pageSize
        let control = try Data(contentsOf: URL(fileURLWithPath: path + ".control"))
        let foreign = try Data(contentsOf: URL(fileURLWithPath: other + ".control"))
        for (name, control, expected) in [("own", control, nil), ("foreign", foreign, .corrupted)]
            as [(String, Data, StorageError.Code?)]
        {
            let copy = directory.file(name)
            var damaged = file
            damaged.set(leaf + 12, UInt16(0))
            try damaged.bytes.write(to: URL(fileURLWithPath: copy))
            try control.write(to: URL(fileURLWithPath: copy + ".control"))
            // Its own: pages are looked at when they are read.
            #expect(storageCode { try Environment.open(.init(copy)) } == expected, "\(name)")
        }
    }

    /// Where the first meta page is damaged, the second one tells, behind one page.
    @Test(arguments: [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536])
    func theSizeOfPagesByTheSecondMetaPage(size: Int) throws {
        var other = File(bytes: Data(repeating: 0, count: 2 * size))
        let meta = file.bytes[file.meta..<file.meta + 152]
        other.bytes.replaceSubrange(size..<size + 152, with: meta)
        other.set(size + 16 + 24, UInt32(size))
        func found(_ said: UInt32) throws -> Int? {
            other.set(size + 16 + 24, said)
            let path = directory.file("pages")
            try other.bytes.write(to: URL(fileURLWithPath: path))
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            return try PageReader.pageSize(by: nil, descriptor, path: path)
        }
        #expect(try found(UInt32(size)) == size)
        #expect(try found(UInt32(size == 512 ? 1_024 : size / 2)) == nil)
    }
}
