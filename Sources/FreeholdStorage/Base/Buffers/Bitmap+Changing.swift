/// Changing single bits and moving rows.
extension Bitmap {
    @inline(__always)
    static func set(_ bits: UnsafeMutableRawPointer, _ row: Int, _ value: Bool) {
        let byte = bits.load(fromByteOffset: row &>> 3, as: UInt8.self)
        let mask = 1 &<< UInt8(truncatingIfNeeded: row & 7)
        bits.storeBytes(
            of: value ? byte | mask : byte & ~mask, toByteOffset: row &>> 3, as: UInt8.self)
    }

    static func clear(_ bits: UnsafeMutableRawPointer, from: Int, to: Int) {
        for row in from..<max(from, to) { set(bits, row, false) }
    }

    static func shiftDown(_ bits: UnsafeMutableRawPointer, to row: Int, count: Int) {
        for index in row..<(count - 1) { set(bits, index, isSet(bits, index + 1)) }
        set(bits, count - 1, false)
    }

    static func shiftUp(_ bits: UnsafeMutableRawPointer, from row: Int, count: Int) {
        for index in stride(from: count, to: row, by: -1) {
            set(bits, index, isSet(bits, index - 1))
        }
        set(bits, row, false)
    }

    /// Moves the bits of rows whose byte in `keeps` is not 0 to the front, and clears the rest
    /// of `count`.
    static func keep(
        _ bits: UnsafeMutableRawPointer, _ keeps: UnsafePointer<UInt8>, keptCount: Int, count: Int
    ) {
        var target = 0
        for row in 0..<count where keeps[row] != 0 {
            if target != row { set(bits, target, isSet(bits, row)) }
            target += 1
        }
        clear(bits, from: keptCount, to: count)
    }
}
