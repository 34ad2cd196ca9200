extension ColumnView {
    /// Decodes `count` integers into `values`. Rows that are null get unspecified values.
    func decodeIntegers(count: Int, into values: UnsafeMutablePointer<Int64>) {
        switch encoding {
        case .delta8: decode(as: UInt8.self, count: count, into: values)
        case .delta16: decode(as: UInt16.self, count: count, into: values)
        case .delta32: decode(as: UInt32.self, count: count, into: values)
        case .integer64:
            UnsafeMutableRawPointer(values).copyMemory(from: data, byteCount: count &* 8)
        case .sequence:
            var row = 0
            while row < count {
                values[row] = base &+ Int64(truncatingIfNeeded: row)
                row &+= 1
            }
        default: values.update(repeating: encoding == .constant ? base : 0, count: count)
        }
    }

    @inline(__always)
    private func decode<Width: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        as: Width.Type, count: Int, into values: UnsafeMutablePointer<Int64>
    ) {
        let (data, base) = (data, base)
        var row = 0
        while row < count {
            let delta = data.loadUnaligned(
                fromByteOffset: row &* MemoryLayout<Width>.size, as: Width.self)
            values[row] = base &+ Int64(truncatingIfNeeded: delta)
            row &+= 1
        }
    }
}
