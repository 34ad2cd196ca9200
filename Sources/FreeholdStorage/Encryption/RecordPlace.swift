/// The place of an encrypted record. It is authenticated with the record, so a record at
/// another place does not decrypt.
struct RecordPlace: Equatable {
    enum Kind: UInt8 {
        /// The roots of all trees.
        case roots = 0
        case node = 1
        /// A value that is too long for a node.
        case value = 2
    }

    var database: UInt8
    var kind: Kind
    var number: UInt64
    /// The version that wrote the record.
    var version: UInt64
    /// The transaction that wrote the record. The version does not identify it, because
    /// versions repeat.
    var attempt: WriteAttempt

    /// The place of a version's roots: `version` is the version that is being read.
    static func roots(_ version: UInt64, _ attempt: WriteAttempt) -> RecordPlace {
        RecordPlace(database: 0xFF, kind: .roots, number: 0, version: version, attempt: attempt)
    }

    static let authenticatedSize = 2 + 16 + WriteAttempt.size

    /// Writes the ``authenticatedSize`` bytes that are authenticated with the record.
    func store(to bytes: UnsafeMutableRawBufferPointer) {
        bytes[0] = database
        bytes[1] = kind.rawValue
        bytes.storeBytes(of: number.littleEndian, toByteOffset: 2, as: UInt64.self)
        bytes.storeBytes(of: version.littleEndian, toByteOffset: 10, as: UInt64.self)
        attempt.store(to: bytes, at: 18)
    }
}

extension RecordPlace: Hashable {
    /// The number and half of a random name are enough: places that differ practically always
    /// differ in these.
    func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(attempt.low)
    }
}

/// Refers from one encrypted record to another. Equal references mean equal contents, including
/// everything below.
struct EncryptedReference: Equatable {
    var number: UInt64
    var version: UInt64
    var attempt: WriteAttempt

    /// Number, version, attempt.
    static let size = 16 + WriteAttempt.size

    /// The root of an empty tree: refers to nothing.
    static let none = EncryptedReference(number: 0, version: 0, attempt: .none)
}

extension EncryptedReference {
    /// Reads the reference at an address of any alignment.
    @inline(__always)
    init(at start: UnsafeRawPointer) {
        number = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
        version = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        attempt = WriteAttempt(at: start + 16)
    }

    func store(at target: UnsafeMutableRawPointer) {
        target.storeBytes(of: number.littleEndian, as: UInt64.self)
        target.storeBytes(of: version.littleEndian, toByteOffset: 8, as: UInt64.self)
        attempt.store(to: UnsafeMutableRawBufferPointer(start: target, count: Self.size), at: 16)
    }
}
