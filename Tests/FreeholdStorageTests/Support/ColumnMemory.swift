import FreeholdStorage
import FreeholdTestSupport

/// Lays out columns in every encoding that their values allow, one chosen at random, at random
/// alignments.
///
/// The bytes of null rows are random too: no reader may use them.
final class ColumnMemory {
    private var buffers: [UnsafeMutableRawPointer] = []
    private(set) var blobs: [MemoryTable.BlobKey: [UInt8]] = [:]
    /// Once in how many texts one goes to the blobs.
    var blobRarity = 12

    deinit { for buffer in buffers { buffer.deallocate() } }

    /// Copies bytes to an address whose distance from a multiple of eight is random.
    func place(_ bytes: [UInt8], using random: inout SeededGenerator) -> UnsafeRawPointer {
        let offset = random.int(0...7)
        let buffer = UnsafeMutableRawPointer.allocate(
            byteCount: max(bytes.count + offset, 1), alignment: 8)
        buffers.append(buffer)
        for (index, byte) in bytes.enumerated() {
            buffer.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
        }
        return UnsafeRawPointer(buffer + offset)
    }

    private func bitmap(_ bits: [Bool], using random: inout SeededGenerator) -> UnsafeRawPointer {
        // The bits past the last row are random.
        var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
        for index in 0..<bytes.count * 8 where index < bits.count ? bits[index] : random.once(in: 2)
        { bytes[index / 8] |= 1 << (index % 8) }
        return place(bytes, using: &random)
    }

    private func nulls(_ values: [ScanValue], using random: inout SeededGenerator)
        -> UnsafeRawPointer?
    {
        let bits = values.map { $0 == .null }
        return bits.contains(true) || random.once(in: 8) ? bitmap(bits, using: &random) : nil
    }

    func column(
        _ column: ColumnDefinition, _ values: [ScanValue], keys: [Int64],
        using random: inout SeededGenerator
    ) -> ColumnView {
        let zero = ColumnMemory.zero(of: column.type)
        if !random.once(in: 4), values.allSatisfy({ column.isNullable ? $0 == .null : $0 == zero })
        {
            return .absent(count: values.count, isNullable: column.isNullable)
        }
        switch column.type {
        case .integer, .link: return integers(values, isNullable: column.isNullable, using: &random)
        case .boolean:
            let data = bitmap(
                values.map { $0 == .null ? random.once(in: 2) : $0 == .boolean(true) },
                using: &random)
            return view(.bits, data, values, column, using: &random)
        case .text, .bytes: return text(column, values, keys: keys, using: &random)
        default: break
        }
        var bytes: [UInt8] = []
        func append<Value>(_ value: Value) {
            withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
        }
        for value in values {
            switch value {
            case .float(let float): append(float)
            case .double(let double): append(double)
            case .fixed(let value) where value.kind == .fixed12:
                append(value.fixed12.0)
                append(value.fixed12.1)
            case .fixed(let value): append(value.fixed16)
            case .decimal(let low, let high):
                append(low)
                append(high)
            default:
                for _ in 0..<(column.type.fixedWidth ?? 0) {
                    bytes.append(UInt8(random.int(0...255)))
                }
            }
        }
        let encoding: ColumnEncoding =
            switch column.type {
            case .float: .float32
            case .fixed12: .fixed12
            case .fixed16, .decimal: .fixed16
            default: .float64
            }
        return view(encoding, place(bytes, using: &random), values, column, using: &random)
    }

    private func view(
        _ encoding: ColumnEncoding, _ data: UnsafeRawPointer, _ values: [ScanValue],
        _ column: ColumnDefinition, using random: inout SeededGenerator
    ) -> ColumnView {
        ColumnView(
            encoding: encoding, data: data, count: values.count, isNullable: column.isNullable,
            nulls: nulls(values, using: &random))
    }

    private static func zero(of type: ColumnType) -> ScanValue {
        switch type {
        case .integer: .integer(0)
        case .boolean: .boolean(false)
        case .float: .float(0)
        case .double, .timestamp: .double(0)
        case .text: .text([])
        case .bytes: .bytes([])
        case .fixed12: .fixed(FixedValue((0, UInt32(0))))
        case .fixed16: .fixed(FixedValue((0, UInt64(0))))
        case .decimal: .decimal(0, 0)
        case .link, .mixed: .null
        }
    }

    // MARK: Integers

