/// A value of which storage knows only its bytes and their order: an ObjectId, a UUID.
///
/// Kinds of such values differ in their ``ColumnType`` and layout alone. Values of one kind are
/// ordered by their keys, and equal to none of another kind.
package struct FixedValue: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64
    package let kind: ColumnType

    /// A number whose unsigned order is the order of the kind's values. Its lower bytes,
    /// big-endian, are what indexes and mixed values keep.
    @inline(__always)
    package var key: UInt128 { UInt128(high) &<< 64 | UInt128(low) }

    @inline(__always)
    init(key: UInt128, kind: ColumnType) {
        high = UInt64(truncatingIfNeeded: key &>> 64)
        low = UInt64(truncatingIfNeeded: key)
        self.kind = kind
    }

    /// The value of a row, which is not null.
    @inline(__always)
    package init(_ view: ColumnView, _ row: Int, _ kind: ColumnType) {
        switch kind.layout {
        case .fixed12: self.init(view.fixed12(at: row), kind)
        case .fixed16: self.init(view.fixed16(at: row), kind)
        case .integers: self.init(view.integer(at: row), kind)
        case .bits, .floats, .doubles, .heap: preconditionFailure("\(kind) has no fixed values.")
        }
    }

    /// Nil where the bytes are too few.
    init?(_ reader: inout MixedReader, _ kind: ColumnType) {
        guard let width = kind.fixedWidth, let bytes = reader.bytes(width) else { return nil }
        self.init(key: bytes.reduce(0) { $0 &<< 8 | UInt128($1) }, kind: kind)
    }

    /// Calls `body` with the bytes of the value as indexes and mixed values keep it.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: key.bigEndian) {
            body(UnsafeRawBufferPointer(rebasing: $0.suffix(kind.fixedWidth ?? 0)))
        }
    }

    /// Negative, zero or positive as the first value is below, equal to or above the second
    /// one; those of different kinds in the kinds' order.
    package static func compare(_ a: FixedValue, _ b: FixedValue) -> Int {
        if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue ? -1 : 1 }
        return a.key == b.key ? 0 : a.key < b.key ? -1 : 1
    }

    /// For people.
    var summary: String {
        let text =
            if kind.layout == .integers {
                String(integer)
            } else {
                withBytes { bytes in
                    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                }
            }
        return "\(kind.summaryName)(\(text))"
    }
}

// MARK: - Values as clusters have them

extension FixedValue {
    /// 12 bytes in memory order.
    @inline(__always)
    package init(_ words: (UInt64, UInt32), _ kind: ColumnType = .fixed12) {
        self.init(
            key: UInt128(UInt64(bigEndian: words.0)) &<< 32 | UInt128(UInt32(bigEndian: words.1)),
            kind: kind)
    }

    /// 16 bytes in memory order.
    @inline(__always)
    package init(_ words: (UInt64, UInt64), _ kind: ColumnType = .fixed16) {
        high = UInt64(bigEndian: words.0)
        low = UInt64(bigEndian: words.1)
        self.kind = kind
    }

    /// 8 bytes, signed.
    @inline(__always)
    package init(_ integer: Int64, _ kind: ColumnType) {
        high = 0
        low = UInt64(bitPattern: integer) ^ 1 &<< 63
        self.kind = kind
    }

    /// The inverse of ``init(_:_:)`` with 12 bytes.
    @inline(__always)
    package var fixed12: (UInt64, UInt32) {
        (
            UInt64(truncatingIfNeeded: key &>> 32).bigEndian,
            UInt32(truncatingIfNeeded: low).bigEndian
        )
    }

    /// The inverse of ``init(_:_:)`` with 16 bytes.
    @inline(__always)
    package var fixed16: (UInt64, UInt64) { (high.bigEndian, low.bigEndian) }

    /// The inverse of ``init(_:_:)`` with an integer.
    @inline(__always)
    package var integer: Int64 { Int64(bitPattern: low ^ 1 &<< 63) }
}
