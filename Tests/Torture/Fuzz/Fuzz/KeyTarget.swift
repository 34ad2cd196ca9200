@testable import FreeholdStorage

/// The bytes of index keys have the order of the values, and none is the beginning of another;
/// what an entry says is what was put into it.
enum KeyTarget: FuzzTarget {
    static let name = "key"

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var input = FuzzInput(bytes)
        switch input.below(8) {
        case 0:
            let (a, b) = (input.integer(Int64.self), input.integer(Int64.self))
            expect(
                IndexKey.integer(a).integer == a,
                "The integer \(a) is read as \(IndexKey.integer(a).integer as Any).")
            compare(.integer(a), .integer(b), a == b ? 0 : a < b ? -1 : 1)
            compare(.null, .integer(a), -1)
        case 1:
            let (a, b) = (
                Double(bitPattern: input.integer(UInt64.self)),
                Double(bitPattern: input.integer(UInt64.self))
            )
            let order =
                a.isNaN || b.isNaN
                ? (a.isNaN ? 0 : 1) - (b.isNaN ? 0 : 1) : a == b ? 0 : a < b ? -1 : 1
            compare(.double(a), .double(b), order)
            compare(.null, .double(a), -1)
        case 2, 3:
            let all = input.rest.dropFirst(0)
            let cut = min(input.byte(), input.rest.count)
            let a = UnsafeRawBufferPointer(rebasing: input.rest[..<cut])
            let b = UnsafeRawBufferPointer(rebasing: input.rest[cut...])
            text(a, b)
            text(a, UnsafeRawBufferPointer(rebasing: all))
        case 4:
            let (a, b) = (
                (input.integer(UInt64.self), input.integer(UInt32.self)),
                (input.integer(UInt64.self), input.integer(UInt32.self))
            )
            compare(
                .fixed(FixedValue(a)), .fixed(FixedValue(b)),
                ElementOrder.compare(bytesOf(a.0) + bytesOf(a.1), bytesOf(b.0) + bytesOf(b.1)))
        case 5:
            let table = input.below(2) == 1
            func link(_ input: inout FuzzInput) -> (UInt32, Int64, UInt32) {
                (
                    table ? input.integer(UInt32.self) : 0, input.integer(Int64.self),
                    input.integer(UInt32.self)
                )
            }
            let (a, b) = (link(&input), link(&input))
            func key(_ link: (UInt32, Int64, UInt32)) -> IndexKey {
                .link(table ? TableID(rawValue: link.0) : nil, link.1, occurrence: link.2)
            }
            compare(key(a), key(b), a == b ? 0 : a < b ? -1 : 1)
        case 6: stored(&input)
        default: written(&input)
        }
    }

    private static func bytesOf<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    private static func text(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) {
        let (first, second) = (IndexKey.bytes(a), IndexKey.bytes(b))
        expect(
            first.bytes.count <= 511 - 14,
            "A key of \(first.bytes.count) bytes is longer than LMDB takes.")
        let order = ElementOrder.compare(a, b)
        // Of texts that are equal as far as the index has them, the hash decides, in any order.
        let longest = IndexKey.longestWholeValue
        if a.count > longest, b.count > longest, a[..<longest].elementsEqual(b[..<longest]) {
            expect(
                (order == 0) == (first == second),
                "Equal long texts have different keys, or different ones the same.")
            return
        }
        compare(first, second, order)
    }

    private static func compare(_ a: IndexKey, _ b: IndexKey, _ order: Int) {
        let found = ElementOrder.compare(Array(a.bytes), Array(b.bytes))
        expect(
            found.signum() == order.signum(),
            """
            The keys \(a.bytes) and \(b.bytes) have the order \(found.signum()), their \
            values \(order.signum()).
            """
        )
        if order != 0 {
            expect(
                !a.bytes.starts(with: b.bytes) && !b.bytes.starts(with: a.bytes),
                "The key \(a.bytes) begins as \(b.bytes) or the other way around.")
        }
    }

    // MARK: Entries

    /// What an entry's bytes say, if they are possible, is written as the same bytes.
    private static func stored(_ input: inout FuzzInput) {
        let bound: Int64? = input.below(2) == 1 ? input.integer(Int64.self) : nil
        let value = input.rest
        let total = IndexEntry.totalCount(ofFirst: value)
        var keys: [Int64] = []
        guard IndexEntry.appendKeys(value, bound: bound, to: &keys) else { return }
        expect(
            keys.count == IndexEntry.count(value),
            "An entry of \(IndexEntry.count(value)) row keys has \(keys.count).")
        for (key, next) in zip(keys, keys.dropFirst()) {
            expect(key < next, "The row key \(next) follows \(key).")
        }
        var again = ScratchBuffer<UInt8>()
        keys.withUnsafeBufferPointer {
            IndexEntry.encode(
                $0, bound: bound, total: bound == nil && IndexEntry.isFollowed(value) ? total : nil,
                into: &again)
        }
        expect(
            again.unsafeBytes.elementsEqual(value),
            "An entry is written in another way than it was read from.")
    }

    /// Row keys that are written are read.
    private static func written(_ input: inout FuzzInput) {
        let hasBound = input.below(2) == 1
        var key = input.integer(Int64.self)
        let bound: Int64? = hasBound ? key : nil
        var keys: [Int64] = []
        if hasBound {
            let (first, overflow) = key.addingReportingOverflow(Int64(input.byte()))
            if !overflow { key = first }
        }
        keys.append(key)
        while !input.isAtEnd, keys.count < 400 {
            let distance =
                1
                + (input.below(4) == 0
                    ? Int64(input.integer(UInt32.self)) << Int64(input.below(31))
                    : Int64(input.byte()))
            let (next, overflow) = key.addingReportingOverflow(distance)
            if overflow || next <= key { break }
            keys.append(next)
            key = next
        }
        let total = !hasBound && input.below(2) == 1 ? keys.count + 5 : nil
        var bytes = ScratchBuffer<UInt8>()
        keys.withUnsafeBufferPointer {
            IndexEntry.encode($0, bound: bound, total: total, into: &bytes)
        }
        var found: [Int64] = []
        expect(
            IndexEntry.appendKeys(bytes.unsafeBytes, bound: bound, to: &found) && found == keys,
            "The row keys \(keys) are read as \(found).")
        if !hasBound {
            expect(
                IndexEntry.totalCount(ofFirst: bytes.unsafeBytes) == total ?? keys.count,
                "The total of an entry is not what was written.")
        }
    }

    static var seeds: [[UInt8]] {
        [
            [0] + bytesOf(5 as Int64) + bytesOf(-5 as Int64), [1] + bytesOf(1.5) + bytesOf(-0.0),
            [2, 3] + Array("abcab\0c".utf8),
            [3, 220] + [UInt8](repeating: 65, count: 450), [4] + [UInt8](1...24),
            [5, 1] + [UInt8](1...32), [6, 0, 2, 0, 10, 3],
            [6, 0, 2, 128, 9, 0, 0, 0, 0, 0, 0, 0, 10, 3],
            [6, 1] + bytesOf(7 as Int64) + [2, 0, 0, 1],
            [7, 0] + bytesOf(100 as Int64) + [1, 2, 3, 4, 5, 6, 7, 8],
        ]
    }
}

extension ElementOrder {
    fileprivate static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
        a.withUnsafeBytes { a in b.withUnsafeBytes { compare(a, $0) } }
    }
}