    func integers(_ values: [ScanValue], isNullable: Bool, using random: inout SeededGenerator)
        -> ColumnView
    {
        let integers: [Int64?] = values.map {
            switch $0 {
            case .integer(let integer): integer
            case .link(let key): key.rawValue
            default: nil
            }
        }
        let known = integers.compactMap { $0 }
        var choices: [ColumnEncoding] = [.integer64]
        let least = known.min() ?? 0
        let span = UInt64(bitPattern: (known.max() ?? 0) &- least)
        if span == 0 { choices += [.constant, .constant] }
        if span <= 0xFF { choices += [.delta8, .delta8] }
        if span <= 0xFFFF { choices += [.delta16] }
        if span <= 0xFFFF_FFFF { choices += [.delta32] }
        let start = integers[0] ?? known.first ?? 0
        // A stored sequence never passes the largest integer.
        let isWithinBounds = !start.addingReportingOverflow(Int64(integers.count - 1)).overflow
        if isWithinBounds,
            integers.enumerated().allSatisfy({ $1 == nil || $1 == start &+ Int64($0) })
        {
            choices += [.sequence, .sequence, .sequence]
        }
        let encoding = random.pick(choices)
        var base: Int64 = 0
        var bytes: [UInt8] = []
        func append<Width: FixedWidthInteger & UnsignedInteger>(_: Width.Type) {
            // The base need not be the least value.
            let slack = min(UInt64(Width.max) - span, UInt64(random.int(0...3)))
            base =
                least.subtractingReportingOverflow(Int64(slack)).overflow
                ? least : least - Int64(slack)
            for integer in integers {
                let delta =
                    integer.map { Width(UInt64(bitPattern: $0 &- base)) }
                    ?? Width.random(in: 0 ... .max, using: &random)
                withUnsafeBytes(of: delta) { bytes.append(contentsOf: $0) }
            }
        }
        switch encoding {
        case .constant: base = least
        case .sequence: base = start
        case .delta8: append(UInt8.self)
        case .delta16: append(UInt16.self)
        case .delta32: append(UInt32.self)
        default:
            for integer in integers {
                withUnsafeBytes(of: integer ?? Int64.random(in: .min ... .max, using: &random)) {
                    bytes.append(contentsOf: $0)
                }
            }
        }
        let nulls = isNullable ? nulls(values, using: &random) : nil
        return ColumnView(
            encoding: encoding, data: place(bytes, using: &random), count: values.count,
            isNullable: isNullable, base: base, nulls: nulls)
    }

    // MARK: Text

    private func text(
        _ column: ColumnDefinition, _ values: [ScanValue], keys: [Int64],
        using random: inout SeededGenerator
    ) -> ColumnView {
        var stored: [[UInt8]] = []
        var isBlob: [Bool] = []
        for (value, key) in zip(values, keys) {
            switch value {
            case .text(let bytes), .bytes(let bytes):
                let blob = random.once(in: blobRarity)
                isBlob.append(blob)
                if blob {
                    blobs[.init(column: column.id, row: RowKey(rawValue: key))] = bytes
                    stored.append(
                        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { Array($0) })
                } else {
                    stored.append(bytes)
                }
            default:
                isBlob.append(false)
                stored.append([])
            }
        }
        let length = stored.reduce(0) { $0 + $1.count }
        let encoding = random.pick(
            length < 0x10000
                ? [ColumnEncoding.offsets16, .offsets16, .offsets32, .spans] : [.offsets32, .spans])
        var heap: [UInt8] = []
        var data: [UInt8] = []
        func append<Width: FixedWidthInteger>(_ value: Width) {
            withUnsafeBytes(of: value) { data.append(contentsOf: $0) }
        }
        if encoding == .spans {
            // In any order, with rubbish between the values.
            var spans = [(UInt32, UInt32)](repeating: (0, 0), count: stored.count)
            for row in stored.indices.shuffled(using: &random) {
                if random.once(in: 3) { heap += Array("rubbish".utf8) }
                spans[row] = (UInt32(heap.count), UInt32(stored[row].count))
                heap += stored[row]
            }
            for span in spans {
                append(span.0)
                append(span.1)
            }
        } else {
            var ends = [0]
            for bytes in stored {
                heap += bytes
                ends.append(heap.count)
            }
            for end in ends {
                if encoding == .offsets16 { append(UInt16(end)) } else { append(UInt32(end)) }
            }
        }
        return ColumnView(
            encoding: encoding, data: place(data, using: &random), count: values.count,
            isNullable: column.isNullable, base: Int64(heap.count),
            nulls: nulls(values, using: &random), heap: place(heap, using: &random),
            blobs: isBlob.contains(true) ? bitmap(isBlob, using: &random) : nil
        )
    }
}
