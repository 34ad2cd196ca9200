import FreeholdStorage

/// Gives a changed record the checksum that its bytes should have: what a program with a
/// mistake, or an attacker, would write. After `Docs/FileFormat.md`.
package enum RecordMending {
    package static func mend(_ value: inout [UInt8], _ database: String, key: [UInt8]) {
        switch database {
        case "clusters":
            guard key.count == 14 else { return }
            mendColumn(
                &value,
                seed: seed(
                    table: key.number(0, 4), firstKey: key.signed(4), column: key.number(12, 2)),
                0..<value.count)
        case "directory":
            guard value.count == 16, key.count == 12 else { return }
            let head = value.little(0, 4) & 0xFFFF_FFFF
            let seed =
                seed(table: key.number(0, 4), firstKey: key.signed(4), column: 0) ^ head
                &* 0xC2B2_AE3D_27D4_EB4F
            value.put(checksum(value[8..<16], seed: seed), at: 4, count: 4)
        case "blobs":
            guard value.count > 4, key.count == 18 else { return }
            value.put(checksum(value[4...], seed: cellSeed(key)), at: 0, count: 4)
        case "elements":
            guard value.count > 8, key.count == 18 else { return }
            let seed = cellSeed(key)
            // A branch, the leaf of a list, or that of a map: whichever it was read as, its
            // checksum is right or it was one of the others.
            if value.count == 8 + 12 * Int(value.little(4, 2)) {
                value.put(checksum(value[4...], seed: seed), at: 0, count: 4)
            } else if let keys = value.count > 20 ? Int(value.little(0, 4)) : nil, keys >= 16,
                4 + keys + 16 <= value.count
            {
                mendColumn(&value, seed: seed, 4..<4 + keys)
                mendColumn(&value, seed: seed, 4 + keys..<value.count)
            } else {
                mendColumn(&value, seed: seed, 0..<value.count)
            }
        case "meta":
            guard value.count > 8 else { return }
            let isFacts = key.count == 5 && key[0] == UInt8(ascii: "t")
            value.put(
                checksum(value[..<(value.count - 8)], seed: isFacts ? key.number(1, 4) : 0),
                at: value.count - 8, count: 8)
        default: break
        }
    }

    private static func seed(table: UInt64, firstKey: Int64, column: UInt64) -> UInt64 {
        table << 16 ^ column ^ UInt64(bitPattern: firstKey) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Of a chunk or a node: table, column, row and number.
    private static func cellSeed(_ key: [UInt8]) -> UInt64 {
        seed(table: key.number(0, 4), firstKey: key.signed(6), column: key.number(4, 2))
            ^ key.number(14, 4) &* 0xFF51_AFD7_ED55_8CCD
    }

    private static func mendColumn(_ value: inout [UInt8], seed: UInt64, _ range: Range<Int>) {
        guard range.count >= 16 else { return }
        let head = value.little(range.lowerBound, 4) &* 0xC2B2_AE3D_27D4_EB4F
        value.put(
            checksum(value[(range.lowerBound + 8)..<range.upperBound], seed: seed ^ head),
            at: range.lowerBound + 4, count: 4)
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>, seed: UInt64) -> UInt64 {
        bytes.withUnsafeBytes { Checksum.xxh64($0, seed: seed) }
    }
}

extension [UInt8] {
    fileprivate func number(_ offset: Int, _ count: Int) -> UInt64 {
        self[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A row key as keys have it.
    fileprivate func signed(_ offset: Int) -> Int64 {
        Int64(bitPattern: number(offset, 8) ^ 1 << 63)
    }

    fileprivate func little(_ offset: Int, _ count: Int) -> UInt64 {
        self[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    fileprivate mutating func put(_ number: UInt64, at offset: Int, count: Int) {
        for index in 0..<count {
            self[offset + index] = UInt8(truncatingIfNeeded: number >> UInt64(index * 8))
        }
    }
}
