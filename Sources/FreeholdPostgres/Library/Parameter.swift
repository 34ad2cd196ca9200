import Foundation

/// A value of a statement in PostgreSQL's binary form; no bytes for null.
struct Parameter: Sendable {
    let type: TypeIdentifier
    let bytes: Data?

    /// Types by the numbers that are the same in every PostgreSQL.
    enum TypeIdentifier: UInt32, Sendable {
        case bool = 16
        case bytes = 17
        case name = 19
        case int64 = 20
        case int32 = 23
        case text = 25
        case bytesArray = 1001
        case int32Array = 1007
        case int64Array = 1016
        case float64 = 701
        case uuid = 2950
    }

    static func int64(_ value: Int64?) -> Parameter {
        Parameter(type: .int64, bytes: value.map { bigEndian($0) })
    }

    static func float64(_ value: Double) -> Parameter {
        Parameter(type: .float64, bytes: bigEndian(value.bitPattern))
    }

    static func bool(_ value: Bool) -> Parameter {
        Parameter(type: .bool, bytes: Data([value ? 1 : 0]))
    }

    static func text(_ value: String) -> Parameter {
        Parameter(type: .text, bytes: Data(value.utf8))
    }

    static func optionalText(_ value: String?) -> Parameter {
        Parameter(type: .text, bytes: value.map { Data($0.utf8) })
    }

    static func name(_ value: String) -> Parameter {
        Parameter(type: .name, bytes: Data(value.utf8))
    }

    static func bytes(_ value: Data) -> Parameter { Parameter(type: .bytes, bytes: value) }

    static func uuid(_ value: UUID) -> Parameter { Parameter(type: .uuid, bytes: bytes(of: value)) }

    static func int64s(_ values: [Int64]) -> Parameter {
        Parameter(
            type: .int64Array,
            bytes: array(of: .int64, count: values.count, size: 8 * values.count) { data in
                for value in values { append(bigEndian(value), to: &data) }
            })
    }

    static func int32s(_ values: [Int32]) -> Parameter {
        Parameter(
            type: .int32Array,
            bytes: array(of: .int32, count: values.count, size: 4 * values.count) { data in
                for value in values { append(bigEndian(value), to: &data) }
            })
    }

    static func bytesArray(_ values: [Data]) -> Parameter {
        let size = values.reduce(0) { $0 + $1.count }
        return Parameter(
            type: .bytesArray,
            bytes: array(of: .bytes, count: values.count, size: size) { data in
                for value in values { append(value, to: &data) }
            })
    }

    /// An array of one dimension: dimensions, whether nulls occur, type, count, first index.
    private static func array(
        of type: TypeIdentifier, count: Int, size: Int, _ append: (inout Data) -> Void
    ) -> Data {
        var data = Data(capacity: 20 + size + 4 * count)
        for word in [1, 0, Int32(bitPattern: type.rawValue), Int32(count), 1] {
            data.append(bigEndian(word))
        }
        append(&data)
        return data
    }

    /// An element: its length, then its bytes. An array with one whose length does not fit is never
    /// sent: ``Statement/checkSizes()``.
    private static func append(_ element: Data, to data: inout Data) {
        data.append(bigEndian(Int32(clamping: element.count)))
        data.append(element)
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: value.bigEndian) { Data($0) }
    }

    private static func bytes(of value: UUID) -> Data {
        withUnsafeBytes(of: value.uuid) { Data($0) }
    }
}
