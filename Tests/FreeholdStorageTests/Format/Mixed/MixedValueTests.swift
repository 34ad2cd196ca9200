import FreeholdStorage
import Testing

/// The bytes of mixed values.
@Suite struct MixedValueTests {
    private static let values: [MixedValue] = [
        .boolean(true), .boolean(false), .integer(-5), .float(1.5), .double(-2.5), .decimal(7, 9),
        .text([]), .text([97, 0, 98]), .bytes([]),
        .bytes([0, 255, 1]), .timestamp(12.25), .fixed(FixedValue((1, UInt32(2)))),
        .fixed(FixedValue((3, UInt64(4)))),
        .link(LinkTarget(table: TableID(rawValue: 2), key: 77)),
        .list([.integer(1), nil, .bytes([9]), .list([], identity: 3)], identity: 4),
        .map(
            [
                (key: [97], value: .bytes([8])), (key: [98], value: nil),
                (key: [99], value: .map([], identity: 5)),
            ], identity: 6),
    ]

    /// The descriptions say every value.
    @Test func everyValueComesBack() throws {
        for value in Self.values {
            let decoded = try #require(value.encoded.withUnsafeBytes { MixedValue(decoding: $0) })
            #expect("\(decoded)" == "\(value)")
            #expect(decoded.encoded == value.encoded)
        }
        #expect(Set(Self.values.map { Array($0.encoded) }).count == Self.values.count)
    }
}
