import Foundation
import FreeholdStorage
import FreeholdWorkload
import FreeholdTestSupport

/// What is done to a file: some of its bytes are others, and it has another length.
struct FileDamage {
    struct Edit {
        var offset: Int
        var bytes: [UInt8]
    }

    var edits: [Edit] = []
    var length: Int?
    var kinds: [String] = []
    /// Whether what is read may differ without anybody noticing: a record was replaced by one
    /// that is as sound.
    var isSilent = false
    /// What the control file has; nil for none.
    var control: [UInt8]?
    /// What the lock file has; nil for none.
    var lock: [UInt8]?

    func applied(to base: [UInt8]) -> [UInt8] {
        var bytes = base
        for edit in edits {
            for (index, byte) in edit.bytes.enumerated() where edit.offset + index < bytes.count {
                bytes[edit.offset + index] = byte
            }
        }
        if let length {
            bytes =
                length <= bytes.count
                ? Array(bytes[..<length])
                : bytes + [UInt8](repeating: 0, count: length - bytes.count)
        }
        return bytes
    }

    /// - Parameter map: Of the base.
    init(_ base: FileBase, _ map: FileMap, others: [FileBase], _ random: inout SeededGenerator) {
        let pages = base.bytes.count / FileMap.pageSize
        for _ in 0..<random.pick([1, 1, 1, 1, 2, 3]) {
            let kind = random.pick(Self.chooser)
            kinds.append(kind)
            switch kind {
            case "bits":
                for _ in 0..<random.int(1...8) {
                    let offset =
                        random.once(in: 2)
                        ? random.int(0...base.bytes.count - 1)
                        : random.pick(map.usedPages) * FileMap.pageSize + random.int(0...4095)
                    edit(offset, [base.bytes[offset] ^ 1 << UInt8(random.int(0...7))])
                }
            case "bytes":
                let offset = random.pick(map.usedPages) * FileMap.pageSize + random.int(0...4095)
                edit(offset, (0..<random.int(1...40)).map { _ in Self.byte(&random) })
            case "truncation":
                length =
                    random.once(in: 2)
                    ? random.int(0...pages) * FileMap.pageSize : random.int(0...base.bytes.count)
            case "zeroed":
                edit(
                    random.pick(map.usedPages) * FileMap.pageSize,
                    [UInt8](repeating: random.pick([0, 0, 0xFF, 0xEE]), count: FileMap.pageSize))
            case "duplicated":
                edit(
                    random.pick(map.usedPages) * FileMap.pageSize,
                    base.page(random.int(0...pages - 1)))
            case "renumbered":
                // A page of another place that says that it belongs here.
                let target = random.pick(map.usedPages)
                edit(
                    target * FileMap.pageSize,
                    bytesOf(UInt64(target)) + base.page(random.int(2...pages - 1)).dropFirst(8))
                isSilent = true
            case "swapped":
                let (a, b) = (random.int(2...pages - 1), random.int(2...pages - 1))
                edit(a * FileMap.pageSize, base.page(b))
                edit(b * FileMap.pageSize, base.page(a))
            case "foreign":
                let other = random.pick(others).bytes
                let page = random.int(0...other.count / FileMap.pageSize - 1)
                edit(
                    random.pick(map.usedPages) * FileMap.pageSize,
                    Array(other[page * FileMap.pageSize..<(page + 1) * FileMap.pageSize]))
            case "older":
                let page = random.pick(
                    map.usedPages.filter { ($0 + 1) * FileMap.pageSize <= base.older.count } + [0])
                edit(
                    page * FileMap.pageSize,
                    Array(base.older[page * FileMap.pageSize..<(page + 1) * FileMap.pageSize]))
                isSilent = true
            case "header": header(map, &random)
            case "node": node(base, map, &random)
            case "meta": meta(&random)
            case "tree": tree(map, &random)
            case "free": free(map, &random)
            case "record": record(base, map, isMended: false, &random)
            case "mended": record(base, map, isMended: true, &random)
            case "shortened": shorten(base, map, map.databases, &random)
            case "missing":
                remove(base, map, &random)
                // What is found missing makes the reader look at checksums, of whatever else is
                // damaged.
                if random.once(in: 2) { shorten(base, map, ["elements"], &random) }
            case "appended": length = base.bytes.count + random.pick([1, 100, 4096, 65536])
            default: preconditionFailure(kind)
            }
        }
        switch random.int(0...9) {
        case 0...4: control = base.control
        case 5:
            control = base.control
            for _ in 0..<random.int(1...4) {
                control?[random.int(0...base.control.count - 1)] = Self.byte(&random)
            }
        case 6: control = Array(base.control.prefix(random.int(0...base.control.count)))
        default: control = nil
        }
        // An empty file is a new one, as far as anybody can tell.
        if length == 0, control?.isEmpty != false { isSilent = true }
        if random.once(in: 20) {
            lock = (0..<random.pick([0, 1, 100, 8192, 70_000])).map { _ in Self.byte(&random) }
        }
    }

