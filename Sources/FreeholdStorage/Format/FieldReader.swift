/// Reads the fields of a record in order: integers in little endian, and names with their lengths
/// in front. Nil where the bytes end too soon or a name is no UTF-8.
struct FieldReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func integer<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type) -> Value? {
        guard offset + MemoryLayout<Value>.size <= bytes.count else { return nil }
        defer { offset += MemoryLayout<Value>.size }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    mutating func name() -> String? {
        guard let count = integer(UInt16.self), offset + Int(count) <= bytes.count else {
            return nil
        }
        defer { offset += Int(count) }
        return String(validating: bytes[offset..<(offset + Int(count))], as: UTF8.self)
    }
}
