@testable import FreeholdStorage

/// What is stored in the file, as bytes that anybody could have written: the decoders answer,
/// or refuse. What one accepts is read whole, written again, and must read the same.
///
/// The first byte chooses the structure. Checksums are mended, so that what stands behind them
/// is reached.
enum ClusterTarget: FuzzTarget {
    static let name = "cluster"

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var input = FuzzInput(bytes)
        switch input.below(12) {
        case 0...3: column(&input)
        case 4: leaf(&input)
        case 5: branch(&input)
        case 6: cell(input.rest)
        case 7: mixed(&input)
        case 8: catalog(input.rest)
        case 9: facts(&input)
        case 10: page(&input)
        default: encrypted(input.rest)
        }
    }

    // MARK: Columns

    private static func type(_ input: inout FuzzInput) -> ColumnType {
        ColumnType.allCases[input.below(ColumnType.allCases.count)]
    }

    private static func column(_ input: inout FuzzInput) {
        let type = type(&input)
        let isNullable = input.below(2) == 1
        let stored = input.rest
        guard stored.count >= StoredColumn.headerSize else { return }
        // A cluster has at least one row: its directory entry says so.
        let count = max(1, Int(stored.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        guard
            let view = try? StoredColumn.view(
                of: stored, count: count, type: type, isNullable: isNullable)
        else { return }
        let values = (0..<count).map { value(view, $0, type) }
        let encoder = ColumnEncoder(always: view, rowCount: count, type: type, hidesLengths: false)
        // Offsets that overlap make more of a heap than it is; no file of ours has them, and
        // the check says so.
        guard encoder.byteCount < 1 << 22 else { return }
        let again = UnsafeMutableRawBufferPointer.allocate(
            byteCount: encoder.byteCount, alignment: 1)
        defer { again.deallocate() }
        encoder.write(to: again, seed: 7)
        let bytes = UnsafeRawBufferPointer(again)
        expect(
            StoredColumn.hasRightChecksum(bytes, seed: 7),
            "A column was written with a wrong checksum.")
        do throws(StoredColumn.Defect) {
            let second = try StoredColumn.view(
                of: bytes, count: count, type: type, isNullable: isNullable)
            for row in 0..<count {
                let value = value(second, row, type)
                expect(
                    value == values[row],
                    "Row \(row) of a column of \(type) was \(values[row]) and is \(value).")
            }
        } catch {
            finding("A column that was written is refused: \(error.reason)")
        }
    }

    private enum Value: Equatable {
        case null
        case integer(Int64)
        case words(UInt64, UInt64)
        case bytes([UInt8], isBlob: Bool)
    }

    private static func value(_ view: ColumnView, _ row: Int, _ type: ColumnType) -> Value {
        if view.isNull(at: row) { return .null }
        switch type {
        case .integer, .link: return .integer(view.integer(at: row))
        case .boolean: return .integer(view.boolean(at: row) ? 1 : 0)
        case .float: return .words(UInt64(view.float(at: row).bitPattern), 0)
        case .double, .timestamp: return .words(view.double(at: row).bitPattern, 0)
        case .fixed12:
            let (first, second) = view.fixed12(at: row)
            return .words(first, UInt64(second))
        case .fixed16, .decimal:
            let (first, second) = view.fixed16(at: row)
            return .words(first, second)
        case .text, .bytes, .mixed:
            let bytes = view.heapBytes(at: row)
            if type == .mixed { _ = MixedValue(decoding: bytes) }
            return .bytes(Array(bytes), isBlob: view.isBlob(at: row))
        }
    }

    // MARK: Collections

    private static func kind(_ input: inout FuzzInput) -> StoredCollectionKind {
        let shapes: [StoredCollectionKind.Shape] = [.list, .set, .map]
        return StoredCollectionKind(
            shapes[input.below(3)], of: type(&input), isNullable: input.below(2) == 1)
    }

    private static func leaf(_ input: inout FuzzInput) {
        let kind = kind(&input)
        guard let leaf = try? CollectionLeaf(decoding: input.rest, start: 3, kind: kind) else {
            return
        }
        _ = CollectionLeaf.hasRightChecksum(input.rest, kind, seed: 1)
        expect(
            leaf.count > 0 && leaf.end == leaf.start + leaf.count,
            "A leaf of \(leaf.count) elements ends at \(leaf.end).")
        for row in 0..<leaf.count {
            _ = value(leaf.values, row, kind.type)
            if kind.shape == .map { _ = value(leaf.keys, row, .text) }
        }
    }

    private static func branch(_ input: inout FuzzInput) {
        let height = input.byte()
        let searched = Int(input.integer(UInt16.self))
        guard let branch = try? CollectionBranch(decoding: input.rest, height: height) else {
            return
        }
        _ = branch.hasRightChecksum(seed: 1)
        for child in 0..<branch.count {
            _ = (branch.node(child), branch.start(child), branch.end(child))
        }
        expect(
            (0..<branch.count).contains(branch.child(at: searched)),
            "An element is in a child that a branch does not have.")
    }

    private static func cell(_ bytes: UnsafeRawBufferPointer) {
        for shape in [StoredCollectionKind.Shape.list, .map] {
            _ = CollectionCell.smallCount(
                bytes, StoredCollectionKind(shape, of: .integer, isNullable: true))
        }
        guard case .tree(let root)? = try? CollectionCell(decoding: bytes) else { return }
        expect(
            Array(root.encoded) == Array(bytes),
            "The root \(root) is written in another way than it was read from.")
    }

    private static func mixed(_ input: inout FuzzInput) {
        let first = input.rest
        let second = UnsafeRawBufferPointer(rebasing: first[min(first.count / 2, first.count)...])
        guard let value = MixedValue(decoding: first) else { return }
        expect(MixedValue.compare(value, value) == 0, "A mixed value is not equal to itself.")
        expect(
            Array(value.encoded) == Array(first),
            "A mixed value is written in another way than it was read from.")
        if let other = MixedValue(decoding: second) {
            let (order, reverse) = (
                MixedValue.compare(value, other), MixedValue.compare(other, value)
            )
            expect(order.signum() == -reverse.signum(), "Two mixed values have two orders.")
        }
    }

    // MARK: Records

    private static func mended(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> [UInt8] {
        let checksum = Checksum.xxh64(bytes, seed: seed)
        return Array(bytes) + withUnsafeBytes(of: checksum.littleEndian) { Array($0) }
    }

    private static func catalog(_ bytes: UnsafeRawBufferPointer) {
        guard let catalog = mended(bytes).withUnsafeBytes({ Catalog(decoding: $0) }) else { return }
        let again = catalog.encoded().withUnsafeBytes { Catalog(decoding: $0) }
        expect(
            again?.encoded() == catalog.encoded(),
            "A catalog that was written is refused, or reads as another one.")
        for table in catalog.tables {
            _ = (table.indexedColumns, ColumnKinds(table), table.usesPrimaryKeyAsRowKey)
            for column in table.columns {
                expect(
                    table[column.id] == column, "The column \(column.id) of a table is not found.")
            }
        }
    }

    private static func facts(_ input: inout FuzzInput) {
        let choice = input.below(4)
        let record = input.rest
        switch choice {
        case 0:
            let table = TableID(rawValue: 5)
            guard
                let facts = mended(record, seed: 5).withUnsafeBytes({
                    TableFacts(decoding: $0, of: table)
                })
            else { return }
            expect(
                Array(facts.encoded(of: table)) == mended(record, seed: 5),
                "Facts are written in another way than they were read from.")
        case 1:
            let table = TableID(rawValue: 5)
            let count = Int(input.integer(UInt16.self) & 0x7FFF)
            let columnCount = Int(input.integer(UInt16.self))
            let first = input.integer(Int64.self)
            let isConsecutive =
                input.below(2) == 1 && count > 0
                && !first.addingReportingOverflow(Int64(count) - 1).overflow
            let entry = DirectoryEntry(
                count: count, consecutiveFrom: isConsecutive ? first : nil, columnCount: columnCount
            )
            let again = entry.encoded(of: table, firstKey: 9).withUnsafeBytes {
                DirectoryEntry(decoding: $0, of: table, firstKey: 9)
            }
            expect(
                count == 0 ? again == nil : again == entry,
                "The entry \(entry) reads as \(again as Any).")
            _ = DirectoryEntry(decoding: input.rest, of: table, firstKey: 9)
        case 2:
            if let format = try? FormatRecord(decoding: mended(record), path: "") {
                try? format.checkReadable(path: "")
            }
        default:
            if let roots = EncryptedRoots(decoding: record) {
                expect(
                    Array(roots.encoded()) == Array(record),
                    "Roots are written in another way than they were read from.")
            }
            _ = ControlRecord(decoding: Array(record))
        }
    }

    // MARK: Pages

    private static let pageSize = 4096

    /// A page of LMDB's: what it says of itself, and a search in a tree whose root it is.
    private static func page(_ input: inout FuzzInput) {
        let searched = Array(input.bytes(1 + input.below(20)))
        guard !searched.isEmpty else { return }
        // Page 2 is a large value's, page 3 the one that is read, last, so that what is read
        // behind it is found.
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: 2 * pageSize, alignment: pageSize)
        defer { memory.deallocate() }
        _ = memory.initializeMemory(as: UInt8.self, repeating: 0)
        let start = memory.baseAddress.unsafelyUnwrapped
        start.storeBytes(of: 2, as: UInt64.self)
        start.storeBytes(of: PageLayout.overflow, toByteOffset: 10, as: UInt16.self)
        start.storeBytes(of: 1, toByteOffset: 12, as: UInt32.self)
        // The head of the page, then nodes from its end: so few bytes make a page.
        let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[pageSize...])
        bytes.copyBytes(from: input.bytes(64))
        let tail = input.rest.suffix(pageSize - 64)
        UnsafeMutableRawBufferPointer(rebasing: bytes[(pageSize - tail.count)...]).copyBytes(
            from: tail)

        examine(MappedPage(start: start + pageSize, size: pageSize), for: searched)
        bytes.storeBytes(of: 3, as: UInt64.self)
        for depth in 1...2 {
            let tree = MappedTree(
                base: start - 2 * pageSize, root: 3, depth: depth, lastPage: 3, pageSize: pageSize)
            if case .found(let value) = searched.withUnsafeBytes(tree.find) { touch(value) }
        }
    }

    private static func examine(_ page: MappedPage, for searched: [UInt8]) {
        _ = page.overflowPageCount
        guard let count = page.count else { return }
        searched.withUnsafeBytes { _ = page.child(for: $0, count) }
        for index in 0..<count {
            if let node = page.leafNode(at: index) {
                touch(node.key)
                touch(node.value)
            }
            if let node = page.branchNode(at: index) { touch(node.key) }
            if let entry = page.entry(at: index) {
                touch(entry.value)
                _ = page.position(of: entry, count)
            }
        }
    }

    private static func touch(_ bytes: UnsafeRawBufferPointer) { _ = Checksum.xxh64(bytes) }

    private static func encrypted(_ bytes: UnsafeRawBufferPointer) {
        // Records begin at an even address.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { memory.deallocate() }
        memory.copyMemory(from: bytes)
        guard let node = EncryptedNode(UnsafeRawBufferPointer(memory)) else { return }
        for index in 0..<node.count {
            touch(node.key(index))
            touch(node.storedValue(index))
            if node.isReference(index) {
                _ = node.reference(index)
            } else {
                touch(node.inlineValue(index))
            }
            let found = node.search(node.key(index)).index
            expect((0...node.count).contains(found), "A key of a node is found outside of it.")
            if node.height > 1 {
                expect(
                    (0..<node.count).contains(node.child(for: node.key(index))),
                    "A key is below a child that a node does not have.")
            }
        }
    }

    // MARK: Seeds

    static var seeds: [[UInt8]] {
        var seeds: [[UInt8]] = []
        let cluster = MutableColumnSeeds()
        for (position, type) in ColumnType.allCases.enumerated() {
            for stored in cluster.columns(of: type) {
                seeds.append([0, UInt8(position), 1] + stored)
                seeds.append([4, 0, UInt8(position), 1] + stored)
                for key in cluster.columns(of: .text) where stored.count > 20 {
                    seeds.append(
                        [4, 2, UInt8(position), 1]
                            + withUnsafeBytes(of: UInt32(key.count).littleEndian) { Array($0) }
                            + key + stored)
                }
            }
        }
        var branch = [UInt8](repeating: 0, count: CollectionBranch.size(3))
        branch.withUnsafeMutableBytes {
            CollectionBranch.write([1, 2, 3], counts: [4, 5, 6], height: 1, to: $0, seed: 1)
        }
        seeds.append([5, 1, 4, 0] + branch)
        seeds.append([6] + CollectionRoot(height: 1, node: 3, nextNode: 4, count: 600).encoded)
        for value in cluster.mixedValues { seeds.append([7] + value.encoded) }
        var catalog = Catalog()
        catalog.schemaVersion = 3
        catalog.nextTableID = 8
        let id = ColumnID(rawValue: 1)
        let list = StoredCollectionKind(.list, of: .link, isNullable: false)
        catalog.tables = [
            TableDefinition(
                id: TableID(rawValue: 2), name: "Dog",
                columns: [
                    ColumnDefinition(
                        id: id, name: "age", type: .integer, isNullable: false, isIndexed: true),
                    ColumnDefinition(
                        id: ColumnID(rawValue: 2), name: "pups", collection: list,
                        target: TableID(rawValue: 2)),
                ], primaryKey: id, nextColumnID: 4)
        ]
        seeds.append([8] + catalog.encoded().dropLast(8))
        seeds.append(
            [9, 0]
                + TableFacts(nextRowKey: 7, rowCount: 5).encoded(of: TableID(rawValue: 5)).dropLast(
                    8))
        seeds.append([9, 1, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1])
        seeds.append(
            [9, 2] + FormatRecord(uuid: UniqueIdentifier(high: 1, low: 2)).encoded().dropLast(8))
        seeds.append([9, 3] + EncryptedRoots().encoded())
        // A leaf with one node of four bytes' key and four bytes' value.
        var head = [UInt8](repeating: 0, count: 64)
        (head[0], head[10], head[12], head[14], head[16], head[17]) = (5, 2, 18, 0xF0, 0xF0, 0x0F)
        seeds.append(
            [10, 3] + Array("key".utf8) + head + [4, 0, 0, 0, 0, 0, 4, 0] + Array("keysdata".utf8))
        seeds.append([11, 1, 0, 1, 0, 6, 0, 3, 0, 2, 0, 0, 0] + Array("keyva".utf8))
        return seeds
    }
}