    private static let chooser = [
        "bits", "bits", "bytes", "bytes", "truncation", "zeroed", "duplicated", "renumbered",
        "swapped", "foreign", "older", "header", "header", "node", "node", "node", "meta", "tree",
        "free", "record",
        "record", "mended", "mended", "mended", "shortened", "missing", "appended",
    ]

    private static func byte(_ random: inout SeededGenerator) -> UInt8 {
        random.pick([
            0, 1, 0x7F, 0x80, 0xFF, UInt8(random.int(0...255)), UInt8(random.int(0...255)),
        ])
    }

    private static func number(_ random: inout SeededGenerator, near value: UInt64) -> UInt64 {
        random.pick([
            0, 1, 2, value &+ 1, value &- 1, value &* 2, value / 2,
            value ^ 1 << UInt64(random.int(0...63)), .max, 0x7FFF, 0xFFFF, 0xFFFF_FFFF,
            UInt64(random.int(0...1000)), random.next(),
        ])
    }

    private mutating func edit(_ offset: Int, _ bytes: [UInt8]) {
        edits.append(Edit(offset: offset, bytes: bytes))
    }

    private func bytesOf<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    // MARK: LMDB's structures

    /// Puts something else into a field of the base.
    private mutating func change<Value: FixedWidthInteger & BitwiseCopyable>(
        _ map: FileMap, _ offset: Int, _: Value.Type, _ random: inout SeededGenerator
    ) {
        edit(
            offset,
            bytesOf(
                Value(
                    truncatingIfNeeded: Self.number(
                        &random, near: UInt64(truncatingIfNeeded: map.read(offset, Value.self))))))
    }

    private mutating func header(_ map: FileMap, _ random: inout SeededGenerator) {
        let start = random.pick(map.usedPages) * FileMap.pageSize
        switch random.int(0...5) {
        case 0: change(map, start, UInt64.self, &random)
        case 1: edit(start + 10, [random.pick([0, 1, 2, 4, 8, 0x10, 0x12, 0x22, 0x42, 0x20]), 0])
        case 2: change(map, start + 12, UInt16.self, &random)
        case 3: change(map, start + 14, UInt16.self, &random)
        case 4: change(map, start + 12, UInt32.self, &random)
        default: change(map, start + 8, UInt16.self, &random)
        }
    }

    private mutating func node(_ base: FileBase, _ map: FileMap, _ random: inout SeededGenerator) {
        guard !map.treePages.isEmpty else { return }
        let start = random.pick(map.treePages) * FileMap.pageSize
        let count = max((Int(map.read(start + 12, UInt16.self)) - 16) / 2, 1)
        let pointer = start + 16 + 2 * random.int(0...count - 1)
        let node = start + Int(map.read(pointer, UInt16.self))
        switch random.int(0...7) {
        case 0: change(map, pointer, UInt16.self, &random)
        case 1: change(map, node, UInt16.self, &random)
        case 2: change(map, node, UInt32.self, &random)
        case 3: edit(node + 4, [random.pick([0, 1, 2, 3, 4, 6, 0x10]), 0])
        case 4: change(map, node + 6, UInt16.self, &random)
        case 5: edit(node + 8 + random.int(0...30), [Self.byte(&random)])
        case 6:
            // A child or an overflow run that is another page.
            edit(node, bytesOf(UInt32(random.int(0...base.bytes.count / FileMap.pageSize + 3))))
        default:
            // Two nodes change places.
            let other = start + 16 + 2 * random.int(0...count - 1)
            edit(pointer, Array(base.bytes[other..<other + 2]))
            edit(other, Array(base.bytes[pointer..<pointer + 2]))
        }
    }

    private mutating func meta(_ random: inout SeededGenerator) {
        for page in random.pick([[0], [1], [0, 1]]) {
            let start = page * FileMap.pageSize + 16
            let (offset, size) = random.pick([
                (0, 4), (4, 4), (8, 8), (16, 8), (24, 4), (28, 2), (30, 2), (32, 8), (48, 8),
                (56, 8), (64, 8), (72, 4), (76, 2), (78, 2), (80, 8), (104, 8), (112, 8), (120, 8),
                (128, 8),
            ])
            edit(
                start + offset,
                Array(bytesOf(Self.number(&random, near: UInt64(random.int(0...300)))).prefix(size))
            )
        }
    }

