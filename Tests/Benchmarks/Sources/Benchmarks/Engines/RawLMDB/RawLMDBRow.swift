import Foundation

/// A row as one LMDB value. Fields are in the machine's byte order and aligned from the value's
/// start, but a value may start anywhere in its page, so every access is unaligned.
///
///      0  format   UInt16, 1
///      2  name     UInt16, bytes of UTF-8
///      4  bio      UInt16, bytes of UTF-8
///      6  active   UInt8
///      7  unused
///      8  age      Int64
///     16  score    Double
///     24  joined   Double, seconds since 2001
///     32  name, then bio
///
/// The primary key is not in the value: it is the key, 8 bytes with the highest first.
enum RawLMDBRow {
    private static let headerSize = 32
    private static let nameSizeOffset = 2
    private static let bioSizeOffset = 4
    private static let activeOffset = 6
    private static let ageOffset = 8
    private static let scoreOffset = 16
    private static let joinedOffset = 24

    static func size(of row: PersonRow) -> Int {
        headerSize + row.name.utf8.count + row.bio.utf8.count
    }

    /// Writes `size(of: row)` bytes.
    static func encode(_ row: PersonRow, to bytes: UnsafeMutableRawPointer) {
        let nameSize = row.name.utf8.count
        let bioSize = row.bio.utf8.count
        bytes.storeBytes(of: 1, as: UInt16.self)
        bytes.storeBytes(of: UInt16(nameSize), toByteOffset: nameSizeOffset, as: UInt16.self)
        bytes.storeBytes(of: UInt16(bioSize), toByteOffset: bioSizeOffset, as: UInt16.self)
        bytes.storeBytes(of: row.active ? 1 : 0, toByteOffset: activeOffset, as: UInt16.self)
        bytes.storeBytes(of: Int64(row.age), toByteOffset: ageOffset, as: Int64.self)
        bytes.storeBytes(of: row.score, toByteOffset: scoreOffset, as: Double.self)
        bytes.storeBytes(
            of: row.joined.timeIntervalSinceReferenceDate, toByteOffset: joinedOffset,
            as: Double.self)
        copy(row.name, to: bytes + headerSize)
        copy(row.bio, to: bytes + headerSize + nameSize)
    }

    @inline(__always)
    static func age(_ bytes: UnsafeRawPointer) -> Int {
        Int(bytes.loadUnaligned(fromByteOffset: ageOffset, as: Int64.self))
    }

    static func setAge(_ age: Int, in bytes: UnsafeMutableRawPointer) {
        bytes.storeBytes(of: Int64(age), toByteOffset: ageOffset, as: Int64.self)
    }

    /// Copies a string's UTF-8 and gives its size.
    @discardableResult
    static func copy(_ string: String, to destination: UnsafeMutableRawPointer) -> Int {
        var string = string
        return string.withUTF8 { utf8 in
            if let start = utf8.baseAddress {
                destination.copyMemory(from: start, byteCount: utf8.count)
            }
            return utf8.count
        }
    }
}
