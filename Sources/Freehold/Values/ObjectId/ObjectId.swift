public import Foundation

/// A 12-byte identifier, unique without coordination.
///
///     ┌──────────────┬───────────────────┬───────────┐
///     │ seconds (4)  │ random (5)        │ count (3) │     every field big-endian
///     └──────────────┴───────────────────┴───────────┘
///
/// The fields are big-endian, so the order of the bytes is the order of creation: to the second
/// across processes, and exactly within one process. ``generate()`` makes a new one.
///
/// Realm's `ObjectId` is a class. This one is a struct of 12 bytes: it is never allocated, it can
/// be sent to any thread, and code written for the class compiles unchanged.
///
/// Thread rule: an immutable value; use it anywhere.
public struct ObjectId: Hashable, Sendable, BitwiseCopyable {
    // The 12 bytes as three words, each read big-endian, so that comparing words compares bytes.
    // Words of 32 bits keep the size and the stride at 12.
    let word0: UInt32
    let word1: UInt32
    let word2: UInt32

    /// The bytes as three words, each the big-endian reading of four bytes, first bytes first.
    package var words: (UInt32, UInt32, UInt32) { (word0, word1, word2) }

    /// Makes the identifier from the bytes of three words, the inverse of ``words``. Never fails:
    /// all 12-byte values are valid.
    package init(words: (UInt32, UInt32, UInt32)) { (word0, word1, word2) = words }

    /// Makes the identifier of 12 zero bytes.
    ///
    /// The default of a persisted property is ``generate()``, not this.
    public init() { self.init(words: (0, 0, 0)) }
}

// MARK: - Bytes

extension ObjectId {
    /// The size of an identifier in storage.
    package static let byteCount = 12

    /// Reads the 12 bytes at an address of any alignment.
    ///
    /// The caller guarantees that 12 bytes can be read there.
    package init(unsafeBytes address: UnsafeRawPointer) {
        self.init(
            words: (
                UInt32(bigEndian: address.loadUnaligned(as: UInt32.self)),
                UInt32(bigEndian: address.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
                UInt32(bigEndian: address.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            ))
    }

    /// Writes the 12 bytes to an address of any alignment.
    ///
    /// The caller guarantees that 12 bytes can be written there.
    package func unsafeStoreBytes(to address: UnsafeMutableRawPointer) {
        address.storeBytes(of: word0.bigEndian, as: UInt32.self)
        address.storeBytes(of: word1.bigEndian, toByteOffset: 4, as: UInt32.self)
        address.storeBytes(of: word2.bigEndian, toByteOffset: 8, as: UInt32.self)
    }
}

// MARK: - Order

extension ObjectId: Comparable {
    /// Whether the bytes of the first come before the bytes of the second. Constant time.
    public static func < (lhs: ObjectId, rhs: ObjectId) -> Bool { lhs.words < rhs.words }
}

// MARK: - Time

extension ObjectId {
    /// When the identifier was made, to the second. Covers 1970-01-01 to 2106-02-07.
    public var timestamp: Date { Date(timeIntervalSince1970: TimeInterval(word0)) }
}