/// Columns of each type, stored.
private struct MutableColumnSeeds {
    let mixedValues: [MixedValue] = [
        .boolean(true), .integer(-5), .float(1.5), .double(.nan),
        .decimal(5, 0x3040_0000_0000_0000), .text(ContiguousArray("text".utf8)), .bytes([0, 1]),
        .timestamp(7),
        .fixed(FixedValue((1, UInt32(2)))), .fixed(FixedValue((3, UInt64(4)))),
        .link(LinkTarget(table: TableID(rawValue: 2), key: 9)),
        .list([.integer(1), nil, .list([.text([65])], identity: 4)], identity: 3),
        .map([(key: [65], value: .boolean(false)), (key: [66], value: nil)], identity: 5),
    ]

    func columns(of type: ColumnType) -> [[UInt8]] {
        switch type {
        case .integer, .link:
            [[1, 2, 3], [4, 4, 4], [9, 1, 200], [0, 70_000, 5], [0, 1 << 40, 7], [0, 30_000]].map {
                (values: [Int64]) in
                stored(
                    .integer64, values.flatMap { withUnsafeBytes(of: $0) { Array($0) } },
                    values.count, type)
            }
        case .boolean: [stored(.bits, [0b101], 3, type)]
        case .float: [stored(.float32, Array(0..<12), 3, type)]
        case .double, .timestamp: [stored(.float64, Array(0..<24), 3, type)]
        case .fixed12: [stored(.fixed12, Array(0..<36), 3, type)]
        case .fixed16, .decimal: [stored(.fixed16, Array(0..<48), 3, type)]
        case .text, .bytes:
            [stored(.offsets16, [0, 0, 2, 0, 5, 0, 5, 0], 3, type, heap: Array("abcde".utf8))]
        case .mixed:
            mixedValues.map { value in
                let bytes = Array(value.encoded)
                return stored(.offsets16, [0, 0, UInt8(bytes.count), 0], 1, type, heap: bytes)
            }
        }
    }

    private func stored(
        _ encoding: ColumnEncoding, _ data: [UInt8], _ count: Int, _ type: ColumnType,
        heap: [UInt8] = []
    ) -> [UInt8] {
        data.withUnsafeBytes { data in
            heap.withUnsafeBytes { heap in
                [UInt8(0b010)].withUnsafeBytes { nulls in
                    var view = ColumnView(
                        encoding: encoding, data: data.baseAddress.unsafelyUnwrapped, count: count,
                        isNullable: true, base: Int64(heap.count),
                        heap: heap.baseAddress ?? data.baseAddress)
                    if encoding.rawValue < ColumnEncoding.bits.rawValue { view.base = 0 }
                    if count == 3, data.count % 2 == 0 { view.nulls = nulls.baseAddress }
                    let encoder = ColumnEncoder(
                        always: view, rowCount: count, type: type, hidesLengths: false)
                    var bytes = [UInt8](repeating: 0, count: encoder.byteCount)
                    bytes.withUnsafeMutableBytes { encoder.write(to: $0, seed: 1) }
                    return bytes
                }
            }
        }
    }
}