    /// The record of a named database.
    private mutating func tree(_ map: FileMap, _ random: inout SeededGenerator) {
        guard !map.treeRecords.isEmpty else { return }
        let record = random.pick(map.treeRecords)
        let (offset, size) = random.pick([
            (0, 4), (4, 2), (6, 2), (8, 8), (16, 8), (24, 8), (32, 8), (40, 8), (40, 8), (40, 8),
        ])
        let near =
            size == 2
            ? UInt64(map.read(record + offset, UInt16.self))
            : map.read(record + offset, UInt64.self)
        edit(record + offset, Array(bytesOf(Self.number(&random, near: near)).prefix(size)))
    }

    private mutating func free(_ map: FileMap, _ random: inout SeededGenerator) {
        guard !map.freeEntries.isEmpty else { return }
        let entry = random.pick(map.freeEntries)
        let word = entry.value.lowerBound + 8 * random.int(0...max(0, entry.value.count / 8 - 1))
        let value =
            random.once(in: 2)
            ? UInt64(random.pick(map.usedPages))
            : Self.number(&random, near: map.read(word, UInt64.self))
        edit(word, bytesOf(value))
    }

    // MARK: Records

    private mutating func record(
        _ base: FileBase, _ map: FileMap, isMended: Bool, _ random: inout SeededGenerator
    ) {
        guard !map.entries.isEmpty else { return }
        let database = random.pick(map.databases)
        let entry = random.pick(map.entries.filter { $0.database == database })
        guard !entry.value.isEmpty else { return }
        var value = Array(base.bytes[entry.value])
        for _ in 0..<random.int(1...3) {
            // Most in the head, where lengths and counts are.
            let place = random.int(
                0...(random.once(in: 3) ? value.count - 1 : min(value.count, 40) - 1))
            switch random.int(0...4) {
            case 0: value[place] ^= 1 << UInt8(random.int(0...7))
            case 1:
                for index in place..<min(place + random.int(1...8), value.count) {
                    value[index] = Self.byte(&random)
                }
            case 2: if place + 1 < value.count { value.swapAt(place, place + 1) }
            default: value[place] = Self.byte(&random)
            }
        }
        if random.once(in: 4) {
            // Another record of the same kind.
            let other = random.pick(map.entries.filter { $0.database == database })
            for (index, byte) in base.bytes[other.value].prefix(value.count).enumerated() {
                value[index] = byte
            }
        }
        if isMended, !base.isEncrypted {
            RecordMending.mend(&value, entry.database, key: entry.key)
            isSilent = true
        }
        edit(entry.value.lowerBound, value)
    }

    /// A record that ends too early.
    private mutating func shorten(
        _ base: FileBase, _ map: FileMap, _ databases: [String], _ random: inout SeededGenerator
    ) {
        guard let node = recordNode(base, map, databases, &random) else { return }
        let size = Int(map.read(node.offset, UInt32.self))
        if size == 0 { return }
        edit(
            node.offset,
            bytesOf(
                UInt32(
                    random.pick(
                        [0, 1, 3, 4, 7, 8, 15, 16, size / 2, size - 1, size - 1].filter {
                            $0 < size
                        }))))
    }

    /// A record that its page lacks.
    private mutating func remove(_ base: FileBase, _ map: FileMap, _ random: inout SeededGenerator)
    {
        guard let node = recordNode(base, map, map.databases, &random) else { return }
        let lower = map.read(node.page + 12, UInt16.self)
        edit(node.pointer, Array(base.bytes[node.pointer + 2..<node.page + Int(lower)]))
        edit(node.page + 12, bytesOf(lower - 2))
        isSilent = true
    }

    /// The node of a record that lies in a page of its tree, and the place where the page says
    /// where it is.
    private func recordNode(
        _ base: FileBase, _ map: FileMap, _ databases: [String], _ random: inout SeededGenerator
    ) -> (page: Int, pointer: Int, offset: Int)? {
        guard !databases.isEmpty else { return nil }
        let database = random.pick(databases)
        let entries = map.entries.filter { $0.database == database }
        if entries.isEmpty { return nil }
        let entry = random.pick(entries)
        let offset = entry.value.lowerBound - entry.key.count - 8
        let page = offset / FileMap.pageSize * FileMap.pageSize
        let pointers = stride(
            from: page + 16,
            to: page + min(Int(map.read(page + 12, UInt16.self)), FileMap.pageSize), by: 2)
        guard map.treePages.contains(page / FileMap.pageSize),
            let pointer = pointers.first(where: { page + Int(map.read($0, UInt16.self)) == offset })
        else { return nil }
        return (page, pointer, offset)
    }
}

extension FileBase {
    func page(_ number: Int) -> [UInt8] {
        Array(bytes[number * FileMap.pageSize..<(number + 1) * FileMap.pageSize])
    }
}
