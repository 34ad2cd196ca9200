@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Which bytes are a column. Each length is looked at before anything is read by it.
@Suite struct StoredColumnTests {
    private func bytes(
        _ encoding: ColumnEncoding, flags: UInt8 = 0, rows: UInt16, base: Int64 = 0, _ rest: [UInt8]
    ) -> [UInt8] {
        [encoding.rawValue, flags] + [UInt8(rows & 0xFF), UInt8(rows >> 8), 0, 0, 0, 0]
            + withUnsafeBytes(of: base.littleEndian) { Array($0) } + rest
    }

    /// What is wrong; nil if nothing is.
    private func defect(_ bytes: [UInt8], rows: Int, _ type: ColumnType) -> String? {
        bytes.withUnsafeBytes { bytes in
            do throws(StoredColumn.Defect) {
                let view = try StoredColumn.view(
                    of: bytes, count: rows, type: type, isNullable: true)
                return view.count == rows ? nil : "\(view.count) rows"
            } catch {
                return error.reason
            }
        }
    }

    @Test func theLengthIsExact() {
        let types: [(ColumnType, ColumnEncoding, Int64, Int)] = [
            (.integer, .sequence, 5, 0), (.integer, .constant, 5, 0), (.integer, .delta8, 5, 3),
            (.integer, .delta16, 5, 6), (.integer, .delta32, 5, 12),
            (.link, .integer64, 0, 24), (.boolean, .bits, 0, 1), (.float, .float32, 0, 12),
            (.double, .float64, 0, 24), (.timestamp, .float64, 0, 24),
            (.fixed12, .fixed12, 0, 36), (.fixed16, .fixed16, 0, 48), (.decimal, .fixed16, 0, 48),
            (.text, .offsets16, 7, 8 + 7), (.bytes, .offsets32, 7, 16 + 7),
        ]
        for (type, encoding, base, count) in types {
            let sound = bytes(encoding, rows: 3, base: base, [UInt8](repeating: 0, count: count))
            #expect(defect(sound, rows: 3, type) == nil, "\(encoding)")
            #expect(
                defect(sound + [0], rows: 3, type)
                    == "\(sound.count + 1) bytes instead of \(sound.count)", "\(encoding)")
            #expect(defect(Array(sound.dropLast()), rows: 3, type) != nil, "\(encoding)")
            // With a bitmap of the nulls.
            let withNulls = bytes(
                encoding, flags: 1, rows: 3, base: base, [UInt8](repeating: 0, count: count + 1))
            #expect(defect(withNulls, rows: 3, type) == nil, "\(encoding)")
            #expect(
                defect(
                    bytes(
                        encoding, flags: 1, rows: 3, base: base, [UInt8](repeating: 0, count: count)
                    ), rows: 3, type) != nil, "\(encoding)")
            #expect(defect(sound, rows: 4, type) == "3 rows instead of 4")
        }
    }

    @Test func headersThatContradictTheType() {
        #expect(defect([6, 0, 0], rows: 0, .integer) == "shorter than its header")
        #expect(
            defect(bytes(.integer64, rows: 1, [UInt8](repeating: 0, count: 8)), rows: 1, .double)
                != nil)
        #expect(
            defect(bytes(.spans, rows: 1, [UInt8](repeating: 0, count: 8)), rows: 1, .text) != nil)
        #expect(defect(bytes(.absent, rows: 1, []), rows: 1, .integer) != nil)
        #expect(
            defect(
                bytes(.integer64, flags: 2, rows: 1, [UInt8](repeating: 0, count: 9)), rows: 1,
                .integer)?.hasPrefix("blobs in a column of type") == true)
        #expect(
            defect(
                bytes(
                    .offsets16, flags: 2, rows: 1, base: 2,
                    [UInt8](repeating: 0, count: 1 + 4 + 2)),
                rows: 1, .text) == nil)
        for base in [-1, 23, Int64.max, .min] {
            #expect(
                defect(bytes(.offsets16, rows: 1, base: base, [0, 0, 0, 0, 0, 0]), rows: 1, .text)
                    != nil, "\(base)")
        }
    }

    @Test func aSequenceEndsAtTheLargestInteger() {
        #expect(defect(bytes(.sequence, rows: 3, base: .max - 2, []), rows: 3, .integer) == nil)
        #expect(
            defect(bytes(.sequence, rows: 3, base: .max - 1, []), rows: 3, .integer)
                == "a sequence beyond the largest integer")
    }

    /// What a row had before it became null is not in the file.
    @Test func nullRowsHaveNoValue() throws {
        let files = try [1_000, 2_000].map { forgotten in
            try withTemporaryStore { store in
                let (_, snapshot) = try write(store) { writeSet in
                    let table = writeSet.createTable(named: "Row")
                    let number = writeSet.addColumn(
                        to: table, named: "number", type: .integer, isNullable: true,
                        isIndexed: false)
                    for (key, value) in [(1, 3), (2, forgotten), (3, 9)] {
                        let row = writeSet.mutableTable(table).insertRow(
                            RowKey(rawValue: Int64(key)))
                        row.setInteger(number, Int64(value))
                        if key == 2 { row.setNull(number) }
                    }
                }
                return try snapshot.transaction.entries(.clusters).map(\.value)
            }
        }
        #expect(files[0] == files[1])
        // Above the base, which is 3, but in encrypted files, whose lengths tell nothing.
        let values = try #require(files[0].first)
        if EncryptedSuite.isOn {
            #expect(values.suffix(16).prefix(8).allSatisfy { $0 == 0 })
        } else {
            #expect(values.suffix(3) == [0, 0, 6])
        }
    }

    /// Links that became null because what they led to was deleted, of which only the nulls were
    /// copied.
    @Test(.disabled(if: EncryptedSuite.isOn, "has integers of full width"))
    func linksToDeletedRowsAreNotStored() throws {
        try withTemporaryStore { store in
            let ((source, target), before) = try write(store) { writeSet in
                let target = writeSet.createTable(named: "Target")
                let source = writeSet.createTable(named: "Source")
                let link = writeSet.addColumn(
                    to: source, named: "link", type: .link, isNullable: true, isIndexed: true,
                    target: target)
                for key in [3, 5, 9] as [Int64] {
                    _ = writeSet.mutableTable(target).insertRow(RowKey(rawValue: key))
                    writeSet.mutableTable(source).insertRow(RowKey(rawValue: key)).setInteger(
                        link, key)
                }
                return (source, target)
            }
            func stored(_ snapshot: Snapshot) throws -> [UInt8]? {
                let prefix = withUnsafeBytes(of: source.rawValue.bigEndian) { Array($0) }
                return try snapshot.transaction.entries(.clusters).first {
                    $0.key.starts(with: prefix) && $0.key.suffix(2) == [0, 1]
                }?.value.suffix(3)
            }
            #expect(try stored(before) == [0, 2, 6])
            let (_, after) = try write(store) { try $0.mutableTable(target).deleteRows([5]) }
            #expect(try stored(after) == [0, 0, 6])
        }
    }
}
