/// Reads exactly `count` bytes; nil if the file ends earlier.
func readBytes(_ descriptor: Int32, at offset: Int, count: Int, path: String) throws(StorageError)
    -> [UInt8]?
{
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
        let result = bytes.withUnsafeMutableBytes { buffer in
            Files.read(descriptor, into: .init(rebasing: buffer[done...]), at: offset + done)
        }
        let read = try result.get("read the file", path: path)
        if read == 0 { return nil }
        done += read
    }
    return bytes
}

extension [UInt8] {
    /// Returns the little-endian integer at an offset, or nil outside the bytes: bytes from
    /// disk may hold any value.
    func load<Integer: FixedWidthInteger>(_ type: Integer.Type, at offset: Int) -> Integer? {
        guard offset >= 0, offset <= count - MemoryLayout<Integer>.size else { return nil }
        return withUnsafeBytes {
            Integer(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Integer.self))
        }
    }

    /// Stores a little-endian integer at an offset.
    mutating func store<Integer: FixedWidthInteger>(_ value: Integer, at offset: Int) {
        Swift.withUnsafeBytes(of: value.littleEndian) { bytes in
            replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
    }
}
