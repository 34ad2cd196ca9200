/// A value of any type, or nested lists and maps of such values. A missing value is nil.
package indirect enum MixedValue: Sendable {
    case boolean(Bool)
    case integer(Int64)
    case float(Float)
    case double(Double)
    /// Low word, high word, as in ``ColumnType/decimal``.
    case decimal(UInt64, UInt64)
    /// UTF-8.
    case text(ContiguousArray<UInt8>)
    case bytes(ContiguousArray<UInt8>)
    case timestamp(Double)
    case fixed(FixedValue)
    case link(LinkTarget)
    case list(ContiguousArray<MixedValue?>, identity: UInt64)
    /// Entries with distinct keys (UTF-8), in ascending order of the keys.
    case map(ContiguousArray<(key: ContiguousArray<UInt8>, value: MixedValue?)>, identity: UInt64)

    /// The greatest nesting depth of lists and maps.
    package static let greatestDepth = 100
}
