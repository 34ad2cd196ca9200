package struct IndexKey: Hashable, Sendable {
    package private(set) var bytes: ContiguousArray<UInt8> = []
    package static let null = IndexKey()
    package static func integer(_ value: Int64) -> IndexKey { fatalError() }
    package static func boolean(_ value: Bool) -> IndexKey { fatalError() }
    package static func double(_ value: Double) -> IndexKey { fatalError() }
    package static func bytes(_ value: UnsafeRawBufferPointer) -> IndexKey { fatalError() }   // text and bytes
    package static func fixed12(_ value: (UInt64, UInt32)) -> IndexKey { fatalError() }
    package static func fixed16(_ value: (UInt64, UInt64)) -> IndexKey { fatalError() }
}
