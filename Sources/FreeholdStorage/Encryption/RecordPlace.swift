/// Where a encrypted record belongs. It is authenticated with the record, so a record in another
/// place does not open.
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
    /// The version that wrote it.
    var version: UInt64
    /// The transaction that wrote it, which the version does not name: versions repeat.
    var attempt: WriteAttempt

    /// The roots' place: the version is the one that is read.
    static func roots(_ version: UInt64, _ attempt: WriteAttempt) -> RecordPlace {
        RecordPlace(database: 0xFF, kind: .roots, number: 0, version: version, attempt: attempt)
    }

    static let authenticatedSize = 2 + 16 + WriteAttempt.size

    /// Writes what is authenticated with the record: ``authenticatedSize`` bytes.
    func store(to bytes: UnsafeMutableRawBufferPointer) {
        bytes[0] = database
        bytes[1] = kind.rawValue
        bytes.storeBytes(of: number.littleEndian, toByteOffset: 2, as: UInt64.self)
        bytes.storeBytes(of: version.littleEndian, toByteOffset: 10, as: UInt64.self)
        attempt.store(to: bytes, at: 18)
    }
}

extension RecordPlace: Hashable {
    /// A number and half of a random name differ wherever places differ, but by chance.
    func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(attempt.low)
    }
}

/// Names a encrypted record from inside of another one. Equal references mean equal contents, all
/// that is below included.
struct EncryptedReference: Equatable {
    var number: UInt64
    var version: UInt64
    var attempt: WriteAttempt

    /// Number, version, attempt.
    static let size = 16 + WriteAttempt.size

    /// Refers to nothing: the root of an empty tree.
    static let none = EncryptedReference(number: 0, version: 0, attempt: .none)

    init(number: UInt64, version: UInt64, attempt: WriteAttempt) {
        self.number = number
        self.version = version
        self.attempt = attempt
    }

    /// The reference at an address. Nothing need be aligned.
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
