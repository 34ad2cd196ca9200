/// Ascending row keys, as runs of consecutive ones: a change of a million rows in a row takes a
/// few bytes.
package struct HistoryKeys: Hashable, Sendable {
    package struct Run: Hashable, Sendable {
        package let first: Int64
        package let last: Int64
        /// The number of keys in the runs before.
        fileprivate let place: Int
    }

    /// More keys than one transaction changes: damaged bytes may say so.
    static let most = 1 << 48

    package private(set) var runs: ContiguousArray<Run> = []
    package private(set) var count = 0

    package init() {}

    /// - Parameter keys: Ascending. O(keys).
    package init(_ keys: ContiguousArray<Int64>) {
        guard var first = keys.first else { return }
        var last = first
        for key in keys.dropFirst() {
            if last != .max, key == last &+ 1 {
                last = key
            } else {
                append(first, last)
                (first, last) = (key, key)
            }
        }
        append(first, last)
    }

    /// The keys of several columns, each once. O(1) for one column, else O(runs log runs).
    package init(union columns: [HistoryKeys]) {
        if columns.count == 1 {
            self = columns[0]
            return
        }
        let all = columns.flatMap(\.runs).sorted { $0.first < $1.first }
        guard var (first, last) = all.first.map({ ($0.first, $0.last) }) else { return }
        for run in all.dropFirst() {
            if last == .max || run.first <= last &+ 1 {
                last = Swift.max(last, run.last)
            } else {
                append(first, last)
                (first, last) = (run.first, run.last)
            }
        }
        append(first, last)
    }

    private mutating func append(_ first: Int64, _ last: Int64) {
        runs.append(Run(first: first, last: last, place: count))
        count += Int(last - first) + 1
    }

    package var isEmpty: Bool { count == 0 }

    /// The place of a key among all keys; nil without it. O(log runs).
    package func place(of key: Int64) -> Int? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].last < key { low = middle + 1 } else { high = middle }
        }
        guard low < runs.count, key >= runs[low].first else { return nil }
        return runs[low].place + Int(key - runs[low].first)
    }

    /// Adds a run that follows all others; false if it does not, or has too many keys.
    fileprivate mutating func appendRun(from first: Int64, to last: Int64) -> Bool {
        let (distance, isHuge) = last.subtractingReportingOverflow(first)
        guard distance >= 0, !isHuge, distance < Self.most - count,
            runs.last.map({ $0.last < first }) ?? true
        else { return false }
        append(first, last)
        return true
    }
}

extension HistoryKeys: Sequence {
    package struct Iterator: IteratorProtocol {
        private let runs: ContiguousArray<Run>
        private var index = 0
        private var following: Int64?

        fileprivate init(_ runs: ContiguousArray<Run>) {
            self.runs = runs
            following = runs.first?.first
        }

        @inline(__always)
        package mutating func next() -> Int64? {
            guard let key = following else { return nil }
            if key < runs[index].last {
                following = key &+ 1
            } else {
                index += 1
                following = index < runs.count ? runs[index].first : nil
            }
            return key
        }
    }

    package func makeIterator() -> Iterator { Iterator(runs) }
    /// Not all, since an array of the keys reserves memory for so many before it reads one.
    package var underestimatedCount: Int { Swift.min(count, 1 << 16) }
}

// MARK: - Bytes

/// Numbers of variable length: LEB128, and zigzag LEB128 for signed ones.
extension ArchiveWriter {
    mutating func put(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            put(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        put(UInt8(rest))
    }

    mutating func put(number: Int) { put(varint: UInt64(number)) }

    mutating func put(text: String) {
        put(number: text.utf8.count)
        put(raw: text.utf8)
    }

    /// Their number of runs, then for each: the distance of its first key to the key after the
    /// one before (of the first run to 0, as zigzag), and how many keys follow the first one.
    mutating func put(_ keys: HistoryKeys) {
        put(number: keys.runs.count)
        var last: Int64?
        for run in keys.runs {
            if let last {
                put(varint: UInt64(bitPattern: run.first &- last &- 1))
            } else {
                put(varint: UInt64(bitPattern: run.first &<< 1 ^ run.first >> 63))
            }
            put(varint: UInt64(bitPattern: run.last &- run.first))
            last = run.last
        }
    }
}

extension ArchiveReader {
    mutating func varint() throws(ArchiveDamage) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 70, by: 7) {
            let byte = try integer(UInt8.self)
            if shift == 63, byte > 1 { throw ArchiveDamage() }
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return value }
        }
        throw ArchiveDamage()
    }

    mutating func number() throws(ArchiveDamage) -> Int {
        guard let value = Int(exactly: try varint()) else { throw ArchiveDamage() }
        return value
    }

    mutating func name() throws(ArchiveDamage) -> String {
        guard let name = String(validating: try raw(try number()), as: UTF8.self) else {
            throw ArchiveDamage()
        }
        return name
    }

    mutating func historyKeys() throws(ArchiveDamage) -> HistoryKeys {
        var keys = HistoryKeys()
        for _ in 0..<(try number()) {
            let start = try varint()
            let first =
                keys.runs.last.map { $0.last &+ 1 &+ Int64(bitPattern: start) }
                ?? Int64(bitPattern: start >> 1) ^ -Int64(bitPattern: start & 1)
            let last = first &+ Int64(bitPattern: try varint())
            guard keys.appendRun(from: first, to: last) else { throw ArchiveDamage() }
        }
        return keys
    }
}
